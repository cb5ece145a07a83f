package io.spillway.operator.join;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Gather;
import io.spillway.expression.Selection;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** Left rows that have matches, or those that have none, in their order. */
final class RowsInOrder implements PollStream<RecordBatch> {

    private final RowSchema schema;
    private final boolean wanted;
    private final BatchStream lefts;
    private final MatchCursor matches;
    private final BufferAllocator allocator;
    private @Nullable RecordBatch left;

    /** The number of the left batch's first row, and of the one after its last. */
    private long first;

    private long next;

    /** Rows of the left batch that have a match. */
    private long[] found = new long[0];

    /**
     * Takes over the streams.
     *
     * @param schema of what comes out: the left rows' columns, by its own names
     * @param wanted whether rows with matches come out, or those without
     * @param lefts left rows, numbered from 0
     * @param matches numbers of left rows, ascending, each any number of times
     */
    RowsInOrder(
            RowSchema schema,
            boolean wanted,
            BatchStream lefts,
            PollStream<RecordBatch> matches,
            BufferAllocator allocator) {
        this.schema = schema;
        this.wanted = wanted;
        this.lefts = lefts;
        this.matches = new MatchCursor(matches);
        this.allocator = allocator;
    }

    @Override
    public Poll<RecordBatch> poll() {
        if (!matches.load()) {
            return Poll.again();
        }
        RecordBatch now = left;
        if (now == null) {
            now = matches.isEnded() && wanted ? null : SpillReads.next(lefts);
            if (now == null) {
                return Poll.finished();
            }
            left = now;
            first = next;
            next += now.rowCount();
            found = new long[(now.rowCount() + Long.SIZE - 1) / Long.SIZE];
        }
        if (!matches.isEnded() && !mark()) {
            return Poll.again();
        }
        left = null;
        try (RecordBatch done = now) {
            RecordBatch out = rows(done);
            return out == null ? Poll.again() : Poll.output(out);
        }
    }

    /** Marks the rows of the matches that are loaded; false if more of them may have some. */
    private boolean mark() {
        int end = matches.batch().rowCount();
        int at = matches.row();
        while (at < end && matches.number(at) < next) {
            int row = (int) (matches.number(at++) - first);
            found[row >>> 6] |= 1L << row;
        }
        matches.moveTo(at);
        return at < end;
    }

    private @Nullable RecordBatch rows(RecordBatch now) {
        int rows = now.rowCount();
        if (!wanted) {
            for (int i = 0; i < found.length; i++) {
                found[i] = ~found[i];
            }
            if (rows % Long.SIZE != 0) {
                found[found.length - 1] &= (1L << rows) - 1;
            }
        }
        Selection chosen = Selection.of(found, rows);
        if (chosen.count() == 0) {
            return null;
        }
        List<ColumnVector> columns = new ArrayList<>(schema.size());
        try {
            for (int i = 0; i < schema.size(); i++) {
                columns.add(Gather.gather(now.column(i), chosen, allocator));
            }
            return new RecordBatch(schema, columns, chosen.count());
        } catch (Throwable t) {
            columns.forEach(ColumnVector::close);
            throw t;
        }
    }

    @Override
    public void close() {
        RecordBatch last = left;
        left = null;
        if (last != null) {
            last.close();
        }
        lefts.close();
        matches.close();
    }
}
