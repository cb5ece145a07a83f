package io.spillway.scan.bytes;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.concurrent.CompletionException;

/** Failures of background work, made typed. */
public final class Failures {

    private Failures() {}

    /** The exception to throw for a failure that a future reported. */
    public static SpillwayException typed(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof SpillwayException typed
                ? typed
                : new SpillwayException(ErrorCode.INTERNAL, "Reading a file failed", cause);
    }
}
