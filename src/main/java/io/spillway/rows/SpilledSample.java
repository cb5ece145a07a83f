package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.execution.Failures;
import io.spillway.memory.MemoryReservation;
import io.spillway.spill.SpillFile;
import io.spillway.spill.SpillWriter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * So many rows of a stream. Which ones depends on how many there are, so the stream is written to
 * disk first.
 *
 * <pre>
 *   writing ──▶ choosing ──▶ reading
 * </pre>
 */
final class SpilledSample implements BatchStream {

    private final BatchStream input;
    private final SampleChoice choice;
    private final ReadContext context;
    private @Nullable SpillWriter writer;
    private @Nullable SpillFile file;
    private @Nullable CompletableFuture<long[]> choosing;
    private @Nullable MemoryReservation memory;
    private @Nullable BatchStream reading;
    private boolean closed;

    SpilledSample(BatchStream input, SampleChoice choice, ReadContext context) {
        this.input = input;
        this.choice = choice;
        this.context = context;
    }

    @Override
    public RowSchema schema() {
        return input.schema();
    }

    @Override
    public Poll<RecordBatch> poll() {
        if (closed) {
            return Poll.finished();
        }
        if (reading != null) {
            return reading.poll();
        }
        return choosing == null ? write() : chosen(choosing);
    }

    private Poll<RecordBatch> write() {
        SpillWriter open = writer;
        if (open == null) {
            open = context.spill().create(schema());
            writer = open;
        }
        return switch (input.poll()) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                try (batch) {
                    open.append(batch);
                }
                yield Poll.again();
            }
            case Poll.Blocked<RecordBatch> blocked -> blocked;
            case Poll.Finished<RecordBatch>() -> {
                SpillFile whole = open.finish();
                file = whole;
                choose(whole);
                yield Poll.again();
            }
        };
    }

    private void choose(SpillFile whole) {
        if (choice.rows() >= whole.rows()) {
            reading = whole.read(context.pool().allocator());
        } else if (choice.rows() == 0) {
            reading = new EmptyStream(schema());
        } else {
            memory = choice.account(context.pool());
            choosing =
                    CompletableFuture.supplyAsync(
                            () -> choice.choose(whole.rows()), context.waiting());
        }
    }

    private Poll<RecordBatch> chosen(CompletableFuture<long[]> chosen) {
        SpillFile whole = file;
        if (whole == null || !chosen.isDone()) {
            return Poll.blocked(chosen);
        }
        try {
            long[] rows = chosen.join();
            reading =
                    new LimitStream(
                            new PickStream(
                                    whole.read(rows[0], context.pool().allocator()),
                                    rows,
                                    0,
                                    rows.length,
                                    context.pool().allocator()),
                            0,
                            rows.length);
        } catch (CompletionException e) {
            throw Failures.asSpillway(e);
        }
        return Poll.again();
    }

    @Override
    public void release() {
        if (reading != null) {
            reading.release();
        } else if (choosing == null) {
            input.release();
        }
    }

    @Override
    public void close() {
        closed = true;
        input.close();
        if (reading != null) {
            reading.close();
        }
        if (writer != null) {
            writer.close();
        }
        if (file != null) {
            file.close();
        }
        if (memory != null) {
            memory.close();
        }
    }
}
