package io.spillway.spool;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;

/**
 * What goes wrong with spools. Clients see a segment's name, but not where this service keeps it.
 */
final class SpoolFailures {

    private SpoolFailures() {}

    /** What a file system said about writing a segment, without its place. */
    static SpillwayException write(int segment, SpillwayException cause) {
        return at(
                segment,
                cause.code() == ErrorCode.DISK_FULL ? ErrorCode.DISK_FULL : ErrorCode.WRITE_FAILED,
                cause.code() == ErrorCode.DISK_FULL
                        ? "could not be written: the disk is full"
                        : "could not be written",
                cause);
    }

    static SpillwayException read(int segment, SpillwayException cause) {
        return at(segment, ErrorCode.READ_FAILED, "could not be read", cause);
    }

    static SpillwayException lost(int segment, SpillwayException cause) {
        return at(segment, ErrorCode.READ_FAILED, "is lost or damaged", cause);
    }

    static SpillwayException damaged() {
        return new SpillwayException(ErrorCode.FILE_CORRUPT, "The index of a segment is damaged");
    }

    static SpillwayException quota(long quota) {
        return new SpillwayException(
                        ErrorCode.DISK_FULL,
                        "The result could not be written: all results together may take %,d bytes"
                                .formatted(quota))
                .with(SpillwayException.LIMIT, quota);
    }

    private static SpillwayException at(
            int segment, ErrorCode code, String what, SpillwayException cause) {
        String name = SpoolFolder.name(segment);
        return new SpillwayException(code, "Spool segment '" + name + "' " + what, cause)
                .with(SpillwayException.FILE, name);
    }
}
