package io.spillway.operator;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;

/**
 * Adds each row's number as a last column.
 *
 * @param start the number of the first of all rows
 * @param schema the input's, and a column of 64-bit integers that are never null
 */
public record RowNumbersOperator(long start, RowSchema schema) implements Operator {

    private static final byte EIGHT_VALID = (byte) 0xFF;

    @Override
    public boolean keepsRowCount() {
        return true;
    }

    @Override
    public boolean needsRowNumbers() {
        return true;
    }

    @Override
    public Narrowed narrowed(ColumnSet wanted) {
        int number = schema.size() - 1;
        return new Narrowed(
                wanted.without(number),
                wanted.contains(number)
                        ? List.of(new RowNumbersOperator(start, wanted.of(schema)))
                        : List.of());
    }

    /** The stream fails with {@code ARITHMETIC_OVERFLOW} at a row whose number is over 2^63-1. */
    @Override
    public BatchStream over(BatchStream input, long firstRow, BufferAllocator allocator) {
        return new MapStream(input, schema, new Counter(firstRow, allocator), () -> {});
    }

    private final class Counter implements UnaryOperator<RecordBatch> {

        private final BufferAllocator allocator;
        private long next;

        Counter(long firstRow, BufferAllocator allocator) {
            this.next = firstRow;
            this.allocator = allocator;
        }

        @Override
        public RecordBatch apply(RecordBatch batch) {
            int rows = batch.rowCount();
            List<ColumnVector> columns = new ArrayList<>(schema.size());
            try {
                for (int i = 0; i < batch.schema().size(); i++) {
                    columns.add(batch.column(i).slice(0, rows));
                }
                columns.add(numbers(rows));
                next += rows;
                return new RecordBatch(schema, columns, rows);
            } catch (Throwable t) {
                columns.forEach(ColumnVector::close);
                throw t;
            }
        }

        private ColumnVector numbers(int rows) {
            long first = start + next;
            if (rows > 0 && start > Long.MAX_VALUE - next - (rows - 1)) {
                String name = schema.column(schema.size() - 1).name();
                throw new SpillwayException(
                                ErrorCode.ARITHMETIC_OVERFLOW,
                                "The numbers of rows in column '%s' exceed 64 bits".formatted(name))
                        .with(SpillwayException.COLUMN, name)
                        .with(SpillwayException.ROW, Long.MAX_VALUE - start + 1);
            }
            BigIntVector numbers =
                    new BigIntVector(schema.column(schema.size() - 1).toArrow(), allocator);
            try {
                numbers.allocateNew(rows);
                long to = numbers.getDataBufferAddress();
                for (int i = 0; i < rows; i++) {
                    OffHeap.putLong(to + (long) Long.BYTES * i, first + i);
                }
                long validity = numbers.getValidityBufferAddress();
                for (int i = 0; i < rows; i += Byte.SIZE) {
                    OffHeap.putByte(validity + i / Byte.SIZE, EIGHT_VALID);
                }
                numbers.setValueCount(rows);
                return new ColumnVector.Plain(numbers);
            } catch (Throwable t) {
                numbers.close();
                throw t;
            }
        }
    }
}
