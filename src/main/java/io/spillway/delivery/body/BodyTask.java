package io.spillway.delivery.body;

import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.execution.Failures;
import io.spillway.execution.PartitionScheduler.TaskHandle;
import io.spillway.execution.PartitionTask;
import io.spillway.group.Cut;
import io.spillway.job.JobBatches;
import io.spillway.plan.document.BodyFormat;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads a job's rows once, from where the first body of a queue begins, and makes the bodies of the
 * queue one behind the other; ends when nothing more is asked for, for good or for a while.
 *
 * <p>Memory for a body is asked for before it is made. The first one's comes with the seat of the
 * rows; if there is none at once for one that follows, the rows are given up, and whoever goes on
 * waits for both together: so nobody waits for one of them while keeping others from it.
 */
final class BodyTask implements PartitionTask {

    /** Steps a turn. Each of them makes a few hundred kilobytes at most. */
    private static final int STEPS = 4;

    /** Told what came of it; must not wait. */
    interface Owner {

        /** A body is made, or there is none. */
        void made(BodyRequest request, BodyRead read);

        /**
         * The reading has ended, all it held is free.
         *
         * @param failure why it could not go on; null if it may
         * @param besides bytes of memory for its first body that one who goes on should ask for
         */
        void ended(BodyQueue queue, @Nullable SpillwayException failure, long besides);
    }

    private final Owner owner;
    private final BodyForm form;
    private final @Nullable Links links;
    private final BodyQueue queue;
    private final JobBatches batches;
    private final Slots slots;
    private volatile @Nullable SpillwayException failure;

    // Guarded by this.
    private @Nullable TaskHandle handle;
    private boolean stopped;

    /** Bytes for a body before it is known what it needs. */
    private final long least;

    private long besides;
    private boolean tookBesides;
    private @Nullable BodyRequest current;
    private @Nullable BodyWriter writer;
    private @Nullable Allowance memory;
    private @Nullable RecordBatch batch;

    /** The first row of the batch that is in no body yet, and its number. */
    private int at;

    private long next;

    /**
     * Takes over the rows.
     *
     * @param batches from the first row of the queue's first body on, with memory for that
     * @param least bytes to ask for, for each body, before it is known what it needs
     */
    BodyTask(
            Owner owner,
            BodyForm form,
            @Nullable Links links,
            BodyQueue queue,
            JobBatches batches,
            long least) {
        this.owner = owner;
        this.form = form;
        this.links = links;
        this.queue = queue;
        this.batches = batches;
        this.least = least;
        this.besides = least;
        this.next = batches.position();
        this.slots = new Slots(form, batches.pool().allocator());
    }

    /** Makes it end with a reason. */
    void interrupt(SpillwayException reason) {
        if (failure == null) {
            failure = reason;
        }
        stop();
    }

    /** It has been started, and may have ended already. */
    void started(TaskHandle own) {
        boolean cancel;
        synchronized (this) {
            handle = own;
            cancel = stopped;
        }
        if (cancel) {
            own.cancel();
        }
    }

    /** Makes it end soon, before it starts even. */
    void stop() {
        TaskHandle own;
        synchronized (this) {
            stopped = true;
            own = handle;
        }
        if (own != null) {
            own.cancel();
        }
    }

    @Override
    public Turn run() {
        for (int step = 0; step < STEPS; step++) {
            Turn turn = step();
            if (!(turn instanceof Turn.Again)) {
                return turn;
            }
        }
        return Turn.AGAIN;
    }

    private Turn step() {
        BodyRequest request = current;
        BodyWriter open = writer;
        if (request == null || open == null) {
            return begin();
        }
        if (request.answer().isDone()) {
            return Turn.DONE;
        }
        if (open.isComplete()) {
            end(request, open);
            return Turn.AGAIN;
        }
        RecordBatch rows = batch;
        if (rows == null) {
            return poll(request, open);
        }
        if (!hasMemory(open, open.need(rows))) {
            return Turn.DONE;
        }
        int count = open.add(rows, next - at, at, rows.rowCount());
        at += count;
        next += count;
        if (at == rows.rowCount()) {
            closeBatch();
        }
        return Turn.AGAIN;
    }

    private Turn begin() {
        BodyRequest request = queue.first();
        if (request == null) {
            return queue.isEnded() ? Turn.DONE : new Turn.Blocked(queue.changed());
        }
        Rows rows = new Rows(request.firstRow(), request.caps());
        BodyWriter made =
                form.format() == BodyFormat.ARROW
                        ? new ArrowBody(form.contentType(), batches.pool().allocator(), rows)
                        : new TextBody(form, links, slots, rows);
        SpillwayException spoilt = request.spoilt();
        if (spoilt != null) {
            made.spoil(spoilt);
        }
        current = request;
        writer = made;
        return Turn.AGAIN;
    }

    private Turn poll(BodyRequest request, BodyWriter open) {
        return switch (batches.poll()) {
            case Poll.Output<RecordBatch>(RecordBatch rows) -> {
                batch = rows;
                at = 0;
                if (rows.rowCount() == 0) {
                    closeBatch();
                }
                yield Turn.AGAIN;
            }
            case Poll.Blocked<RecordBatch>(CompletableFuture<?> until) -> new Turn.Blocked(until);
            case Poll.Finished<RecordBatch>() -> {
                end(request, open);
                yield Turn.AGAIN;
            }
        };
    }

    /** Asks for what is missing; false if that is not to be had now. */
    private boolean hasMemory(BodyWriter open, long need) {
        try {
            Allowance allowed = memory;
            if (allowed == null) {
                allowed = new Allowance();
                memory = allowed;
                if (!tookBesides) {
                    tookBesides = true;
                    allowed.add(batches.besides());
                }
            }
            long missing = need - allowed.bytes();
            if (missing > 0) {
                allowed.add(batches.more(Math.max(missing, least)));
            }
            return true;
        } catch (SpillwayException e) {
            if (e.code() == ErrorCode.TOO_MANY_READERS) {
                besides = need + least;
                return false;
            }
            open.spoil(e);
            return true;
        }
    }

    /** The batch has ended. */
    private void end(BodyRequest request, BodyWriter open) {
        Cut cut = open.cut();
        Allowance allowed = memory == null ? new Allowance() : memory;
        boolean isShort = !open.isComplete();
        SpillwayException spoilt = open.spoilt();
        BodyRead read;
        if (cut == null || (isShort && request.dropLast())) {
            read = new NoRows();
        } else if (spoilt != null) {
            read = new BadBody(cut, spoilt);
        } else {
            read = finish(open, cut, allowed);
        }
        memory = null;
        current = null;
        writer = null;
        if (!(read instanceof Body)) {
            open.close();
            allowed.close();
        }
        queue.made(request, cut == null ? request.firstRow() : cut.end());
        owner.made(request, read);
    }

    private static BodyRead finish(BodyWriter open, Cut cut, Allowance allowed) {
        try {
            return open.finish(cut, allowed);
        } catch (SpillwayException e) {
            return new BadBody(cut, e);
        }
    }

    private void closeBatch() {
        RecordBatch open = batch;
        batch = null;
        slots.forget();
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void idle() {
        queue.releaseIfEmpty();
    }

    @Override
    public void failed(Throwable cause) {
        failure = Failures.asSpillway(cause);
    }

    @Override
    public void close() {
        closeBatch();
        BodyWriter open = writer;
        if (open != null) {
            open.close();
        }
        Allowance allowed = memory;
        if (allowed != null) {
            allowed.close();
        }
        batches.close();
        owner.ended(queue, failure, besides);
    }
}
