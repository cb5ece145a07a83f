package io.spillway.job;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.SpillwayException;
import io.spillway.execution.Failures;
import io.spillway.execution.PartitionScheduler.TaskHandle;
import io.spillway.execution.PartitionTask;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a job, in order, as batches: for work that goes on by itself, in the turns and within the
 * memory of the job. It waits for its seat, and keeps that until it is closed, since it takes rows
 * as fast as they come.
 *
 * <p>Pulled and closed by one thread at a time; may be interrupted by anybody.
 */
public final class JobBatches implements PollStream<RecordBatch> {

    private final RunningJob job;
    private final RowSchema schema;
    private final LongFunction<BatchStream> opener;
    private final long bytes;
    private final long besides;
    private final CompletableFuture<SpillwayException> interruption = new CompletableFuture<>();
    private long next;
    private @Nullable CompletableFuture<Void> place;
    private @Nullable CompletableFuture<MemoryReservation> seat;
    private @Nullable BatchStream stream;
    private boolean closed;

    /**
     * Waits for nothing yet.
     *
     * @param schema of the batches
     * @param opener opens the rows from one on
     * @param from number of the first row
     * @param bytes that the seat has
     * @param besides how many of these are the consumer's
     */
    JobBatches(
            RunningJob job,
            RowSchema schema,
            LongFunction<BatchStream> opener,
            long from,
            long bytes,
            long besides) {
        this.job = job;
        this.schema = schema;
        this.opener = opener;
        this.next = from;
        this.bytes = bytes;
        this.besides = besides;
    }

    public RowSchema schema() {
        return schema;
    }

    /** Where what comes of the rows is accounted. */
    public MemoryPool pool() {
        return job.pool();
    }

    /**
     * Hands over the part of the seat that is for what the consumer holds: to be closed by it, when
     * it will, after the rest of the seat perhaps. To be called once there were rows, and once
     * only; else it goes back with the rest.
     */
    public MemoryReservation besides() {
        CompletableFuture<MemoryReservation> granted = seat;
        if (granted == null) {
            throw new IllegalStateException("no seat yet");
        }
        return granted.join().split(besides);
    }

    /**
     * Memory for more that the consumer holds, if it is to be had at once.
     *
     * @return to be closed by the consumer
     * @throws SpillwayException {@code TOO_MANY_READERS} if there is none now, {@code MEMORY_LIMIT}
     *     if there never is
     */
    public MemoryReservation more(long wanted) {
        return job.seats().take(job.pool(), wanted);
    }

    /** Starts work that takes the job's turns. */
    public TaskHandle start(PartitionTask task) {
        return job.start(task);
    }

    /** Number of the row that comes next. */
    public long position() {
        return next;
    }

    @Override
    public Poll<RecordBatch> poll() {
        SpillwayException reason = interruption.getNow(null);
        if (reason != null) {
            throw reason.copy();
        }
        if (closed) {
            return Poll.finished();
        }
        try {
            return pull();
        } catch (SpillwayException e) {
            if (stream != null && !job.source().reaches(next)) {
                // What it read from is lost, and is built again.
                closeStream();
                return Poll.again();
            }
            job.failed(e);
            throw e;
        } catch (CompletionException e) {
            throw Failures.asSpillway(e);
        }
    }

    private Poll<RecordBatch> pull() {
        BatchStream open = stream;
        if (open == null) {
            CompletableFuture<?> owed = prepare();
            if (owed != null) {
                return Poll.blocked(owed);
            }
            open = opener.apply(next);
            stream = open;
        }
        Poll<RecordBatch> answer = open.poll();
        switch (answer) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                next += batch.rowCount();
                job.handedOut(batch.rowCount());
            }
            case Poll.Finished<RecordBatch> _ -> job.learned();
            case Poll.Blocked<RecordBatch> _ -> {}
        }
        return answer;
    }

    /** Null if the stream can be opened; else what to wait for. */
    private @Nullable CompletableFuture<?> prepare() {
        CompletableFuture<Void> reached = place;
        if (reached == null) {
            reached = job.count().reach(next);
            place = reached;
        }
        if (!reached.isDone()) {
            return reached;
        }
        reached.join();
        CompletableFuture<MemoryReservation> asked = seat;
        if (asked == null) {
            asked = job.awaitSeat(bytes);
            seat = asked;
        }
        if (!asked.isDone()) {
            return asked;
        }
        asked.join();
        place = null;
        return null;
    }

    /** Makes the next pull fail. The first reason stays. */
    void interrupt(SpillwayException reason) {
        interruption.complete(reason);
    }

    /** Done, with the reason, when the rows are not to be had any more. */
    public CompletableFuture<SpillwayException> interrupted() {
        return interruption;
    }

    private void closeStream() {
        BatchStream open = stream;
        stream = null;
        if (open != null) {
            open.close();
        }
    }

    /** Batches that were handed out stay with their owners, and the seat goes back. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (place != null) {
            place.cancel(false);
        }
        closeStream();
        CompletableFuture<MemoryReservation> asked = seat;
        if (asked != null && !asked.cancel(false)) {
            var _ = asked.thenAccept(MemoryReservation::close);
        }
        job.left(this);
    }
}
