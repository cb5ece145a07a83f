package io.spillway.job;

import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.encode.EncodedChunk;
import io.spillway.error.SpillwayException;
import io.spillway.memory.MemoryReservation;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One open reader of a job's rows. Pulled and closed by its consumer, one thread at a time; may be
 * interrupted by anybody, after which the next pull throws.
 */
public final class JobReader implements AutoCloseable {

    private final RunningJob running;
    private final PollStream<EncodedChunk> stream;
    private final MemoryReservation seat;
    private final CompletableFuture<SpillwayException> interruption = new CompletableFuture<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile long lastTaken = System.nanoTime();
    private volatile boolean waiting;

    /**
     * @param seat what the job's memory has set aside for the reader; given back when it closes
     */
    JobReader(RunningJob running, PollStream<EncodedChunk> stream, MemoryReservation seat) {
        this.seat = seat;
        this.running = running;
        this.stream = stream;
    }

    /** As {@link PollStream#poll()}. */
    public Poll<EncodedChunk> poll() {
        SpillwayException reason = interruption.getNow(null);
        if (reason != null) {
            throw reason;
        }
        Poll<EncodedChunk> answer = stream.poll();
        lastTaken = System.nanoTime();
        // While the job owes the reader rows, it is not the reader that stalls.
        waiting = answer instanceof Poll.Blocked;
        if (answer instanceof Poll.Output<EncodedChunk>(EncodedChunk chunk)) {
            running.counted(chunk.rows());
        }
        return answer;
    }

    /** Makes the next pull fail. The first reason stays. */
    public void interrupt(SpillwayException reason) {
        interruption.complete(reason);
    }

    /** Done when the reader is interrupted: a consumer that waits for rows must pull again then. */
    public CompletableFuture<?> interrupted() {
        return interruption;
    }

    /** Total number of rows of the job, if it is known by now. */
    public @Nullable Long rowCount() {
        return running.rowCount();
    }

    /** Nanoseconds since the consumer last pulled, 0 while it waits for the job. */
    long stalledNanos(long now) {
        return waiting ? 0 : now - lastTaken;
    }

    /** Stops the reader's work; what it holds is freed as soon as the turns under way are over. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            stream.close();
            seat.close();
            running.left(this);
        }
    }
}
