package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Rows {@code [from, to)} of a union. One input is open at a time; when it has come to its end
 * before the range has, its row count is known, and so is where the next one starts.
 */
final class UnionStream implements BatchStream {

    private final UnionSource source;
    private final long from;
    private final long to;
    private final ReadContext context;
    private final Ending ending;

    /** The input that is open, or comes next. */
    private int number;

    /** The number of that input's first row. */
    private long first;

    private @Nullable BatchStream open;
    private boolean finished;

    UnionStream(UnionSource source, long from, long to, ReadContext context) {
        this.source = source;
        this.from = from;
        this.to = to;
        this.context = context;
        this.ending = source.rowCount().isPresent() ? Ending.STOP : context.ending();
    }

    @Override
    public RowSchema schema() {
        return source.schema();
    }

    @Override
    public Poll<RecordBatch> poll() {
        if (finished) {
            return Poll.finished();
        }
        BatchStream input = open;
        if (input == null) {
            if (number == source.inputs().size() || enough()) {
                close();
                return Poll.finished();
            }
            if (passed()) {
                return Poll.again();
            }
            input =
                    source.inputs()
                            .get(number)
                            .open(
                                    Math.max(from - first, 0),
                                    to == Long.MAX_VALUE ? to : Math.max(to - first, 0),
                                    context.withEnding(below()));
            open = input;
        }
        Poll<RecordBatch> answer = input.poll();
        if (!(answer instanceof Poll.Finished)) {
            return answer;
        }
        open = null;
        input.close();
        OptionalLong rows = source.inputs().get(number).rowCount();
        if (rows.isEmpty()) {
            // It stopped before its end, so there is no need of more.
            close();
            return Poll.finished();
        }
        next(rows.getAsLong());
        return Poll.again();
    }

    /** Where an input ends has to be known before the next one can be read. */
    private Ending below() {
        return ending == Ending.STOP ? Ending.COUNT : ending;
    }

    /** Whether nothing is wanted of the rows from the next input on. */
    private boolean enough() {
        return switch (ending) {
            case STOP -> first >= to || from >= to;
            case COUNT -> first >= to;
            case PEEK -> first > to;
        };
    }

    /** Passes an input over that is known to be before the range. */
    private boolean passed() {
        OptionalLong rows = source.inputs().get(number).rowCount();
        if (rows.isPresent() && (rows.getAsLong() == 0 || first + rows.getAsLong() <= from)) {
            next(rows.getAsLong());
            return true;
        }
        return false;
    }

    private void next(long rows) {
        first = Math.addExact(first, rows);
        number++;
    }

    @Override
    public void release() {
        if (open != null) {
            open.release();
        }
    }

    @Override
    public void close() {
        finished = true;
        BatchStream input = open;
        open = null;
        if (input != null) {
            input.close();
        }
    }
}
