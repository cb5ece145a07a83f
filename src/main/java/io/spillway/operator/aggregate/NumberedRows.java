package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Gather;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;

/**
 * Rows with their numbers in the operator's input, by which what comes out is put in order. On disk
 * the number is a last column.
 *
 * @param batch of them; stays its owner's
 * @param first number of the first, where the rest follow it
 * @param numbers address of each row's number, or 0 if they follow the first
 */
record NumberedRows(RecordBatch batch, long first, long numbers) {

    private static final ColumnSchema NUMBER =
            new ColumnSchema("row", new ColumnType.Int(Long.SIZE, true), false);

    /** Rows whose last column is their number. */
    static NumberedRows of(RecordBatch batch) {
        return new NumberedRows(batch, 0, address(batch));
    }

    /** Where the numbers are that are a batch's last column. */
    static long address(RecordBatch batch) {
        return batch.column(batch.schema().size() - 1)
                                instanceof ColumnVector.Plain(FieldVector vector)
                        && batch.rowCount() > 0
                ? vector.getDataBuffer().memoryAddress()
                : 0;
    }

    /** The columns of a schema, by names of their own, and the number. */
    static RowSchema schema(RowSchema rows) {
        List<ColumnSchema> columns = new ArrayList<>();
        for (ColumnSchema column : rows.columns()) {
            columns.add(new ColumnSchema("c" + columns.size(), column.type(), column.nullable()));
        }
        columns.add(NUMBER);
        return new RowSchema(columns);
    }

    /** Numbers as a column, which the caller owns. */
    static ColumnVector column(long[] numbers, int count, BufferAllocator allocator) {
        BigIntVector vector = (BigIntVector) NUMBER.toArrow().createVector(allocator);
        try {
            vector.allocateNew(count);
            OffHeap.fill(vector.getValidityBuffer().memoryAddress(), (count + 7L) / 8, (byte) -1);
            long data = vector.getDataBuffer().memoryAddress();
            for (int i = 0; i < count; i++) {
                OffHeap.putLong(data + 8L * i, numbers[i]);
            }
            vector.setValueCount(count);
            return new ColumnVector.Plain(vector);
        } catch (Throwable t) {
            vector.close();
            throw t;
        }
    }

    int count() {
        return batch.rowCount();
    }

    long number(int row) {
        return numbers == 0 ? first + row : OffHeap.getLong(numbers + 8L * row);
    }

    /**
     * A part of the rows.
     *
     * @param slice the same part of the batch
     */
    NumberedRows part(RecordBatch slice, int from) {
        return new NumberedRows(slice, first + from, numbers == 0 ? 0 : numbers + 8L * from);
    }

    /**
     * Some of the rows with their numbers as a last column; the caller owns them.
     *
     * @param schema of the rows, without the number
     * @param rows of which the first {@code count} are taken
     */
    RecordBatch take(RowSchema schema, int[] rows, int count, BufferAllocator allocator) {
        List<ColumnVector> columns = new ArrayList<>(schema.size() + 1);
        try {
            for (int i = 0; i < schema.size(); i++) {
                columns.add(
                        count == batch.rowCount()
                                ? batch.column(i).slice(0, count)
                                : Gather.take(batch.column(i), rows, count, allocator));
            }
            long[] chosen = new long[count];
            for (int i = 0; i < count; i++) {
                chosen[i] = number(rows[i]);
            }
            columns.add(column(chosen, count, allocator));
            return new RecordBatch(schema(schema), columns, count);
        } catch (Throwable t) {
            columns.forEach(ColumnVector::close);
            throw t;
        }
    }

    /** A batch without the numbers that are its last column; the caller owns both. */
    static RecordBatch strip(RecordBatch batch, RowSchema schema) {
        List<ColumnVector> columns = new ArrayList<>(schema.size());
        try {
            for (int i = 0; i < schema.size(); i++) {
                columns.add(batch.column(i).slice(0, batch.rowCount()));
            }
            return new RecordBatch(schema, columns, batch.rowCount());
        } catch (Throwable t) {
            columns.forEach(ColumnVector::close);
            throw t;
        }
    }
}
