package io.spillway.delivery.http;

import java.util.concurrent.CompletableFuture;

/**
 * Counts who still reads the buffers of a request's body, so that their owner can be told when
 * nobody does any more. The network may hold them beyond the end of an exchange: until the channel
 * is closed, or until it has encrypted what it was given.
 */
final class Loan {

    private final CompletableFuture<Void> returned = new CompletableFuture<>();
    private int readers;
    private boolean over;

    /** Begins to read; false where nobody may any more. */
    synchronized boolean take() {
        if (over) {
            return false;
        }
        readers++;
        return true;
    }

    /** Ends what {@link #take} began. */
    void giveBack() {
        boolean last;
        synchronized (this) {
            readers--;
            last = over && readers == 0;
        }
        if (last) {
            returned.complete(null);
        }
    }

    /** Lets nobody begin any more. */
    void end() {
        boolean last;
        synchronized (this) {
            over = true;
            last = readers == 0;
        }
        if (last) {
            returned.complete(null);
        }
    }

    /** Done once the loan has ended and nobody reads. */
    CompletableFuture<Void> returned() {
        return returned;
    }
}
