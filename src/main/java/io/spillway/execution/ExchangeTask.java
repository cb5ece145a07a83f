package io.spillway.execution;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.memory.MemoryReservation;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Moves the batches of one partition to its slot: is admitted, opens the stream, and pulls while
 * the slot has space. While its reader is idle it holds neither admission nor buffers, only its
 * row.
 */
final class ExchangeTask implements PartitionTask {

    /** For a task that nobody watches. */
    static final Runnable NOBODY = () -> {};

    /** What a stream has answered by the time that it is under way. */
    private static final int ANSWERS = 4;

    private final Partition partition;
    private final BatchExchange<RecordBatch>.Slot slot;
    private final Runnable onUnderWay;
    private @Nullable CompletableFuture<MemoryReservation> admission;
    private @Nullable BatchStream stream;
    private boolean full;
    private int answers;
    private volatile boolean underWay;

    /**
     * @param onUnderWay called once the task is under way
     */
    ExchangeTask(Partition partition, BatchExchange<RecordBatch>.Slot slot, Runnable onUnderWay) {
        this.partition = partition;
        this.slot = slot;
        this.onUnderWay = onUnderWay;
    }

    /** Whether its stream has come past its first batch, or past as much without rows. */
    boolean isUnderWay() {
        return underWay;
    }

    private void answered(int more) {
        answers += more;
        if (answers >= ANSWERS && !underWay) {
            underWay = true;
            onUnderWay.run();
        }
    }

    @Override
    public Turn run() {
        CompletableFuture<?> space = slot.awaitSpace();
        full = space != null;
        if (space != null) {
            return new Turn.Blocked(space);
        }
        if (admission == null) {
            admission = partition.admit();
        }
        if (!admission.isDone()) {
            return new Turn.Blocked(admission);
        }
        admission.join();
        if (stream == null) {
            stream = partition.open();
        }
        return switch (stream.poll()) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                if (batch.rowCount() == 0) {
                    batch.close();
                } else {
                    slot.put(batch);
                }
                answered(1);
                yield Turn.AGAIN;
            }
            case Poll.Blocked<RecordBatch>(CompletableFuture<?> until) -> {
                answered(until.isDone() ? 1 : 0);
                yield new Turn.Blocked(until);
            }
            case Poll.Finished<RecordBatch>() -> {
                free();
                slot.finish();
                answered(ANSWERS);
                yield Turn.DONE;
            }
        };
    }

    @Override
    public void idle() {
        // Not while it waits for a disk: then it is not the reader that is idle.
        if (full && stream != null) {
            stream.release();
            leave();
        }
    }

    @Override
    public void failed(Throwable cause) {
        free();
        slot.fail(cause);
        answered(ANSWERS);
    }

    @Override
    public void close() {
        free();
        slot.fail(BatchExchange.abandoned());
    }

    private void free() {
        BatchStream open = stream;
        stream = null;
        if (open != null) {
            open.close();
        }
        leave();
    }

    /** Gives the admission back, now or as soon as it is granted. */
    private void leave() {
        CompletableFuture<MemoryReservation> granted = admission;
        admission = null;
        if (granted != null) {
            var _ = granted.thenAccept(MemoryReservation::close);
        }
    }
}
