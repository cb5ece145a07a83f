package io.spillway.scan;

/**
 * Where one partition of a file lies, for formats whose files do not tell it themselves.
 *
 * @param offset of its first byte in the file
 * @param end of the byte after its last
 * @param line 1-based number of the line that begins there; 0 if the format has no lines
 */
public record PartitionRange(long offset, long end, long line) {

    /** Where a partition begins; it ends where the next one begins, or the file. */
    public record Start(long offset, long line) {}
}
