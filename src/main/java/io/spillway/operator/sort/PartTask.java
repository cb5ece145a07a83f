package io.spillway.operator.sort;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.execution.Failures;
import io.spillway.execution.PartitionTask;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Work of several turns that ends with a part. Owns what it works on. */
abstract class PartTask implements PartitionTask {

    private final CompletableFuture<SortedPart> result = new CompletableFuture<>();

    /** One turn; the part when it is complete. Everything else has been freed then. */
    abstract @Nullable SortedPart step();

    /** Frees everything but a part that has been handed over. Called again, does nothing. */
    abstract void free();

    /** The part, owned by whoever takes it. */
    CompletableFuture<SortedPart> result() {
        return result;
    }

    @Override
    public final Turn run() {
        SortedPart part = step();
        if (part == null) {
            return Turn.AGAIN;
        }
        result.complete(part);
        return Turn.DONE;
    }

    @Override
    public final void idle() {}

    @Override
    public final void failed(Throwable cause) {
        try {
            free();
        } finally {
            result.completeExceptionally(Failures.asSpillway(cause));
        }
    }

    @Override
    public final void close() {
        if (!result.isDone()) {
            try {
                free();
            } finally {
                result.completeExceptionally(
                        new SpillwayException(ErrorCode.CANCELED, "The sort was canceled"));
            }
        }
    }
}
