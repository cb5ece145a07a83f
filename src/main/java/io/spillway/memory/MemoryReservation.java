package io.spillway.memory;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Bytes that a {@link MemoryPool} counts for its holder until it is closed. Thread-safe; closing
 * again does nothing.
 */
public final class MemoryReservation implements AutoCloseable {

    private final long bytes;
    private final Runnable giveBack;
    private final AtomicBoolean closed = new AtomicBoolean();

    MemoryReservation(long bytes, Runnable giveBack) {
        this.bytes = bytes;
        this.giveBack = giveBack;
    }

    /** The same bytes, counted at two places. */
    static MemoryReservation both(MemoryReservation one, MemoryReservation other) {
        return new MemoryReservation(
                one.bytes,
                () -> {
                    other.close();
                    one.close();
                });
    }

    public long bytes() {
        return bytes;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            giveBack.run();
        }
    }
}
