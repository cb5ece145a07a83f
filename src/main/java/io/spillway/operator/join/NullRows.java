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
        RowSchema schema = layout.schema();
        List<ColumnVector> columns = new ArrayList<>(schema.size());
        try {
            add(schema, 0, layout.left().size(), right.rowCount(), columns, allocator);
            addAll(right, columns);
            return new RecordBatch(schema, columns, right.rowCount());
        } catch (Throwable t) {
            columns.forEach(ColumnVector::close);
            throw t;
        }
    }

    private static void addAll(RecordBatch batch, List<ColumnVector> to) {
        for (int i = 0; i < batch.schema().size(); i++) {
            to.add(batch.column(i).slice(0, batch.rowCount()));
        }
    }

    /** Columns {@code [from, to)} of a schema, of nulls. */
    static void add(
            RowSchema schema,
            int from,
            int to,
            int count,
            List<ColumnVector> columns,
            BufferAllocator allocator) {
        int[] none = new int[count];
        Arrays.fill(none, Probe.NONE);
        RowSchema part = new RowSchema(schema.columns().subList(from, to));
        try (RecordBatch nulls =
                new RowGather(part, List.of()).gather(none, none, count, allocator)) {
            addAll(nulls, columns);
        }
    }
}
