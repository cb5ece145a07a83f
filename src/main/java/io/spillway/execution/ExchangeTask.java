package io.spillway.execution;

import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import java.util.concurrent.CompletableFuture;

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

    private final OpenPartition partition;
    private final BatchExchange<RecordBatch>.Slot slot;
    private final Runnable onNews;
    private boolean full;
    private int answers;
    private volatile boolean underWay;
    private volatile boolean waiting;

    /**
     * @param onNews called once the task is under way, and whenever it begins to wait
     */
    ExchangeTask(Partition partition, BatchExchange<RecordBatch>.Slot slot, Runnable onNews) {
        this.partition = new OpenPartition(partition);
        this.slot = slot;
        this.onNews = onNews;
    }

    /** Whether its stream has come past its first batch, or past as much without rows. */
    boolean isUnderWay() {
        return underWay;
    }

    /** Whether it has nothing to do until its partition's input has come. */
    boolean isWaiting() {
        return waiting;
    }

    private void answered(int more) {
        answers += more;
        if (answers >= ANSWERS && !underWay) {
            underWay = true;
            onNews.run();
        }
    }

    private Turn waitFor(CompletableFuture<?> input) {
        if (!input.isDone()) {
            waiting = true;
            onNews.run();
        }
        return new Turn.Blocked(input);
    }

    @Override
    public Turn run() {
        CompletableFuture<?> space = slot.awaitSpace();
        full = space != null;
        if (space != null) {
            return new Turn.Blocked(space);
        }
        waiting = false;
        return switch (partition.poll()) {
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
                answered(partition.isOpen() && until.isDone() ? 1 : 0);
                yield waitFor(until);
            }
            case Poll.Finished<RecordBatch>() -> {
                partition.close();
                slot.finish();
                answered(ANSWERS);
                yield Turn.DONE;
            }
        };
    }

    @Override
    public void idle() {
        // Not while it waits for a disk: then it is not the reader that is idle.
        if (full) {
            partition.release();
        }
    }

    @Override
    public void failed(Throwable cause) {
        partition.close();
        slot.fail(cause);
        answered(ANSWERS);
    }

    @Override
    public void close() {
        partition.close();
        slot.fail(BatchExchange.abandoned());
    }
}
