package io.spillway.operator.join;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.operator.key.RowGather;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Nulls in place of a side without a match. */
final class NullRows {

    private NullRows() {}

    /** Right rows that come out, which stay the caller's, with nulls on the left. */
    static RecordBatch before(JoinLayout layout, RecordBatch right, BufferAllocator allocator) {
        int count = right.rowCount();
        int width = layout.left().size();
        RowSchema lefts = new RowSchema(layout.schema().columns().subList(0, width));
        int[] none = new int[count];
        Arrays.fill(none, Probe.NONE);
        List<ColumnVector> columns = new ArrayList<>(layout.schema().size());
        try (RecordBatch left =
                new RowGather(lefts, List.of()).gather(none, none, count, allocator)) {
            for (int i = 0; i < width; i++) {
                columns.add(left.column(i).slice(0, count));
            }
            for (int i = 0; i < right.schema().size(); i++) {
                columns.add(right.column(i).slice(0, count));
            }
            return new RecordBatch(layout.schema(), columns, count);
        } catch (Throwable t) {
            columns.forEach(ColumnVector::close);
            throw t;
        }
    }
}
