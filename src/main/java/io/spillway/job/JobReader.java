package io.spillway.job;

import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.encode.EncodedChunk;
import io.spillway.error.SpillwayException;
import io.spillway.execution.Failures;
import io.spillway.memory.MemoryReservation;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One open reader of a job's rows. Pulled and closed by its consumer, one thread at a time; may be
 * parked and interrupted by anybody.
 *
 * <p>What another reader was given at the same row lately is given to this one, too, as long as it
 * does not read on faster by itself; that takes no seat.
 *
 * <pre>
 *                 place known             seat granted
 *   PLACELESS ───────────────▶ SEATLESS ───────────────▶ READING ──▶ end
 *    waits for the count       waits at the gate          │   │
 *                                  ▲   next pull          │   │ others want its seat
 *                                  ├───────────── PARKED ◀┘   │ and it has had it for a while
 *                                  └──────────────────────────┘
 * </pre>
 *
 * A parked reader holds its position and nothing else. Encoders are functions of rows and
 * positions, so what a reader gives does not depend on how often it was parked. One whose rows come
 * in no order keeps its seat from the first of them on, since they cannot be asked for again.
 */
public final class JobReader implements AutoCloseable {

    /** How long a reader keeps its seat while others want it, be it ever so busy. */
    private static final long TURN_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long NO_TURN = Long.MIN_VALUE;

    /**
     * A reader that comes back sooner reads on by itself, rather than look for what others made.
     */
    private static final long HOT_NANOS = Duration.ofMillis(20).toNanos();

    /** Younger readers have no rate yet. */
    private static final long RATE_NANOS = Duration.ofSeconds(2).toNanos();

    private final RunningJob job;
    private final PartRows rows;
    private final Reading reading;
    private final CompletableFuture<SpillwayException> interruption = new CompletableFuture<>();
    private final long openedAt = System.nanoTime();
    private volatile long next;
    private volatile long lastPulled = openedAt;

    /** The last pull gave nothing yet: the job, or the gate, owes the reader something. */
    private volatile boolean waiting;

    /** Held for a pull, and for parking: whoever parks does not wait for it. */
    private final ReentrantLock lock = new ReentrantLock();

    // Below: guarded by lock.
    private @Nullable CompletableFuture<Void> place;
    private @Nullable CompletableFuture<MemoryReservation> seating;
    private @Nullable CompletableFuture<Void> seatGranted;
    private @Nullable MemoryReservation seat;
    private @Nullable PollStream<EncodedChunk> stream;

    /** When its turn began: with the first rows since it has its seat. */
    private long turnSince = NO_TURN;

    /** When its stream last gave something. */
    private long lastRead;

    private boolean ended;
    private boolean closed;

    /**
     * A reader that has read nothing.
     *
     * @param rows of the job that positions in the reading's view stand for
     * @param seat if it has one already; taken over
     */
    JobReader(RunningJob job, PartRows rows, Reading reading, @Nullable MemoryReservation seat) {
        this.job = job;
        this.rows = rows;
        this.reading = reading;
        this.next = reading.from();
        this.seat = seat;
    }

    /** As {@link PollStream#poll()}. */
    public Poll<EncodedChunk> poll() {
        lock.lock();
        try {
            SpillwayException reason = interruption.getNow(null);
            if (reason != null) {
                throw reason;
            }
            lastPulled = System.nanoTime();
            Poll<EncodedChunk> answer = ended || closed ? Poll.finished() : pull();
            waiting = answer instanceof Poll.Blocked;
            return answer;
        } catch (SpillwayException e) {
            if (stream != null && canLeave() && !rows.reaches(needs())) {
                // What it read from is lost, and is built again: as if it had just come.
                leave();
                waiting = true;
                return Poll.again();
            }
            job.failed(e);
            throw e;
        } finally {
            lock.unlock();
        }
    }

    private Poll<EncodedChunk> pull() {
        if (turnSince != NO_TURN
                && lastPulled - turnSince > TURN_NANOS
                && canLeave()
                && job.pool().wantsSeat()) {
            leave();
        }
        if (stream == null || lastPulled - lastRead > HOT_NANOS) {
            EncodedChunk kept = job.kept(rows, reading, next);
            if (kept != null) {
                giveUpSeating();
                leave();
                handOut(kept);
                return Poll.output(kept);
            }
        }
        CompletableFuture<?> owed = stream == null ? prepare() : null;
        if (owed != null) {
            return Poll.blocked(owed);
        }
        PollStream<EncodedChunk> open = stream;
        if (open == null) {
            open = job.open(rows, reading, next);
            stream = open;
        }
        Poll<EncodedChunk> answer = open.poll();
        if (answer instanceof Poll.Output<EncodedChunk>(EncodedChunk chunk)) {
            if (turnSince == NO_TURN) {
                turnSince = lastPulled;
            }
            lastRead = lastPulled;
            job.keep(rows, reading, next, chunk);
            handOut(chunk);
        } else if (answer instanceof Poll.Finished) {
            ended = true;
            leave();
            job.learned();
        }
        return answer;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // written by the puller alone
    private void handOut(EncodedChunk chunk) {
        next += chunk.rows();
        job.handedOut(chunk.rows());
    }

    /** The row whose place has to be known before it can read on. */
    private long needs() {
        return reading.view().needs(next);
    }

    /** Whether it can give up its stream, and open another one where that was. */
    private boolean canLeave() {
        return reading.view().isOrdered() || next == reading.from();
    }

    /** Null if the stream can be opened; else what to wait for. */
    private @Nullable CompletableFuture<?> prepare() {
        if (seat != null) {
            return null;
        }
        if (seating == null) {
            if (place == null) {
                place = rows.reach(needs());
            }
            if (!place.isDone()) {
                return place;
            }
            joinPlace(place);
            place = null;
            seating = job.awaitSeat(reading);
            // Not in the thread that gave its seat back: it has other things to do than our work.
            seatGranted = seating.thenRunAsync(() -> {}, job.engine().waiting());
        }
        if (!seating.isDone()) {
            return seatGranted;
        }
        seat = seating.join();
        seating = null;
        seatGranted = null;
        job.seats().sat(this);
        return null;
    }

    /** Takes back the wish for a seat. */
    private void giveUpSeating() {
        CompletableFuture<MemoryReservation> wish = seating;
        seating = null;
        seatGranted = null;
        if (wish != null && !wish.cancel(false)) {
            // Granted meanwhile.
            var _ = wish.thenAccept(MemoryReservation::close);
        }
    }

    private static void joinPlace(CompletableFuture<Void> place) {
        try {
            place.join();
        } catch (CompletionException e) {
            throw Failures.asSpillway(e);
        }
    }

    /**
     * Parks the reader if its consumer has not pulled for so long and is not owed anything.
     *
     * @return whether a seat was given back
     */
    boolean park(long idleNanos) {
        if (isIdle(idleNanos) && lock.tryLock()) {
            try {
                return isIdle(idleNanos) && canLeave() && leave();
            } finally {
                lock.unlock();
            }
        }
        return false;
    }

    private boolean isIdle(long nanos) {
        return !waiting && System.nanoTime() - lastPulled >= nanos;
    }

    /** Does somebody wait for the seat that this reader has? */
    boolean isInTheWay() {
        return job.pool().wantsSeat();
    }

    /** Gives back all that a reader has but its row number. Caller holds the lock. */
    private boolean leave() {
        PollStream<EncodedChunk> open = stream;
        stream = null;
        turnSince = NO_TURN;
        if (open != null) {
            open.close();
        }
        MemoryReservation taken = seat;
        seat = null;
        if (taken == null) {
            return false;
        }
        job.seats().left(this);
        taken.close();
        return true;
    }

    /** Makes the next pull fail. The first reason stays. */
    public void interrupt(SpillwayException reason) {
        interruption.complete(reason);
    }

    /** Done when the reader is interrupted: a consumer that waits for rows must pull again then. */
    public CompletableFuture<?> interrupted() {
        return interruption;
    }

    /** Total number of rows of the job, or of the split of it, if it is known by now. */
    public @Nullable Long rowCount() {
        return rows.rowCount();
    }

    PartRows rows() {
        return rows;
    }

    Reading reading() {
        return reading;
    }

    /** Position of the row that comes next. */
    long position() {
        return next;
    }

    /** Seconds until the reader comes to its last row, if it goes on as it has so far. */
    @Nullable Double secondsLeft(long rowCount, long now) {
        long read = next - reading.from();
        long nanos = now - openedAt;
        if (read <= 0 || nanos < RATE_NANOS) {
            return null;
        }
        long end = Math.min(reading.to(), reading.view().end(rowCount));
        return (end - next) * (nanos / 1e9 / read);
    }

    /** Nanoseconds since the consumer last pulled, 0 while it waits for the job. */
    long stalledNanos(long now) {
        return waiting ? 0 : now - lastPulled;
    }

    /** Stops the reader's work; what it holds is freed as soon as the turns under way are over. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            if (place != null) {
                place.cancel(false);
            }
            giveUpSeating();
            leave();
        } finally {
            lock.unlock();
        }
        job.left(this);
    }
}
