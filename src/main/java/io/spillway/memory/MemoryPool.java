package io.spillway.memory;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A node of the one tree in which all memory for data is accounted: root (the budget) → job →
 * reader.
 *
 * <p>Two things are counted. <b>Held</b>: Arrow buffers, by the node's {@link #allocator()}, and
 * what others hold beside them, by {@link #account}; the limit is hard, and who meets it gets
 * {@code MEMORY_LIMIT}. <b>Admitted</b>: what those who are about to hold said they will need at
 * most ({@link #admit}); they wait, first come first served, until the sum of all that were let in
 * fits the root's limit. So work waits for memory before it starts and does not fail for it midway;
 * producers of batches never ask, holders do.
 *
 * <p>Thread-safe. Closing a node whose buffers are not all freed is an error that Arrow reports
 * with the amount.
 */
public final class MemoryPool implements AutoCloseable {

    private final BufferAllocator allocator;
    private final Gate gate;

    private MemoryPool(BufferAllocator allocator, Gate gate) {
        this.allocator = allocator;
        this.gate = gate;
    }

    /**
     * The root of a tree.
     *
     * @param budget bytes that the whole tree may hold
     */
    public static MemoryPool root(long budget) {
        return new MemoryPool(new RootAllocator(budget), new Gate(budget));
    }

    /**
     * A node below this one.
     *
     * @param name for messages and metrics
     * @param limit bytes that it may hold at most, whatever is free above it
     */
    public MemoryPool child(String name, long limit) {
        return new MemoryPool(allocator.newChildAllocator(name, 0, limit), gate);
    }

    /** For Arrow buffers that belong to this node. */
    public BufferAllocator allocator() {
        return allocator;
    }

    /** Bytes held now by this node and those below it. */
    public long held() {
        return allocator.getAllocatedMemory();
    }

    /** The most that was ever held. */
    public long peak() {
        return allocator.getPeakMemoryAllocation();
    }

    public long limit() {
        return allocator.getLimit();
    }

    /** Bytes admitted now, over the whole tree. */
    public long admitted() {
        return gate.admitted();
    }

    /**
     * Counts memory that is not an Arrow buffer as held, until the reservation is closed.
     *
     * @throws SpillwayException {@code MEMORY_LIMIT} if it does not fit; nothing is counted then
     */
    public MemoryReservation account(long bytes) {
        if (!allocator.forceAllocate(bytes)) {
            allocator.releaseBytes(bytes);
            throw exceeded(bytes);
        }
        return new MemoryReservation(bytes, () -> allocator.releaseBytes(bytes));
    }

    /**
     * Asks to be let in. The future completes, perhaps at once and perhaps in the thread that gave
     * memory back, with a reservation that the caller must close; cancelling a future that is not
     * done takes the request back.
     *
     * @param bytes the most that the caller will hold while it keeps the reservation
     * @return failed with {@code MEMORY_LIMIT} if so much can never be had
     */
    public CompletableFuture<MemoryReservation> admit(long bytes) {
        if (bytes > Math.min(gate.limit, allocator.getLimit())) {
            return CompletableFuture.failedFuture(exceeded(bytes));
        }
        return gate.admit(bytes);
    }

    private SpillwayException exceeded(long bytes) {
        return new SpillwayException(
                        ErrorCode.MEMORY_LIMIT,
                        "%,d bytes do not fit: %s holds %,d of %,d"
                                .formatted(
                                        bytes,
                                        allocator.getName(),
                                        held(),
                                        Math.min(gate.limit, limit())))
                .with(SpillwayException.LIMIT, Math.min(gate.limit, limit()));
    }

    @Override
    public void close() {
        allocator.close();
    }

    /** Admission to the tree: a counter with a queue. */
    private static final class Gate {

        private record Request(long bytes, CompletableFuture<MemoryReservation> answer) {}

        private final long limit;
        private long admitted;
        private final ArrayDeque<Request> waiting = new ArrayDeque<>();

        Gate(long limit) {
            this.limit = limit;
        }

        synchronized long admitted() {
            return admitted;
        }

        CompletableFuture<MemoryReservation> admit(long bytes) {
            CompletableFuture<MemoryReservation> answer = new CompletableFuture<>();
            synchronized (this) {
                waiting.add(new Request(bytes, answer));
            }
            serve(0);
            return answer;
        }

        /**
         * Takes {@code freed} bytes back and lets in whoever fits now; completes futures outside
         * the lock.
         */
        private void serve(long freed) {
            List<Request> let = new ArrayList<>();
            synchronized (this) {
                admitted -= freed;
                for (Iterator<Request> it = waiting.iterator(); it.hasNext(); ) {
                    Request r = it.next();
                    if (r.answer.isDone()) {
                        it.remove();
                        continue;
                    }
                    if (admitted + r.bytes > limit) {
                        break;
                    }
                    it.remove();
                    admitted += r.bytes;
                    let.add(r);
                }
            }
            for (Request r : let) {
                MemoryReservation granted = new MemoryReservation(r.bytes, () -> serve(r.bytes));
                if (!r.answer.complete(granted)) {
                    granted.close();
                }
            }
        }
    }
}
