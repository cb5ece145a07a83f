package io.spillway.job;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * The readers of all jobs that have a seat: memory set aside for what is made ahead of them. A seat
 * is for readers that take rows. One that has taken nothing for a while is parked and its seat goes
 * back; where seats are short, a much shorter while is enough.
 *
 * <p>Thread-safe. Never waits for a reader: one that is being pulled is not idle.
 */
final class Seats {

    /** How long a reader may take nothing and keep its seat. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    /** The same while others want a seat, or memory for work. */
    private static final Duration HURRY = Duration.ofMillis(50);

    private final BooleanSupplier shortage;
    private final Set<JobReader> seated = ConcurrentHashMap.newKeySet();

    /**
     * No seat is taken yet.
     *
     * @param shortage whether work waits for memory, which readers that take nothing may hold
     */
    Seats(BooleanSupplier shortage) {
        this.shortage = shortage;
    }

    /**
     * A seat for a new reader.
     *
     * @throws SpillwayException {@code TOO_MANY_READERS} if all are taken by readers that take rows
     */
    MemoryReservation take(MemoryPool pool, long bytes) {
        try {
            return pool.seat(bytes);
        } catch (SpillwayException e) {
            if (e.code() == ErrorCode.TOO_MANY_READERS && park(HURRY)) {
                return pool.seat(bytes);
            }
            throw e;
        }
    }

    /** A seat for a reader that was let in before, as soon as there is one. */
    CompletableFuture<MemoryReservation> await(MemoryPool pool, long bytes) {
        CompletableFuture<MemoryReservation> seat = pool.awaitSeat(bytes);
        if (!seat.isDone()) {
            park(HURRY);
        }
        return seat;
    }

    void sat(JobReader reader) {
        seated.add(reader);
    }

    void left(JobReader reader) {
        seated.remove(reader);
    }

    /** Parks readers that have been idle for long, or not so long if somebody waits. */
    void sweep() {
        boolean hurry = shortage.getAsBoolean() || seated.stream().anyMatch(JobReader::isInTheWay);
        park(hurry ? HURRY : PATIENCE);
    }

    /** Parks readers that are idle; whether there were any. */
    private boolean park(Duration patience) {
        boolean any = false;
        for (JobReader reader : seated) {
            any |= reader.park(patience.toNanos());
        }
        return any;
    }

    int count() {
        return seated.size();
    }
}
