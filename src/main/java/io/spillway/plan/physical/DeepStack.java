package io.spillway.plan.physical;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * Runs work on a thread with a stack of a known size, whatever the caller's. Plans are trees, and
 * so are their expressions: parser, validator and JSON mapper recurse along their depth, some with
 * a dozen frames a level. Within {@link io.spillway.plan.document.PlanLimits#MAX_DEPTH} a few
 * megabytes are enough, and the rest is never touched: the size is address space, and a thread
 * lives for one piece of work.
 */
public final class DeepStack {

    private static final long STACK_BYTES = 64L << 20;

    private DeepStack() {}

    /**
     * Waits for the work; what it throws is thrown here. Should the stack be exhausted
     * nevertheless, the thread is lost and nothing else.
     *
     * @throws SpillwayException {@code PLAN_TOO_DEEP} if the stack did not suffice, {@code
     *     CANCELED} if the caller was interrupted, which interrupts the work too
     */
    public static <T> T call(Supplier<T> work) {
        FutureTask<T> task = new FutureTask<>(work::get);
        Thread thread = new Thread(null, task, "deep-stack", STACK_BYTES);
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get();
        } catch (InterruptedException e) {
            task.cancel(true);
            Thread.currentThread().interrupt();
            throw new SpillwayException(ErrorCode.CANCELED, "Planning was interrupted", e);
        } catch (ExecutionException e) {
            throw unwrap(e);
        }
    }

    private static RuntimeException unwrap(ExecutionException failure) {
        return switch (failure.getCause()) {
            case RuntimeException e -> e;
            case StackOverflowError e ->
                    new SpillwayException(
                            ErrorCode.PLAN_TOO_DEEP, "The plan is nested too deeply", e);
            case Error e -> throw e;
            case null, default -> new IllegalStateException(failure);
        };
    }
}
