package io.spillway.rows;

/**
 * How many rows are likely to fill a number of bytes, judged from those that were encoded last.
 * Threads may see what others have told a little late.
 */
final class ChunkRows {

    /** Before anything is known. */
    private static final int FIRST = 256;

    private final long bytes;
    private volatile int rows = FIRST;

    ChunkRows(long bytes) {
        this.bytes = bytes;
    }

    /** At least one. */
    int get() {
        return rows;
    }

    /** Takes note of what some rows took, of which there is at least one. */
    void took(long someRows, long theirBytes) {
        long likely = someRows * bytes / Math.max(1, theirBytes);
        rows = Math.clamp((rows + likely) / 2, 1, Integer.MAX_VALUE);
    }
}
