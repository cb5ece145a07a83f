package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.execution.Failures;
import io.spillway.execution.OrderedPartitions;
import io.spillway.memory.MemoryReservation;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Rows {@code [from, to)} of a sample.
 *
 * <pre>
 *   counting ──▶ choosing ──▶ reading: ranges of the input, in parallel, without what lies between
 * </pre>
 *
 * What was chosen takes eight bytes a row, which are accounted for while the stream is open.
 */
final class SampleStream implements BatchStream {

    private final SampleSource source;
    private final long from;
    private final long to;
    private final ReadContext context;

    /** Whoever wants to know what follows wants to know it of an empty range, too. */
    private final boolean countsAnyway;

    private @Nullable PollStream<CountProgress> counting;
    private @Nullable CompletableFuture<long[]> choosing;
    private @Nullable MemoryReservation memory;
    private @Nullable BatchStream reading;
    private boolean closed;

    SampleStream(SampleSource source, long from, long to, ReadContext context) {
        this.source = source;
        this.from = from;
        this.to = to;
        this.context = context.withEnding(Ending.STOP);
        this.countsAnyway = context.ending() != Ending.STOP;
    }

    @Override
    public RowSchema schema() {
        return source.schema();
    }

    @Override
    public Poll<RecordBatch> poll() {
        if (closed || (from >= to && !countsAnyway)) {
            close();
            return Poll.finished();
        }
        if (reading != null) {
            return reading.poll();
        }
        if (choosing != null) {
            return chosen(choosing);
        }
        if (source.input().rowCount().isEmpty() || !source.input().reaches(Long.MAX_VALUE)) {
            return count();
        }
        long total = source.input().rowCount().getAsLong();
        if (source.choice().rows() >= total) {
            reading = source.input().open(from, to, context);
        } else if (source.choice().rows() == 0) {
            reading = new EmptyStream(schema());
        } else {
            choosing = choose(total);
        }
        return Poll.again();
    }

    private Poll<RecordBatch> count() {
        PollStream<CountProgress> stream = counting;
        if (stream == null) {
            stream = source.input().count(Long.MAX_VALUE, context);
            counting = stream;
        }
        return switch (stream.poll()) {
            case Poll.Output<CountProgress> _ -> Poll.again();
            case Poll.Blocked<CountProgress>(var until) -> Poll.blocked(until);
            case Poll.Finished<CountProgress>() -> {
                stream.close();
                counting = null;
                yield Poll.again();
            }
        };
    }

    private CompletableFuture<long[]> choose(long total) {
        memory = source.choice().account(context.pool());
        return CompletableFuture.supplyAsync(
                () -> source.choice().choose(total), context.waiting());
    }

    private Poll<RecordBatch> chosen(CompletableFuture<long[]> choice) {
        if (!choice.isDone()) {
            return Poll.blocked(choice);
        }
        try {
            long[] rows = choice.join();
            int first = (int) Math.min(from, rows.length);
            int last = (int) Math.min(to, rows.length);
            reading =
                    new OrderedPartitions(
                            schema(),
                            new SampleRanges(source.input(), rows, first, last, context),
                            context.group(),
                            context.parallelism());
        } catch (CompletionException e) {
            throw Failures.asSpillway(e);
        }
        return Poll.again();
    }

    @Override
    public void release() {
        if (reading != null) {
            reading.release();
        } else if (counting != null) {
            counting.release();
        }
    }

    @Override
    public void close() {
        closed = true;
        if (counting != null) {
            counting.close();
            counting = null;
        }
        if (reading != null) {
            reading.close();
            reading = null;
        }
        MemoryReservation held = memory;
        memory = null;
        if (held != null) {
            held.close();
        }
    }
}
