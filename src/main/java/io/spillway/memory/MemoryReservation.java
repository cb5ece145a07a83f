package io.spillway.memory;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Bytes that a {@link MemoryPool} counts for its holder until it is closed. Thread-safe; closing
 * again does nothing.
 */
public final class MemoryReservation implements AutoCloseable {

    private final AtomicLong bytes;
    private final LongConsumer giveBack;

    /**
     * @param giveBack takes bytes of it back, all together or part by part
     */
    MemoryReservation(long bytes, LongConsumer giveBack) {
        this.bytes = new AtomicLong(bytes);
        this.giveBack = giveBack;
    }

    /** The same bytes, counted at two places. */
    static MemoryReservation both(MemoryReservation one, MemoryReservation other) {
        return new MemoryReservation(
                one.bytes(),
                bytes -> {
                    other.giveBack.accept(bytes);
                    one.giveBack.accept(bytes);
                });
    }

    /** Bytes that are left of it. */
    public long bytes() {
        return bytes.get();
    }

    /**
     * Makes a part of it a reservation of its own, which the caller closes. Not while this one is
     * being closed.
     *
     * @param part no more than is left
     */
    public MemoryReservation split(long part) {
        if (part < 0 || bytes.getAndUpdate(left -> part > left ? left : left - part) < part) {
            throw new IllegalArgumentException(part + " bytes are more than there are");
        }
        return new MemoryReservation(part, giveBack);
    }

    @Override
    public void close() {
        long left = bytes.getAndSet(0);
        if (left != 0) {
            giveBack.accept(left);
        }
    }
}
