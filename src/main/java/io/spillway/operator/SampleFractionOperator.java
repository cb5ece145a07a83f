package io.spillway.operator;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Gather;
import io.spillway.expression.Selection;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Keeps a row if the number that {@link RowHash} gives for it, read as a fraction of 53 binary
 * digits, is below the fraction asked for: 0 keeps none, 1 keeps all, and of two fractions with one
 * seed the smaller keeps some of the larger one's rows.
 *
 * @param fraction from 0 to 1
 */
public record SampleFractionOperator(double fraction, long seed, RowSchema schema)
        implements Operator {

    /** Fractions are compared as whole numbers of this many bits, all that a double tells apart. */
    private static final int BITS = 53;

    public SampleFractionOperator {
        if (!(fraction >= 0 && fraction <= 1)) {
            throw new IllegalArgumentException("a fraction of " + fraction);
        }
    }

    @Override
    public boolean keepsRowCount() {
        return false;
    }

    @Override
    public boolean needsRowNumbers() {
        return true;
    }

    @Override
    public Narrowed narrowed(ColumnSet wanted) {
        return new Narrowed(
                wanted, List.of(new SampleFractionOperator(fraction, seed, wanted.of(schema))));
    }

    @Override
    public BatchStream over(BatchStream input, long firstRow, BufferAllocator allocator) {
        return new MapStream(input, schema, new Sampler(firstRow, allocator), () -> {});
    }

    private final class Sampler implements UnaryOperator<RecordBatch> {

        private final BufferAllocator allocator;
        private final RowHash hash = new RowHash(seed);
        private final long below = (long) Math.ceil(fraction * (1L << BITS));
        private long next;

        Sampler(long firstRow, BufferAllocator allocator) {
            this.next = firstRow;
            this.allocator = allocator;
        }

        @Override
        public RecordBatch apply(RecordBatch batch) {
            int rows = batch.rowCount();
            long[] kept = new long[(rows + Long.SIZE - 1) / Long.SIZE];
            for (int i = 0; i < rows; i++) {
                // The sign of the difference: 1 if the row's number is below.
                long drawn = hash.of(next + i) >>> (Long.SIZE - BITS);
                kept[i >>> 6] |= ((drawn - below) >>> (Long.SIZE - 1)) << i;
            }
            next += rows;
            return Gather.gather(batch, Selection.of(kept, rows), allocator);
        }
    }
}
