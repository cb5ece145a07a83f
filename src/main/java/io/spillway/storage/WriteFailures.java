package io.spillway.storage;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.Locale;

/**
 * What goes wrong when a file is written, made typed. As {@link FileFailures}, it repeats nothing
 * of what a library says.
 */
final class WriteFailures {

    private WriteFailures() {}

    static SpillwayException of(String uri, Exception cause) {
        return switch (cause) {
            case SpillwayException typed -> typed;
            case AccessDeniedException e ->
                    failure(ErrorCode.FILE_ACCESS_DENIED, uri, "may not be written", e);
            case IOException e when isFull(e) ->
                    failure(ErrorCode.DISK_FULL, uri, "could not be written: its disk is full", e);
            default ->
                    failure(
                            ErrorCode.WRITE_FAILED,
                            uri,
                            "could not be written (" + cause.getClass().getSimpleName() + ")",
                            cause);
        };
    }

    /** Something has the name already that a file or folder was to get. */
    static SpillwayException exists(String uri) {
        return new SpillwayException(
                        ErrorCode.TARGET_EXISTS, "'" + uri + "' is there already, and is kept")
                .with(SpillwayException.FILE, uri);
    }

    /** Java has no type for it: the system's own words, and Hadoop's for a quota. */
    private static boolean isFull(IOException e) {
        String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        return message.contains("no space left")
                || message.contains("disk quota exceeded")
                || message.contains("file too large")
                || e.getClass().getSimpleName().contains("QuotaExceeded");
    }

    private static SpillwayException failure(
            ErrorCode code, String uri, String what, Throwable cause) {
        return new SpillwayException(code, "'" + uri + "' " + what, cause)
                .with(SpillwayException.FILE, uri);
    }
}
