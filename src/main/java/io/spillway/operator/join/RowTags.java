package io.spillway.operator.join;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;

/** The numbers of rows on disk, in a column before all others: in what order they come out. */
final class RowTags {

    /** In place of the number of a right row that has found a match: it has no place of its own. */
    static final long MATCHED = -1;

    private static final byte EIGHT_VALID = -1;

    private static final ColumnSchema COLUMN =
            new ColumnSchema("row number", new ColumnType.Int(64, true), false);

    private RowTags() {}

    /** Columns with numbers before them. */
    static RowSchema before(RowSchema schema) {
        List<ColumnSchema> columns = new ArrayList<>();
        columns.add(COLUMN);
        columns.addAll(schema.columns());
        return new RowSchema(columns);
    }

    /** The number of each row. */
    @FunctionalInterface
    interface Numbers {
        long of(int row);
    }

    /**
     * A batch with numbers before its columns.
     *
     * @param batch taken over, unless this fails
     */
    static RecordBatch tag(
            RecordBatch batch, RowSchema schema, Numbers numbers, BufferAllocator allocator) {
        int rows = batch.rowCount();
        List<ColumnVector> columns = new ArrayList<>(schema.size());
        try {
            columns.add(column(rows, numbers, allocator));
            for (int i = 0; i < batch.schema().size(); i++) {
                columns.add(batch.column(i).slice(0, rows));
            }
        } catch (Throwable t) {
            columns.forEach(ColumnVector::close);
            throw t;
        }
        batch.close();
        return new RecordBatch(schema, columns, rows);
    }

    private static ColumnVector column(int rows, Numbers numbers, BufferAllocator allocator) {
        BigIntVector vector = new BigIntVector(COLUMN.toArrow(), allocator);
        try {
            vector.allocateNew(rows);
            long to = vector.getDataBufferAddress();
            for (int i = 0; i < rows; i++) {
                OffHeap.putLong(to + (long) Long.BYTES * i, numbers.of(i));
            }
            OffHeap.fill(vector.getValidityBufferAddress(), (rows + 7L) / 8, EIGHT_VALID);
            vector.setValueCount(rows);
            return new ColumnVector.Plain(vector);
        } catch (Throwable t) {
            vector.close();
            throw t;
        }
    }

    /** A batch's columns without the numbers before them; the batch is taken over. */
    static RecordBatch untag(RecordBatch batch, RowSchema schema) {
        try (batch) {
            List<ColumnVector> columns = new ArrayList<>(schema.size());
            for (int i = 1; i < batch.schema().size(); i++) {
                columns.add(batch.column(i).slice(0, batch.rowCount()));
            }
            return new RecordBatch(schema, columns, batch.rowCount());
        }
    }

    /** Where the numbers of a batch's rows begin, 8 bytes each. */
    static long address(RecordBatch batch) {
        return switch (batch.column(0)) {
            case ColumnVector.Plain(BigIntVector numbers) -> numbers.getDataBufferAddress();
            case ColumnVector column ->
                    throw new IllegalArgumentException("numbers in " + column.getClass());
        };
    }
}
