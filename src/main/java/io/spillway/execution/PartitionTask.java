package io.spillway.execution;

import java.util.concurrent.CompletableFuture;

/**
 * Work that a {@link PartitionScheduler} carries out in turns of about one batch each. All methods
 * are called by the scheduler's threads, one at a time, with a happens-before edge between them;
 * none may wait.
 */
public interface PartitionTask {

    /** What a turn ended with. */
    sealed interface Turn {

        /** There is more to do at once. */
        record Again() implements Turn {}

        /**
         * Nothing to do until the future is done, normally or not. A blocked task holds no thread.
         */
        record Blocked(CompletableFuture<?> until) implements Turn {}

        /** The task has ended. */
        record Done() implements Turn {}

        Turn AGAIN = new Again();
        Turn DONE = new Done();
    }

    /**
     * One turn. Failures are the task's to report to whoever waits for its results; a throw ends
     * the task after {@link #failed}.
     */
    Turn run();

    /**
     * Called in place of a turn when the task has been blocked for a while: drop what can be
     * rebuilt.
     */
    void idle();

    /** Called when {@link #run} or {@link #idle} has thrown. */
    void failed(Throwable cause);

    /** Called exactly once, last, however the task ended: free everything. */
    void close();
}
