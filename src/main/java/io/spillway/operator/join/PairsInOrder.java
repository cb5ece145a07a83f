package io.spillway.operator.join;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Gather;
import io.spillway.operator.RowBytes;
import io.spillway.operator.partition.SpillReads;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Left rows beside their matches, both of which come in the left rows' order: what comes out of a
 * join of pairs, in that order.
 *
 * <pre>
 *   left      0   1   2   3 …         out   0 a    1 –    2 b    2 c    …
 *   matches   0 a   2 b   2 c …             ("1 –" if rows without a match come out)
 * </pre>
 *
 * Where all of some neighbours come out once each, their columns are shared, not copied.
 */
final class PairsInOrder implements PollStream<RecordBatch> {

    private final RowSchema schema;
    private final boolean withoutMatch;
    private final BatchStream lefts;
    private final MatchCursor matches;
    private final BatchLimit size;
    private final BufferAllocator allocator;
    private final int[] leftOf;
    private final int[] rightOf;
    private @Nullable RecordBatch left;

    /** What the left batch's rows take: where one has many matches, its columns are repeated. */
    private @Nullable RowBytes leftBytes;

    /** The number of the left batch's first row, and of the one after its last. */
    private long first;

    private long next;

    /** The row of the left batch that the next match may be of, and whether it had any before. */
    private int row;

    private boolean matched;

    /**
     * Takes over the streams.
     *
     * @param lefts left rows, numbered from 0
     * @param matches numbers of left rows, ascending, then right columns
     */
    PairsInOrder(
            JoinLayout layout,
            BatchStream lefts,
            PollStream<RecordBatch> matches,
            BatchLimit size,
            BufferAllocator allocator) {
        this.schema = layout.schema();
        this.withoutMatch = layout.type().keepsLeft();
        this.lefts = lefts;
        this.matches = new MatchCursor(matches);
        this.size = size;
        this.allocator = allocator;
        this.leftOf = new int[size.rows()];
        this.rightOf = new int[size.rows()];
    }

    @Override
    public Poll<RecordBatch> poll() {
        if (!matches.load()) {
            return Poll.again();
        }
        RecordBatch now = left;
        if (now == null) {
            now = matches.isEnded() && !withoutMatch ? null : SpillReads.next(lefts);
            if (now == null) {
                return Poll.finished();
            }
            begin(now);
        }
        int count = matches.isEnded() ? fillWithout(now) : fill(now);
        RecordBatch out = count == 0 ? null : batch(now, count);
        if (row == now.rowCount()) {
            left = null;
            now.close();
        }
        return out == null ? Poll.again() : Poll.output(out);
    }

    private void begin(RecordBatch batch) {
        left = batch;
        leftBytes = new RowBytes(batch, RowBytes.NONE);
        first = next;
        next += batch.rowCount();
        row = 0;
        matched = false;
    }

    /** Pairs up to the end of what is loaded of either side. */
    private int fill(RecordBatch now) {
        int rows = now.rowCount();
        int end = matches.batch().rowCount();
        int at = matches.row();
        int count = 0;
        long room = size.bytes();
        RowBytes bytes = Objects.requireNonNull(leftBytes);
        while (row < rows && at < end && count < leftOf.length && room > 0) {
            if (!matched) {
                int most = Math.min(leftOf.length - count, Math.min(rows - row, end - at));
                int each = onceEach(at, count, most);
                if (each > 0) {
                    // The last of them may have more matches.
                    row += each - 1;
                    at += each;
                    count += each;
                    matched = true;
                    continue;
                }
            }
            int of = (int) Math.min(rows, matches.number(at) - first);
            if (of == row) {
                leftOf[count] = row;
                rightOf[count++] = at++;
                room -= matched ? bytes.of(row) : 0;
                matched = true;
            } else if (withoutMatch && !matched) {
                leftOf[count] = row++;
                rightOf[count++] = Probe.NONE;
            } else {
                row = withoutMatch ? row + 1 : of;
                matched = false;
            }
        }
        matches.moveTo(at);
        return count;
    }

    /** Pairs neighbours that have a match each; returns how many these are. */
    private int onceEach(int at, int count, int most) {
        int each = 0;
        for (; each < most && matches.number(at + each) - first == row + each; each++) {
            leftOf[count + each] = row + each;
            rightOf[count + each] = at + each;
        }
        return each;
    }

    /** There are no more matches. */
    private int fillWithout(RecordBatch now) {
        int rows = now.rowCount();
        if (matched) {
            matched = false;
            row++;
        }
        if (!withoutMatch) {
            row = rows;
        }
        int count = 0;
        for (; row < rows && count < leftOf.length; row++) {
            leftOf[count] = row;
            rightOf[count++] = Probe.NONE;
        }
        return count;
    }

    private RecordBatch batch(RecordBatch now, int count) {
        List<ColumnVector> columns = new ArrayList<>(schema.size());
        try {
            boolean leftRun = isRun(leftOf, count);
            for (int i = 0; i < now.schema().size(); i++) {
                columns.add(take(now.column(i), leftOf, leftRun, count));
            }
            if (matches.isEnded()) {
                NullRows.add(schema, columns.size(), schema.size(), count, columns, allocator);
            } else {
                RecordBatch rights = matches.batch();
                boolean rightRun = isRun(rightOf, count);
                for (int i = 1; i < rights.schema().size(); i++) {
                    columns.add(take(rights.column(i), rightOf, rightRun, count));
                }
            }
            return new RecordBatch(schema, columns, count);
        } catch (Throwable t) {
            columns.forEach(ColumnVector::close);
            throw t;
        }
    }

    private ColumnVector take(ColumnVector column, int[] rows, boolean run, int count) {
        return run ? column.slice(rows[0], count) : Gather.take(column, rows, count, allocator);
    }

    /** Are they neighbours, each once? */
    private static boolean isRun(int[] rows, int count) {
        for (int i = 0; i < count; i++) {
            if (rows[i] != rows[0] + i || rows[i] < 0) {
                return false;
            }
        }
        return true;
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
