package io.spillway.execution;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.concurrent.CompletionException;
import org.apache.arrow.memory.OutOfMemoryException;

/** What went wrong in a task, as the typed exception that its reader gets. */
public final class Failures {

    private Failures() {}

    /**
     * The exception itself if it is typed; {@code MEMORY_LIMIT} for an allocator at its limit or a
     * full heap; else {@code INTERNAL}. A failure that several readers meet is wrapped anew for
     * each, so that nobody adds context to another's.
     */
    public static SpillwayException asSpillway(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return switch (cause) {
            case SpillwayException known -> known.copy();
            case OutOfMemoryException full ->
                    new SpillwayException(
                            ErrorCode.MEMORY_LIMIT,
                            "The job's memory limit is too small for this plan",
                            full);
            case OutOfMemoryError full ->
                    new SpillwayException(
                            ErrorCode.MEMORY_LIMIT, "The service is out of heap memory", full);
            default -> new SpillwayException(ErrorCode.INTERNAL, "An unexpected error", cause);
        };
    }
}
