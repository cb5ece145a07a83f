package io.spillway.operator.aggregate;

import io.spillway.memory.MemoryHolding;
import io.spillway.memory.StateMemory;
import java.util.concurrent.CompletableFuture;

/**
 * A holding on top of a first amount that is had in any case, so that work goes on, if slowly, when
 * the holding cannot grow at all.
 */
final class FlooredMemory implements StateMemory {

    private final long floor;
    private final MemoryHolding holding;
    private long used;

    /**
     * @param floor bytes that are taken before the holding is asked; reserved by the caller
     * @param holding stays the caller's
     */
    FlooredMemory(long floor, MemoryHolding holding) {
        this.floor = floor;
        this.holding = holding;
    }

    @Override
    public boolean tryGrow(long bytes) {
        long more = beyond(used + bytes) - beyond(used);
        if (more > 0 && !holding.tryGrow(more)) {
            return false;
        }
        used += bytes;
        return true;
    }

    @Override
    public void shrink(long bytes) {
        long less = beyond(used) - beyond(used - bytes);
        used -= bytes;
        if (less > 0) {
            holding.shrink(less);
        }
    }

    private long beyond(long bytes) {
        return Math.max(0, bytes - floor);
    }

    /** Done when the holding should give way. */
    CompletableFuture<?> revoked() {
        return holding.revoked();
    }

    /** Answers a call to give way when there is nothing more to give. */
    void answer() {
        holding.decline();
    }

    /** Bytes above the first amount. */
    long held() {
        return beyond(used);
    }
}
