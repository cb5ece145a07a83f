package io.spillway.delivery.http;

import java.util.concurrent.CompletableFuture;

/** A request under way. */
public interface Exchange {

    /**
     * What came of it; never completes exceptionally. Once it is done the body's buffers are the
     * caller's again: nothing reads them any more, whatever happened. It completes on a virtual
     * thread of its own.
     */
    CompletableFuture<Answer> answer();

    /**
     * Ends it and closes its connection. The answer is then soon there, as {@link
     * Answer.Kind#ABORTED} unless it was there before.
     */
    void abort();
}
