package io.spillway.operator;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Gather;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.jspecify.annotations.Nullable;

/**
 * Lists taken apart. What comes out of one batch may be far larger than it: the rows that go out
 * together are first counted, in numbers and bytes, then copied, and the batch that they come from
 * is kept until its last element is out.
 *
 * <pre>
 *   in    a  [1 2]      out   a 1      positions   row 0, element 0
 *         b  []               a 2                  row 0, element 1
 *         c  [3]              c 3                  row 2, element 2
 * </pre>
 *
 * <p>Elements that stand next to each other, as those of whole lists do, are shared, not copied.
 */
final class ExplodeStream implements BatchStream {

    /** Rows of a batch at most. */
    static final int MAX_ROWS = 4_096;

    /** Bytes of a batch, about; a row that has more goes alone. */
    static final long MAX_BYTES = 4L << 20;

    private final ExplodeOperator operator;
    private final BatchStream input;
    private final BufferAllocator allocator;

    private final int[] rows = new int[MAX_ROWS];
    private final int[] elements = new int[MAX_ROWS];
    private @Nullable Lists current;

    /** A batch that is taken apart, and how far that has come. */
    private record Lists(RecordBatch batch, ListVector lists, RowBytes bytes, Position next) {}

    /** The next element: its row, and its place among the row's elements. */
    private static final class Position {
        int row;
        int element;
    }

    ExplodeStream(ExplodeOperator operator, BatchStream input, BufferAllocator allocator) {
        this.operator = operator;
        this.input = input;
        this.allocator = allocator;
    }

    @Override
    public RowSchema schema() {
        return operator.schema();
    }

    @Override
    public Poll<RecordBatch> poll() {
        if (current == null) {
            Poll<RecordBatch> in = input.poll();
            if (!(in instanceof Poll.Output<RecordBatch>(RecordBatch batch))) {
                return in;
            }
            current = open(batch);
        }
        int count = choose(current);
        if (count == 0) {
            drop();
            return Poll.again();
        }
        RecordBatch out = take(current, count);
        if (current.next.row == current.batch.rowCount()) {
            drop();
        }
        return Poll.output(out);
    }

    private Lists open(RecordBatch batch) {
        if (batch.column(operator.column()) instanceof ColumnVector.Plain(ListVector lists)) {
            return new Lists(batch, lists, new RowBytes(batch, operator.column()), new Position());
        }
        batch.close();
        throw new IllegalStateException("the column to explode is no plain list");
    }

    /**
     * Chooses the rows that come out next.
     *
     * @return how many they are; none only at the batch's end
     */
    private int choose(Lists from) {
        FieldVector values = from.lists.getDataVector();
        Position next = from.next;
        int rowCount = from.batch.rowCount();
        int count = 0;
        long bytes = 0;
        for (; next.row < rowCount; next.row++, next.element = 0) {
            int start = RowBytes.offset(from.lists, next.row);
            int length =
                    from.lists.isNull(next.row)
                            ? 0
                            : RowBytes.offset(from.lists, next.row + 1) - start;
            boolean nothing = length == 0;
            if (nothing && !operator.outer()) {
                continue;
            }
            long width = from.bytes.of(next.row);
            for (; next.element < (nothing ? 1 : length); next.element++) {
                int element = nothing ? -1 : start + next.element;
                bytes += width + (nothing ? 0 : RowBytes.of(values, element, element + 1));
                if (count == MAX_ROWS || (count > 0 && bytes > MAX_BYTES)) {
                    return count;
                }
                rows[count] = next.row;
                elements[count++] = element;
            }
        }
        return count;
    }

    private RecordBatch take(Lists from, int count) {
        int width = operator.schema().size();
        List<ColumnVector> columns = new ArrayList<>(width);
        try {
            for (int i = 0; i < width; i++) {
                columns.add(
                        i == operator.column()
                                ? elements(from.lists.getDataVector(), count)
                                : Gather.take(from.batch.column(i), rows, count, allocator));
            }
            return new RecordBatch(operator.schema(), columns, count);
        } catch (Throwable t) {
            columns.forEach(ColumnVector::close);
            throw t;
        }
    }

    private ColumnVector elements(FieldVector values, int count) {
        ColumnVector all = new ColumnVector.Plain(values);
        for (int i = 0; i < count; i++) {
            if (elements[i] != elements[0] + i || elements[i] < 0) {
                return Gather.take(all, elements, count, allocator);
            }
        }
        return all.slice(elements[0], count);
    }

    private void drop() {
        if (current != null) {
            current.batch.close();
            current = null;
        }
    }

    @Override
    public void release() {
        input.release();
    }

    @Override
    public void close() {
        drop();
        input.close();
    }
}
