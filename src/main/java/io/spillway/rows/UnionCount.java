package io.spillway.rows;

import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Counts the inputs of a union, one after the other, as far as it takes. */
final class UnionCount implements PollStream<CountProgress> {

    private final UnionSource source;
    private final long upTo;
    private final ReadContext context;

    /** The input that is counted, or comes next, and the number of its first row. */
    private int number;

    private long first;
    private @Nullable PollStream<CountProgress> counting;
    private boolean finished;

    UnionCount(UnionSource source, long upTo, ReadContext context) {
        this.source = source;
        this.upTo = upTo;
        this.context = context;
    }

    @Override
    public Poll<CountProgress> poll() {
        if (finished || number == source.inputs().size()) {
            close();
            return Poll.finished();
        }
        RowSource input = source.inputs().get(number);
        PollStream<CountProgress> stream = counting;
        if (stream == null) {
            stream = input.count(upTo == Long.MAX_VALUE ? upTo : upTo - first, context);
            counting = stream;
        }
        return switch (stream.poll()) {
            case Poll.Output<CountProgress> _ ->
                    Poll.output(new CountProgress(source.rowsPlaced(), source.partitionsCounted()));
            case Poll.Blocked<CountProgress> blocked -> blocked;
            case Poll.Finished<CountProgress>() -> {
                stream.close();
                counting = null;
                next(input.rowCount());
                yield Poll.again();
            }
        };
    }

    /** Goes on behind an input, if that has been counted to its end and more is wanted. */
    private void next(OptionalLong rows) {
        if (rows.isEmpty() || rows.getAsLong() >= upTo - first) {
            finished = true;
        } else {
            first = Math.addExact(first, rows.getAsLong());
            number++;
        }
    }

    @Override
    public void release() {
        if (counting != null) {
            counting.release();
        }
    }

    @Override
    public void close() {
        finished = true;
        PollStream<CountProgress> open = counting;
        counting = null;
        if (open != null) {
            open.close();
        }
    }
}
