package io.spillway.spill;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What goes wrong with spill files, made typed. Clients see the file's name, but not where this
 * service keeps it.
 */
final class SpillFailures {

    private SpillFailures() {}

    static SpillwayException write(Path path, IOException cause) {
        return isFull(cause)
                ? at(path, ErrorCode.DISK_FULL, "could not be written: the disk is full", cause)
                : at(path, ErrorCode.WRITE_FAILED, "could not be written", cause);
    }

    static SpillwayException read(Path path, Throwable cause) {
        return at(path, ErrorCode.READ_FAILED, "could not be read", cause);
    }

    static SpillwayException quota(Path path, long quota) {
        return new SpillwayException(
                        ErrorCode.DISK_FULL,
                        "Spill file '%s' could not be written: all spill files together may take %,d bytes"
                                .formatted(path.getFileName(), quota))
                .with(SpillwayException.FILE, name(path))
                .with(SpillwayException.LIMIT, quota);
    }

    static SpillwayException closed() {
        return new SpillwayException(ErrorCode.CANCELED, "The job's spill files are deleted");
    }

    private static SpillwayException at(Path path, ErrorCode code, String what, Throwable cause) {
        return new SpillwayException(code, "Spill file '" + path.getFileName() + "' " + what, cause)
                .with(SpillwayException.FILE, name(path));
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    /** Java has no type for it: the systems' own words. */
    private static boolean isFull(IOException e) {
        String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        return message.contains("no space left")
                || message.contains("not enough space")
                || message.contains("disk quota exceeded")
                || message.contains("file too large");
    }
}
