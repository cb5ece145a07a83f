package io.spillway.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A limit with a queue: lets in, first come first served, while the sum of those who are in stays
 * within it. If that keeps somebody waiting, those who can do with less are asked to give way, the
 * largest first. Thread-safe; what is called back is called outside of the lock.
 *
 * <p>Somebody who is in may wait for others here, and keep what he has: one who stands, or who has
 * answered that he can give nothing. When all who are in do so, and all of them wait in the queue
 * too, nobody will ever leave. Then those of them go first who fit, whoever is before them; if
 * nobody does, one owner is refused, so that others go on.
 */
final class MemoryGate {

    /** Somebody who waits. Compared by identity: two may ask for the same. */
    private static final class Request {

        private final MemoryPool owner;
        private final long bytes;
        private final boolean standing;
        private final CompletableFuture<MemoryReservation> answer = new CompletableFuture<>();

        Request(MemoryPool owner, long bytes, boolean standing) {
            this.owner = owner;
            this.bytes = bytes;
            this.standing = standing;
        }
    }

    /**
     * What somebody has here who can do with less. It is asked to, when it stands in somebody's
     * way, until it {@linkplain #answer answers}.
     */
    final class Share {

        private final MemoryPool owner;
        private final Runnable ask;
        // Guarded by the gate.
        private long bytes;
        private boolean asked;

        /** It has answered, and could give nothing. */
        private boolean spent;

        private Share(MemoryPool owner, Runnable ask) {
            this.owner = owner;
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

    /** The parts of {@link #admitted} that owners keep while they wait for others here. */
    private final Map<MemoryPool, Long> standing = new HashMap<>();

    private final Set<Request> waiting = new LinkedHashSet<>();
    private final Set<Share> shares = new LinkedHashSet<>();
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

    /**
     * Waits for its turn. Cancelling a future that is not done takes the request back.
     *
     * @param owner the node whose work it is: what one has in here works for one another
     * @param stands whether the holder will keep it while it waits for others here
     * @return failed with {@code MEMORY_LIMIT} if it would wait for ever
     */
    CompletableFuture<MemoryReservation> admit(MemoryPool owner, long bytes, boolean stands) {
        Request request = new Request(owner, bytes, stands);
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
     * @param owner as for {@link #admit}
     * @param ask asks its owner for less; called by whoever takes the last of what another needs
     */
    Share share(MemoryPool owner, Runnable ask) {
        Share share = new Share(owner, ask);
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
                            stand(request.owner, -freed);
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
        long kept;
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
                release(let, hopeless);
            }
            kept = admitted;
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
                            "%,d bytes are kept by steps that wait for one another".formatted(kept),
                            limit));
        }
    }

    /**
     * If those who are in wait for one another, lets those of them in who fit; if none does, or the
     * only owner will never have what it waits for, takes it out of the queue. Caller holds the
     * lock.
     *
     * @param let takes those who are let in
     * @param hopeless takes those who are refused
     */
    private void release(List<Request> let, List<Request> hopeless) {
        Set<MemoryPool> holders = new HashSet<>(standing.keySet());
        long kept = standing.values().stream().mapToLong(Long::longValue).sum();
        for (Share share : shares) {
            if (share.spent && share.bytes > 0) {
                kept += share.bytes;
                holders.add(share.owner);
            }
        }
        if (kept < admitted) {
            return;
        }
        MemoryPool last = null;
        Set<MemoryPool> others = new HashSet<>(holders);
        for (Request request : waiting) {
            if (holders.contains(request.owner)) {
                others.remove(request.owner);
                last = request.owner;
            }
        }
        if (!others.isEmpty()) {
            return;
        }
        if ((holders.size() == 1 && !fitAll(last)) || !pass(holders, let)) {
            refuse(last, hopeless);
        }
    }

    /** Whether each of an owner's requests fits. Caller holds the lock. */
    private boolean fitAll(@Nullable MemoryPool owner) {
        return waiting.stream()
                .allMatch(next -> !next.owner.equals(owner) || next.bytes <= limit - admitted);
    }

    /** Lets holders in who fit. Caller holds the lock. */
    private boolean pass(Set<MemoryPool> holders, List<Request> let) {
        int before = let.size();
        for (Iterator<Request> it = waiting.iterator(); it.hasNext(); ) {
            Request next = it.next();
            if (holders.contains(next.owner) && next.bytes <= limit - admitted) {
                leaveQueue(it, next, let);
            }
        }
        return let.size() > before;
    }

    /** Caller holds the lock. */
    private void refuse(@Nullable MemoryPool owner, List<Request> hopeless) {
        for (Iterator<Request> it = waiting.iterator(); it.hasNext(); ) {
            Request next = it.next();
            if (next.owner.equals(owner)) {
                it.remove();
                queued.decrementAndGet();
                hopeless.add(next);
            }
        }
    }

    private void leaveQueue(Iterator<Request> at, Request next, List<Request> let) {
        at.remove();
        queued.decrementAndGet();
        take(next);
        let.add(next);
    }

    /** Caller holds the lock. */
    private void letIn(List<Request> let) {
        for (Iterator<Request> it = waiting.iterator(); it.hasNext(); ) {
            Request next = it.next();
            if (next.bytes > limit - admitted) {
                break;
            }
            leaveQueue(it, next, let);
        }
    }

    /** Caller holds the lock. */
    private void take(Request request) {
        admitted += request.bytes;
        if (request.standing) {
            stand(request.owner, request.bytes);
        }
    }

    /** Caller holds the lock. */
    private void stand(MemoryPool owner, long more) {
        long now = standing.getOrDefault(owner, 0L) + more;
        if (now == 0) {
            standing.remove(owner);
        } else {
            standing.put(owner, now);
        }
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
