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
 * within it. If that keeps somebody waiting, those who can do with less are asked to give way, the
 * largest first. Thread-safe; what is called back is called outside of the lock.
 */
final class MemoryGate {

    /** Somebody who waits. Compared by identity: two may ask for the same. */
    private static final class Request {

        private final long bytes;
        private final boolean standing;
        private final CompletableFuture<MemoryReservation> answer = new CompletableFuture<>();

        Request(long bytes, boolean standing) {
            this.bytes = bytes;
            this.standing = standing;
        }
    }

    /**
     * What somebody has here who can do with less. It is asked to, when it stands in somebody's
     * way, until it {@linkplain #answer answers}.
     */
    final class Share {

        private final Runnable ask;
        // Guarded by the gate.
        private long bytes;
        private boolean asked;

        /** It has answered, and could give nothing. */
        private boolean spent;

        private Share(Runnable ask) {
            this.ask = ask;
        }

        /** Takes more, unless it does not fit or anybody waits. */
        boolean tryGrow(long more) {
            synchronized (MemoryGate.this) {
                if (!fits(more)) {
                    return false;
                }
                admitted += more;
                bytes += more;
                spent = false;
                return true;
            }
        }

        /** Gives back what it has taken in vain. */
        void takeBack(long less) {
            serve(less, this, false);
        }

        /** Gives back some, or nothing if it cannot; it may be asked again then. */
        void answer(long less) {
            serve(less, this, true);
        }

        /** Does somebody wait who would be helped by less here, and has it been asked? */
        boolean isAsked() {
            synchronized (MemoryGate.this) {
                return asked;
            }
        }

        /** Gives back the rest, for good. */
        void close(long rest) {
            synchronized (MemoryGate.this) {
                shares.remove(this);
            }
            serve(rest, this, true);
        }
    }

    private final long limit;
    // Guarded by this.
    private long admitted;

    /** The part of {@link #admitted} that its holders keep while they wait for others here. */
    private long standing;

    private final Set<Request> waiting = new LinkedHashSet<>();
    private final Set<Share> shares = new LinkedHashSet<>();
    private final AtomicInteger queued;
    private final boolean oneJob;

    /**
     * A gate.
     *
     * @param queued counts those who wait, here and at other gates
     * @param oneJob whether those who are in work for one another: then nobody who only stands here
     *     will leave before those have been let in who wait
     */
    MemoryGate(long limit, AtomicInteger queued, boolean oneJob) {
        this.limit = limit;
        this.queued = queued;
        this.oneJob = oneJob;
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

    /**
     * Waits for its turn. Cancelling a future that is not done takes the request back.
     *
     * @param standing whether the holder will keep it while it waits for others here
     * @return failed with {@code MEMORY_LIMIT} if it would wait for ever
     */
    CompletableFuture<MemoryReservation> admit(long bytes, boolean standing) {
        Request request = new Request(bytes, standing);
        // Whoever fits does not wait, not even for a moment: others would see a queue, and spill.
        boolean fits;
        synchronized (this) {
            fits = fits(bytes);
            if (fits) {
                take(request);
            } else {
                waiting.add(request);
                queued.incrementAndGet();
            }
        }
        if (fits) {
            return CompletableFuture.completedFuture(reservation(request));
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
        if (!fits(bytes)) {
            return null;
        }
        admitted += bytes;
        return new MemoryReservation(bytes, this::serve);
    }

    /**
     * An empty share.
     *
     * @param ask asks its owner for less; called by whoever takes the last of what another needs
     */
    Share share(Runnable ask) {
        Share share = new Share(ask);
        synchronized (this) {
            shares.add(share);
        }
        return share;
    }

    /** Caller holds the lock. */
    private boolean fits(long bytes) {
        return waiting.isEmpty() && bytes <= limit - admitted;
    }

    private MemoryReservation reservation(Request request) {
        return new MemoryReservation(
                request.bytes,
                freed -> {
                    if (request.standing) {
                        synchronized (this) {
                            standing -= freed;
                        }
                    }
                    serve(freed);
                });
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

    private void serve(long freed) {
        serve(freed, null, false);
    }

    /**
     * Takes {@code freed} bytes back, lets in whoever fits now, and asks for more if that is not
     * all.
     *
     * @param from whose they were, if anybody's who can do with less
     * @param answered whether that was its answer
     */
    private void serve(long freed, @Nullable Share from, boolean answered) {
        List<Request> let = new ArrayList<>();
        List<Share> ask = new ArrayList<>();
        List<Request> hopeless = new ArrayList<>();
        long taken;
        synchronized (this) {
            admitted -= freed;
            if (from != null) {
                from.bytes -= freed;
                if (answered) {
                    from.spent = freed == 0 && (from.asked || from.spent);
                    from.asked = false;
                }
            }
            letIn(let);
            if (waiting.isEmpty()) {
                shares.forEach(share -> share.asked = false);
            } else {
                choose(ask);
                giveUp(hopeless);
            }
            taken = standing;
        }
        for (Request request : let) {
            MemoryReservation granted = reservation(request);
            if (!request.answer.complete(granted)) {
                granted.close();
            }
        }
        ask.forEach(share -> share.ask.run());
        for (Request request : hopeless) {
            request.answer.completeExceptionally(
                    MemoryPool.tooMuch(
                            request.bytes,
                            "the steps of the job keep %,d bytes while they work".formatted(taken),
                            limit));
        }
    }

    /**
     * Takes all out of the queue if nobody will make room. Caller holds the lock.
     *
     * @param hopeless takes those who waited
     */
    private void giveUp(List<Request> hopeless) {
        if (oneJob && admitted == standing) {
            hopeless.addAll(waiting);
            queued.addAndGet(-waiting.size());
            waiting.clear();
        }
    }

    /** Caller holds the lock. */
    private void letIn(List<Request> let) {
        for (Iterator<Request> it = waiting.iterator(); it.hasNext(); ) {
            Request next = it.next();
            if (next.bytes > limit - admitted) {
                break;
            }
            it.remove();
            queued.decrementAndGet();
            take(next);
            let.add(next);
        }
    }

    /** Caller holds the lock. */
    private void take(Request request) {
        admitted += request.bytes;
        standing += request.standing ? request.bytes : 0;
    }

    /**
     * Chooses the largest shares until those who have been asked could let the first in the queue
     * in. Caller holds the lock.
     */
    private void choose(List<Share> ask) {
        long missing = waiting.iterator().next().bytes - (limit - admitted);
        for (Share share : shares) {
            missing -= share.asked ? share.bytes : 0;
        }
        while (missing > 0) {
            Share largest = null;
            for (Share share : shares) {
                if (!share.asked
                        && !share.spent
                        && share.bytes > (largest == null ? 0 : largest.bytes)) {
                    largest = share;
                }
            }
            if (largest == null) {
                return;
            }
            largest.asked = true;
            missing -= largest.bytes;
            ask.add(largest);
        }
    }
}
