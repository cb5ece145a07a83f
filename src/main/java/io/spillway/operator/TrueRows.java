package io.spillway.operator;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Keeps the rows for which a column, the only one and without nulls, is true: of them nothing is
 * left but their number.
 */
public record TrueRows() implements Operator {

    private static final RowSchema NO_COLUMNS = new RowSchema(List.of());

    @Override
    public RowSchema schema() {
        return NO_COLUMNS;
    }

    @Override
    public boolean keepsRowCount() {
        return false;
    }

    @Override
    public Narrowed narrowed(ColumnSet wanted) {
        return new Narrowed(ColumnSet.first(1), List.of(this));
    }

    @Override
    public BatchStream over(BatchStream input, long firstRow, BufferAllocator allocator) {
        return new MapStream(
                input,
                NO_COLUMNS,
                batch -> new RecordBatch(NO_COLUMNS, List.of(), count(batch)),
                () -> {});
    }

    private static int count(RecordBatch batch) {
        return switch (batch.column(0)) {
            case ColumnVector.Plain(var vector) ->
                    ones(vector.getDataBuffer().memoryAddress(), batch.rowCount());
            case ColumnVector.Encoded _ ->
                    throw new IllegalArgumentException("truth values in a dictionary");
        };
    }

    /** How many of the first bits are 1. */
    private static int ones(long address, int bits) {
        int ones = 0;
        int bit = 0;
        for (; bit + Long.SIZE <= bits; bit += Long.SIZE) {
            ones += Long.bitCount(OffHeap.getLong(address + (bit >>> 3)));
        }
        for (; bit < bits; bit += Byte.SIZE) {
            int left = Math.min(Byte.SIZE, bits - bit);
            int mask = (1 << left) - 1;
            ones += Integer.bitCount(OffHeap.getUnsignedByte(address + (bit >>> 3)) & mask);
        }
        return ones;
    }
}
