package io.spillway.memory;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A limit with a queue: lets in, first come first served, while the sum of those who are in stays
 * within it. Thread-safe.
 */
final class MemoryGate {

    /** Somebody who waits. Compared by identity: two may ask for the same. */
    private static final class Request {

        private final long bytes;
        private final CompletableFuture<MemoryReservation> answer = new CompletableFuture<>();

        Request(long bytes) {
            this.bytes = bytes;
        }
    }

    private final long limit;
    // Guarded by this.
    private long admitted;
    private final Set<Request> waiting = new LinkedHashSet<>();
    private final AtomicInteger queued;

    /**
     * A gate.
     *
     * @param queued counts those who wait, here and at other gates
     */
    MemoryGate(long limit, AtomicInteger queued) {
        this.limit = limit;
        this.queued = queued;
    }

    long limit() {
        return limit;
    }

    synchronized long admitted() {
        return admitted;
    }

    /** Does anybody wait here? */
    synchronized boolean hasQueue() {
        return !waiting.isEmpty();
    }

    /** Waits for its turn. Cancelling a future that is not done takes the request back. */
    CompletableFuture<MemoryReservation> admit(long bytes) {
        Request request = new Request(bytes);
        synchronized (this) {
            waiting.add(request);
            queued.incrementAndGet();
        }
        serve(0);
        if (!request.answer.isDone()) {
            var _ =
                    request.answer.whenComplete(
                            (granted, failure) -> {
                                if (failure != null) {
                                    withdraw(request);
                                }
                            });
        }
        return request.answer;
    }

    /** Null if it would have to wait. */
    synchronized @Nullable MemoryReservation tryAdmit(long bytes) {
        if (!waiting.isEmpty() || bytes > limit - admitted) {
            return null;
        }
        admitted += bytes;
        return reservation(bytes);
    }

    private MemoryReservation reservation(long bytes) {
        return new MemoryReservation(bytes, () -> serve(bytes));
    }

    private void withdraw(Request request) {
        synchronized (this) {
            if (!waiting.remove(request)) {
                return;
            }
            queued.decrementAndGet();
        }
        // Those behind it may need less.
        serve(0);
    }

    /**
     * Takes {@code freed} bytes back and lets in whoever fits now; completes futures outside of the
     * lock.
     */
    private void serve(long freed) {
        List<Request> let = new ArrayList<>();
        synchronized (this) {
            admitted -= freed;
            for (Iterator<Request> it = waiting.iterator(); it.hasNext(); ) {
                Request next = it.next();
                if (next.bytes > limit - admitted) {
                    break;
                }
                it.remove();
                queued.decrementAndGet();
                admitted += next.bytes;
                let.add(next);
            }
        }
        for (Request request : let) {
            MemoryReservation granted = reservation(request.bytes);
            if (!request.answer.complete(granted)) {
                granted.close();
            }
        }
    }
}
