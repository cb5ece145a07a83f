package io.spillway.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A limit with a queue: lets in, first come first served, while the sum of those who are in stays
 * within it. Thread-safe.
 */
final class MemoryGate {

    private record Request(long bytes, CompletableFuture<MemoryReservation> answer) {}

    private final long limit;
    // Guarded by this.
    private long admitted;
    private final ArrayDeque<Request> waiting = new ArrayDeque<>();
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

    /** Waits for its turn. Cancelling a future that is not done takes the request back. */
    CompletableFuture<MemoryReservation> admit(long bytes) {
        CompletableFuture<MemoryReservation> answer = new CompletableFuture<>();
        synchronized (this) {
            waiting.add(new Request(bytes, answer));
            queued.incrementAndGet();
        }
        serve(0);
        return answer;
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
                if (next.answer.isDone()) {
                    it.remove();
                    queued.decrementAndGet();
                } else if (next.bytes > limit - admitted) {
                    break;
                } else {
                    it.remove();
                    queued.decrementAndGet();
                    admitted += next.bytes;
                    let.add(next);
                }
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
