package io.spillway.memory;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A node of the one tree in which all memory for data is accounted: root (the budget) → job.
 *
 * <p><b>Held</b> is what there is: Arrow buffers, by the node's {@link #allocator()}, and what
 * others hold beside them, by {@link #account}. The limit is hard, and who meets it gets {@code
 * MEMORY_LIMIT}.
 *
 * <p>So that nobody meets it midway, holders ask before they hold. One half of each node's limit is
 * for <b>readers</b> ({@link #seat}): what waits for a reader for as long as it takes rows. The
 * other half is for <b>work</b> ({@link #admit}): what decoding takes while it goes on. Work waits,
 * first come first served, until it fits; it always comes to its turn, since work that waits for a
 * reader gives its part back, and {@link #hold holdings} of what can be written to disk give way. A
 * new reader who finds no seat is refused at once; one that has left its seat for a while waits for
 * another ({@link #awaitSeat}).
 *
 * <p>Thread-safe. Closing a node whose buffers are not all freed is an error that Arrow reports
 * with the amount.
 */
public final class MemoryPool implements AutoCloseable {

    private final BufferAllocator allocator;
    private final @Nullable MemoryPool parent;
    private final MemoryGate work;
    private final MemoryGate seats;

    /** Work that waits at any gate of the tree. */
    private final AtomicInteger queued;

    private MemoryPool(BufferAllocator allocator, @Nullable MemoryPool parent) {
        this.allocator = allocator;
        this.parent = parent;
        this.queued = parent == null ? new AtomicInteger() : parent.queued;
        this.work = new MemoryGate(allocator.getLimit() / 2, queued, parent != null);
        this.seats = new MemoryGate(allocator.getLimit() / 2, new AtomicInteger(), false);
    }

    /**
     * The root of a tree.
     *
     * @param budget bytes that the whole tree may hold
     */
    public static MemoryPool root(long budget) {
        return new MemoryPool(new RootAllocator(budget), null);
    }

    /**
     * A node below this one.
     *
     * @param name for messages
     * @param limit bytes that it may hold at most, whatever is free above it
     */
    public MemoryPool child(String name, long limit) {
        return new MemoryPool(
                allocator.newChildAllocator(name, 0, Math.min(limit, allocator.getLimit())), this);
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

    /** Bytes promised now to work of this node and those below it. */
    public long admitted() {
        return work.admitted();
    }

    /**
     * Does any work in the tree wait for memory? Then whoever can do without some gives it back
     * soon.
     */
    public boolean isShort() {
        return queued.get() > 0;
    }

    /** Bytes promised now to readers of this node and those below it. */
    public long seated() {
        return seats.admitted();
    }

    /** Does anybody wait for a seat that would be free if a reader of this node left its own? */
    public boolean wantsSeat() {
        return seats.hasQueue() || (parent != null && parent.wantsSeat());
    }

    /**
     * Counts memory that is not an Arrow buffer as held, until the reservation is closed.
     *
     * @throws SpillwayException {@code MEMORY_LIMIT} if it does not fit; nothing is counted then
     */
    public MemoryReservation account(long bytes) {
        if (!allocator.forceAllocate(bytes)) {
            allocator.releaseBytes(bytes);
            throw tooMuch(bytes, "%s holds %,d".formatted(allocator.getName(), held()), limit());
        }
        return new MemoryReservation(bytes, allocator::releaseBytes);
    }

    /**
     * Asks for memory to work with. The future completes, perhaps at once and perhaps in the thread
     * that gave memory back, with a reservation that the caller must close. Cancelling a future
     * that is not done takes the request back.
     *
     * @param bytes the most that the caller will hold while it keeps the reservation
     * @return failed with {@code MEMORY_LIMIT} if so much can never be had
     */
    public CompletableFuture<MemoryReservation> admit(long bytes) {
        return admit(bytes, false);
    }

    /**
     * Asks, as {@link #admit} does, for memory that the caller will keep while it waits for other
     * work of this node: that of its inputs. Work of this node that can be let in no more beside
     * all that is kept so fails with {@code MEMORY_LIMIT}, and does not wait for ever.
     */
    public CompletableFuture<MemoryReservation> admitStanding(long bytes) {
        return admit(bytes, true);
    }

    private CompletableFuture<MemoryReservation> admit(long bytes, boolean standing) {
        for (MemoryPool node = this; node != null; node = node.parent) {
            if (bytes > node.work.limit()) {
                return CompletableFuture.failedFuture(
                        tooMuch(
                                bytes,
                                "work in " + node.allocator.getName() + " has half of its memory",
                                node.work.limit()));
            }
        }
        CompletableFuture<MemoryReservation> here = work.admit(bytes, standing);
        MemoryPool above = parent;
        return above == null ? here : withParent(here, () -> above.admit(bytes, standing));
    }

    /**
     * An empty holding, for state of work that can be written to disk. It counts as work does, at
     * this node and those above it.
     *
     * @param name for messages
     * @return to be closed by the caller
     */
    public MemoryHolding hold(String name) {
        List<MemoryGate> gates = new ArrayList<>();
        for (MemoryPool node = this; node != null; node = node.parent) {
            gates.add(node.work);
        }
        return new MemoryHolding(name, gates);
    }

    /**
     * Asks for memory to work with, if it is to be had at once.
     *
     * @return to be closed by the caller; null if it is not, or others wait for theirs
     */
    public @Nullable MemoryReservation tryAdmit(long bytes) {
        MemoryReservation own = work.tryAdmit(bytes);
        MemoryPool above = parent;
        if (own == null || above == null) {
            return own;
        }
        MemoryReservation theirs = above.tryAdmit(bytes);
        if (theirs == null) {
            own.close();
            return null;
        }
        return MemoryReservation.both(own, theirs);
    }

    /**
     * Takes a reader in.
     *
     * @param bytes the most that will wait for it while it keeps the reservation
     * @throws SpillwayException {@code TOO_MANY_READERS} if there is no room for it now, {@code
     *     MEMORY_LIMIT} if there never is
     */
    public MemoryReservation seat(long bytes) {
        checkSeat(bytes);
        MemoryReservation own = seats.tryAdmit(bytes);
        if (own == null) {
            throw new SpillwayException(
                            ErrorCode.TOO_MANY_READERS,
                            "There is no memory for one more reader: %,d of %,d bytes are taken"
                                    .formatted(seats.admitted(), seats.limit()))
                    .with(SpillwayException.LIMIT, seats.limit());
        }
        if (parent == null) {
            return own;
        }
        try {
            return MemoryReservation.both(own, parent.seat(bytes));
        } catch (SpillwayException e) {
            own.close();
            throw e;
        }
    }

    /**
     * Checks that a reader could ever be taken in.
     *
     * @throws SpillwayException {@code MEMORY_LIMIT} if not
     */
    public void checkSeat(long bytes) {
        for (MemoryPool node = this; node != null; node = node.parent) {
            if (bytes > node.seats.limit()) {
                throw tooMuch(
                        bytes,
                        "the readers of " + node.allocator.getName() + " have half of its memory",
                        node.seats.limit());
            }
        }
    }

    /**
     * Takes a reader in, as soon as there is room for it. Futures complete as those of {@link
     * #admit}; cancelling one that is not done takes the request back.
     *
     * @param bytes as for {@link #seat}; {@linkplain #checkSeat checked} before
     */
    public CompletableFuture<MemoryReservation> awaitSeat(long bytes) {
        CompletableFuture<MemoryReservation> here = seats.admit(bytes, false);
        MemoryPool above = parent;
        return above == null ? here : withParent(here, () -> above.awaitSeat(bytes));
    }

    /**
     * Goes on above with what was granted here. The step that is under way is cancelled with the
     * answer; what was granted for an answer that nobody wants any more is given back.
     */
    private static CompletableFuture<MemoryReservation> withParent(
            CompletableFuture<MemoryReservation> here,
            Supplier<CompletableFuture<MemoryReservation>> above) {
        CompletableFuture<MemoryReservation> answer = new CompletableFuture<>();
        var _ =
                here.whenComplete(
                        (own, refused) -> {
                            if (own == null) {
                                answer.completeExceptionally(refused);
                                return;
                            }
                            if (answer.isDone()) {
                                own.close();
                                return;
                            }
                            CompletableFuture<MemoryReservation> next = above.get();
                            var _ =
                                    next.whenComplete(
                                            (theirs, failure) -> {
                                                if (theirs == null) {
                                                    own.close();
                                                    answer.completeExceptionally(failure);
                                                    return;
                                                }
                                                MemoryReservation both =
                                                        MemoryReservation.both(own, theirs);
                                                if (!answer.complete(both)) {
                                                    both.close();
                                                }
                                            });
                            cancelWith(answer, next);
                        });
        cancelWith(answer, here);
        return answer;
    }

    private static void cancelWith(CompletableFuture<?> answer, CompletableFuture<?> step) {
        if (!step.isDone()) {
            var _ =
                    answer.whenComplete(
                            (granted, failure) -> {
                                if (failure != null) {
                                    step.cancel(false);
                                }
                            });
        }
    }

    static SpillwayException tooMuch(long bytes, String why, long limit) {
        return new SpillwayException(
                        ErrorCode.MEMORY_LIMIT,
                        "%,d bytes do not fit: %s, of %,d bytes".formatted(bytes, why, limit))
                .with(SpillwayException.LIMIT, limit);
    }

    @Override
    public void close() {
        allocator.close();
    }
}
