package io.spillway.operator.join;

import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.memory.MemoryHolding;
import io.spillway.operator.partition.PartitionFiles;
import java.util.concurrent.CompletableFuture;

/** Spreads a stream's rows over files; gives the files, once. */
final class Partitioning implements PollStream<PartitionFiles> {

    private final PollStream<RecordBatch> input;
    private final SideWriter writer;
    private final MemoryHolding holding;
    private boolean finished;

    /** Takes over the input and the writer. */
    Partitioning(PollStream<RecordBatch> input, SideWriter writer, MemoryHolding holding) {
        this.input = input;
        this.writer = writer;
        this.holding = holding;
    }

    @Override
    public Poll<PartitionFiles> poll() {
        if (finished) {
            return Poll.finished();
        }
        boolean asked = holding.revoked().isDone();
        if (asked) {
            writer.shrink();
        }
        return switch (input.poll()) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                boolean added = false;
                try {
                    writer.add(batch);
                    added = true;
                } finally {
                    if (!added) {
                        batch.close();
                    }
                }
                yield Poll.again();
            }
            case Poll.Blocked<RecordBatch>(CompletableFuture<?> until) -> {
                if (until.isDone()) {
                    yield Poll.blocked(until);
                }
                if (asked) {
                    // What is still there stays while others are waited for.
                    holding.decline();
                }
                yield Poll.blocked(CompletableFuture.anyOf(until, holding.revoked()));
            }
            case Poll.Finished<RecordBatch>() -> {
                finished = true;
                PartitionFiles files = writer.finish();
                close();
                yield Poll.output(files);
            }
        };
    }

    @Override
    public void release() {
        input.release();
    }

    @Override
    public void close() {
        writer.close();
        input.close();
    }
}
