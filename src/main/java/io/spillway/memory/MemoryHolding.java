package io.spillway.memory;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Memory for the state of somebody who can do with less of it: who writes it to disk, for instance.
 * It grows while there is room and nobody waits for any; when work waits that it keeps out, the
 * largest holding is {@link #revoked}, and gives way.
 *
 * <p>So work always comes to its turn, as long as holders answer: even one whose rows nobody wants
 * at the moment. What a holder cannot do without it asks for by {@link MemoryPool#admit}.
 *
 * <p>Thread-safe.
 */
public final class MemoryHolding implements StateMemory, AutoCloseable {

    /** One at each node, from the holder's up to the root. */
    private final List<MemoryGate.Share> shares;

    private final String name;
    // Guarded by this.
    private long bytes;
    private boolean closed;
    private CompletableFuture<Void> revoked = new CompletableFuture<>();

    /**
     * An empty holding.
     *
     * @param pool at which it counts, and at each node above it
     */
    MemoryHolding(String name, MemoryPool pool) {
        this.name = name;
        this.shares = pool.shares(this::revoke);
    }

    /**
     * Asks for more.
     *
     * @return false if it does not fit, or anybody waits for memory for work, or the holding is
     *     closed; nothing is taken then
     */
    @Override
    public boolean tryGrow(long more) {
        checkNotNegative(more);
        int taken = 0;
        synchronized (this) {
            if (!closed) {
                while (taken < shares.size() && shares.get(taken).tryGrow(more)) {
                    taken++;
                }
                if (taken == shares.size()) {
                    bytes += more;
                    return true;
                }
            }
        }
        while (taken > 0) {
            shares.get(--taken).takeBack(more);
        }
        return false;
    }

    /**
     * Gives some back, and with it the answer to a revocation.
     *
     * @param less no more than is held; 0 does nothing
     */
    @Override
    public void shrink(long less) {
        checkNotNegative(less);
        synchronized (this) {
            if (closed) {
                return;
            }
            if (less > bytes) {
                throw new IllegalArgumentException(
                        "%s holds %,d bytes, not %,d".formatted(name, bytes, less));
            }
            if (less == 0) {
                return;
            }
            bytes -= less;
            // Before the gates are told: one that asks again must find the next future.
            renew();
        }
        answer(less);
    }

    /**
     * Answers a revocation: there is nothing to give. The holding is not asked again before it has
     * grown. That is for a holder who is about to wait for others, and every one of those must
     * answer; one that will give without waiting answers when it does.
     */
    public void decline() {
        synchronized (this) {
            if (closed) {
                return;
            }
            renew();
        }
        answer(0);
    }

    private void answer(long less) {
        for (int i = shares.size() - 1; i >= 0; i--) {
            shares.get(i).answer(less);
        }
    }

    /** Bytes held now. */
    public synchronized long bytes() {
        return bytes;
    }

    /**
     * Done when work waits that this holding keeps out, and this is the largest holding that does:
     * its holder writes state to disk at its next turn, and {@linkplain #shrink shrinks}; then
     * there is another future. Also when the need has passed.
     */
    public synchronized CompletableFuture<?> revoked() {
        if (revoked.isDone() && shares.stream().noneMatch(MemoryGate.Share::isAsked)) {
            renew();
        }
        return revoked;
    }

    /** Gives everything back, for good; again does nothing. */
    @Override
    public void close() {
        long rest;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            rest = bytes;
            bytes = 0;
        }
        for (int i = shares.size() - 1; i >= 0; i--) {
            shares.get(i).close(rest);
        }
    }

    /** Called by a gate. */
    private void revoke() {
        CompletableFuture<Void> now;
        synchronized (this) {
            now = revoked;
        }
        now.complete(null);
    }

    private void renew() {
        if (revoked.isDone()) {
            revoked = new CompletableFuture<>();
        }
    }

    private static void checkNotNegative(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException(bytes + " bytes");
        }
    }
}
