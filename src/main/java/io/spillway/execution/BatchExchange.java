package io.spillway.execution;

import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Where parallel producers meet one consumer, in order and bounded. Each producer writes to a
 * {@link Slot}; the consumer sees the items of the first slot, then those of the second, and so on,
 * in the order in which the slots were opened.
 *
 * <pre>
 *   producers        slot 7 (head)     slot 8         slot 9         consumer
 *   put ──────────▶ [x][x]            [x][x][x]full  [x]finished ──▶ poll: slot 7, then 8, then 9
 * </pre>
 *
 * Two bounds hold it: at most {@code maxSlots} slots are open, and a producer stops once its slot
 * holds {@code slotBytes} (it may go over by one item). It goes on when half of that was taken, and
 * who waits for a slot does when half of them are free: who has been woken has enough to do then.
 * Items belong to the exchange from {@link Slot#put} until they are polled.
 *
 * <p>Thread-safe for one consumer and any number of producers. Futures complete outside of the
 * lock, in the thread that made room.
 */
public final class BatchExchange<T extends AutoCloseable> implements PollStream<T> {

    private final int maxSlots;
    private final long slotBytes;
    private final ToLongFunction<T> size;

    // Guarded by this.
    private final ArrayDeque<Slot> slots = new ArrayDeque<>();
    private boolean complete;
    private @Nullable Throwable ending;
    private boolean closed;
    private @Nullable CompletableFuture<Void> arrival;
    private @Nullable CompletableFuture<Void> room;

    /**
     * @param maxSlots how many slots may be open
     * @param slotBytes bytes in a slot at which its producer stops
     * @param size bytes that an item holds
     */
    public BatchExchange(int maxSlots, long slotBytes, ToLongFunction<T> size) {
        this.maxSlots = maxSlots;
        this.slotBytes = slotBytes;
        this.size = size;
    }

    /** The place of one producer in the order. One producer at a time. */
    public final class Slot {

        private final ArrayDeque<T> items = new ArrayDeque<>();
        private long bytes;
        private boolean finished;
        private @Nullable Throwable failure;
        private @Nullable CompletableFuture<Void> space;

        private Slot() {}

        /** Hands an item over; if the exchange is closed already, closes it. */
        public void put(T item) {
            CompletableFuture<Void> wake;
            synchronized (BatchExchange.this) {
                if (closed) {
                    wake = null;
                } else {
                    items.add(item);
                    bytes += size.applyAsLong(item);
                    wake = takeArrival(this);
                    item = null;
                }
            }
            if (item != null) {
                Closing.close(item);
            }
            wake(wake);
        }

        /**
         * Null if the producer may go on; else what it must wait for. A closed exchange always has
         * space: items vanish.
         */
        public @Nullable CompletableFuture<?> awaitSpace() {
            synchronized (BatchExchange.this) {
                if (closed || bytes < slotBytes) {
                    return null;
                }
                if (space == null) {
                    space = new CompletableFuture<>();
                }
                return space;
            }
        }

        /** No more items. */
        public void finish() {
            end(null);
        }

        /** The consumer gets the items put so far, then the failure. */
        public void fail(Throwable cause) {
            end(cause);
        }

        private void end(@Nullable Throwable cause) {
            CompletableFuture<Void> wake;
            synchronized (BatchExchange.this) {
                if (finished) {
                    return;
                }
                finished = true;
                failure = cause;
                wake = takeArrival(this);
            }
            wake(wake);
        }
    }

    /**
     * Opens the next slot, or null if as many are open as may be ({@link #awaitRoom}), or the
     * exchange is closed.
     */
    public synchronized @Nullable Slot open() {
        if (closed || complete || slots.size() >= maxSlots) {
            return null;
        }
        Slot slot = new Slot();
        slots.add(slot);
        return slot;
    }

    /**
     * Done if a slot may be opened, or the exchange is closed; else once half of the slots are
     * free.
     */
    public synchronized CompletableFuture<?> awaitRoom() {
        if (closed || slots.size() < maxSlots) {
            return CompletableFuture.completedFuture(null);
        }
        if (room == null) {
            room = new CompletableFuture<>();
        }
        return room;
    }

    /** Has the consumer pull again, though nothing may have come for it. */
    void nudge() {
        CompletableFuture<Void> wake;
        synchronized (this) {
            wake = takeArrival();
        }
        wake(wake);
    }

    /** No more slots will be opened: after the last one the consumer comes to the end. */
    public void complete() {
        complete((Throwable) null);
    }

    /** No more slots will be opened: after the last one the consumer gets the failure. */
    public void fail(Throwable cause) {
        complete(cause);
    }

    private void complete(@Nullable Throwable cause) {
        CompletableFuture<Void> wake;
        synchronized (this) {
            if (complete) {
                return;
            }
            complete = true;
            ending = cause;
            wake = slots.isEmpty() ? takeArrival() : null;
        }
        wake(wake);
    }

    @Override
    public Poll<T> poll() {
        @Nullable Poll<T> answer = null;
        CompletableFuture<Void> wakeRoom = null;
        CompletableFuture<Void> wakeSpace = null;
        @Nullable Throwable failure = null;
        synchronized (this) {
            while (answer == null && failure == null) {
                Slot head = slots.peek();
                if (head == null && ending != null) {
                    failure = ending;
                } else if (head == null) {
                    answer = complete || closed ? Poll.finished() : Poll.blocked(arrival());
                } else if (!head.items.isEmpty()) {
                    T item = head.items.remove();
                    head.bytes -= size.applyAsLong(item);
                    if (head.space != null && head.bytes <= slotBytes / 2) {
                        wakeSpace = head.space;
                        head.space = null;
                    }
                    answer = Poll.output(item);
                } else if (!head.finished) {
                    answer = Poll.blocked(arrival());
                } else if (head.failure != null) {
                    failure = head.failure;
                } else {
                    slots.remove();
                    if (room != null && slots.size() <= maxSlots / 2) {
                        wakeRoom = room;
                        room = null;
                    }
                }
            }
        }
        wake(wakeRoom);
        wake(wakeSpace);
        if (failure != null) {
            throw Failures.asSpillway(failure);
        }
        return Objects.requireNonNull(answer);
    }

    /** Closes all items; producers find space, and what they put is closed. */
    @Override
    public void close() {
        ArrayDeque<Slot> dropped;
        CompletableFuture<Void> wakeRoom;
        CompletableFuture<Void> wakeArrival;
        synchronized (this) {
            closed = true;
            dropped = new ArrayDeque<>(slots);
            slots.clear();
            wakeRoom = room;
            room = null;
            wakeArrival = arrival;
            arrival = null;
        }
        for (Slot slot : dropped) {
            CompletableFuture<Void> wake;
            synchronized (this) {
                wake = slot.space;
                slot.space = null;
            }
            slot.items.forEach(Closing::close);
            slot.items.clear();
            wake(wake);
        }
        wake(wakeRoom);
        wake(wakeArrival);
    }

    private CompletableFuture<Void> arrival() {
        if (arrival == null) {
            arrival = new CompletableFuture<>();
        }
        return arrival;
    }

    /** The consumer's future, if news of this slot is news for the consumer. */
    private @Nullable CompletableFuture<Void> takeArrival(Slot slot) {
        return slots.peek() == slot ? takeArrival() : null;
    }

    private @Nullable CompletableFuture<Void> takeArrival() {
        CompletableFuture<Void> taken = arrival;
        arrival = null;
        return taken;
    }

    /**
     * For a task that ends without having come to its end: its reader must not take a part for the
     * whole.
     */
    static SpillwayException abandoned() {
        return new SpillwayException(ErrorCode.CANCELED, "The work was stopped before its end");
    }

    private static void wake(@Nullable CompletableFuture<Void> future) {
        if (future != null) {
            future.complete(null);
        }
    }
}
