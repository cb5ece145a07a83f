package io.spillway.oracle;

import io.spillway.memory.MemoryHolding;
import io.spillway.memory.MemoryPool;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Somebody beside a job who has all memory for work but some, gives way by a little when it is
 * asked to, and takes what is free again.
 */
final class Hog implements AutoCloseable {

    private static final long PIECE = 128 << 10;
    private static final long PATIENCE_SECONDS = 90;

    private final MemoryHolding holding;
    private final long most;

    /**
     * @param pool what it shares with the job
     * @param left bytes that it leaves others if they ask for no more
     */
    Hog(MemoryPool pool, long left) {
        holding = pool.hold("hog");
        most = Math.max(0, pool.limit() / 2 - left);
        holding.tryGrow(most);
    }

    private void live() {
        if (holding.revoked().isDone()) {
            holding.shrink(Math.min(holding.bytes(), PIECE));
        } else if (holding.bytes() < most) {
            holding.tryGrow(Math.min(most - holding.bytes(), PIECE / 4));
        }
    }

    /** Waits for somebody whose progress may depend on it. */
    void await(CompletableFuture<?> until) {
        live();
        while (!until.isDone()) {
            CompletableFuture.anyOf(until.handle((_, _) -> true), holding.revoked())
                    .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .join();
            live();
        }
    }

    @Override
    public void close() {
        holding.close();
    }
}
