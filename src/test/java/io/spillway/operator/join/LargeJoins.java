package io.spillway.operator.join;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;

/** Tables of two columns of numbers, computed from the row's number, of any length. */
final class LargeJoins {

    /** In place of a key: null. */
    static final long NULL = Long.MIN_VALUE;

    static final ColumnType LONG = new ColumnType.Int(64, true);

    private LargeJoins() {}

    static RowSchema schema(String prefix) {
        return new RowSchema(
                List.of(
                        new ColumnSchema(prefix + "k", LONG, true),
                        new ColumnSchema(prefix + "v", LONG, true)));
    }

    /** Rows of a key and a value. */
    static BatchStream table(
            String prefix,
            long rows,
            LongUnaryOperator key,
            LongUnaryOperator value,
            int batchRows,
            BufferAllocator allocator) {
        RowSchema schema = schema(prefix);
        return new BatchStream() {

            private long next;

            @Override
            public RowSchema schema() {
                return schema;
            }

            @Override
            public Poll<RecordBatch> poll() {
                if (next == rows) {
                    return Poll.finished();
                }
                int count = (int) Math.min(batchRows, rows - next);
                long first = next;
                next += count;
                return Poll.output(
                        new RecordBatch(
                                schema,
                                List.of(
                                        column(schema.column(0), first, count, key, allocator),
                                        column(schema.column(1), first, count, value, allocator)),
                                count));
            }

            @Override
            public void close() {
                next = rows;
            }
        };
    }

    private static ColumnVector column(
            ColumnSchema column,
            long first,
            int count,
            LongUnaryOperator values,
            BufferAllocator allocator) {
        BigIntVector vector = new BigIntVector(column.toArrow(), allocator);
        vector.allocateNew(count);
        for (int i = 0; i < count; i++) {
            long value = values.applyAsLong(first + i);
            if (value == NULL) {
                vector.setNull(i);
            } else {
                vector.set(i, value);
            }
        }
        vector.setValueCount(count);
        return new ColumnVector.Plain(vector);
    }

    /** A value of a batch, or {@link #NULL}. */
    static long get(RecordBatch batch, int column, int row) {
        return switch (batch.column(column)) {
            case ColumnVector.Plain(BigIntVector vector) ->
                    vector.isNull(row) ? NULL : vector.get(row);
            case ColumnVector.Plain(FieldVector vector) ->
                    throw new AssertionError(vector.getField());
            case ColumnVector.Encoded _ -> throw new AssertionError("encoded");
        };
    }
}
