package io.spillway.batch;

import java.util.concurrent.CompletableFuture;

/**
 * What one pull on a {@link PollStream} gave. No pull ever waits: what is not there yet says what
 * to wait for.
 */
public sealed interface Poll<T> {

    /** An item, now owned by the caller. */
    record Output<T>(T item) implements Poll<T> {}

    /**
     * Nothing now. Pull again once {@code until} is done, normally or not: the next pull then
     * reports any failure. A stream that only wants to give others a turn answers with a future
     * that is already done.
     */
    record Blocked<T>(CompletableFuture<?> until) implements Poll<T> {}

    /** The end. Every later pull gives the same. */
    record Finished<T>() implements Poll<T> {}

    static <T> Poll<T> output(T item) {
        return new Output<>(item);
    }

    static <T> Poll<T> blocked(CompletableFuture<?> until) {
        return new Blocked<>(until);
    }

    /** Nothing in this turn, but there is more work to be done at once: pull again. */
    static <T> Poll<T> again() {
        return new Blocked<>(CompletableFuture.completedFuture(null));
    }

    static <T> Poll<T> finished() {
        return new Finished<>();
    }
}
