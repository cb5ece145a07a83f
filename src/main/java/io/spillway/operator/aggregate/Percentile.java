package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.expression.Decode;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/** The value at a fraction of the values, as SQL has it. */
sealed interface Percentile extends ValueResult {

    @Override
    default boolean isSparse() {
        return true;
    }

    /** The first value that has at least a fraction of them up to it. */
    record Discrete(double fraction) implements Percentile {

        @Override
        public void look(long first, long count, Places to) {
            long place = (long) Math.ceil(fraction * count) - 1;
            to.add(count == 0 ? -1 : first + Math.clamp(place, 0, count - 1));
        }

        @Override
        public ColumnVector results(RecordBatch taken, List<Long> counts) {
            return taken.column(0).slice(0, counts.size());
        }
    }

    /**
     * Between two values, as far from the one to the other as the fraction is.
     *
     * @param type of the values
     */
    record Continuous(
            double fraction, ColumnType type, ColumnSchema schema, BufferAllocator allocator)
            implements Percentile {

        @Override
        public void look(long first, long count, Places to) {
            double place = place(count);
            to.add(count == 0 ? -1 : first + (long) Math.floor(place));
            to.add(count == 0 ? -1 : first + (long) Math.ceil(place));
        }

        private double place(long count) {
            return fraction * (count - 1);
        }

        @Override
        public ColumnVector results(RecordBatch taken, List<Long> counts) {
            int groups = counts.size();
            long[] low = new long[2 * groups];
            long[] high = new long[2 * groups];
            int[] rows = new int[2 * groups];
            Arrays.setAll(rows, i -> i);
            switch (taken.column(0)) {
                case ColumnVector.Plain(FieldVector vector) -> load(vector, rows, low, high);
                case ColumnVector.Encoded encoded -> {
                    try (FieldVector vector = Decode.decode(encoded, allocator)) {
                        load(vector, rows, low, high);
                    }
                }
            }
            ToDouble.of(type).convert(low, high, low.length);
            try (ResultColumn column = new ResultColumn(schema, groups, allocator)) {
                for (int i = 0; i < groups; i++) {
                    if (counts.get(i) > 0) {
                        double place = place(counts.get(i));
                        double one = Double.longBitsToDouble(low[2 * i]);
                        double other = Double.longBitsToDouble(low[2 * i + 1]);
                        double rest = place - Math.floor(place);
                        column.putDouble(
                                i, rest == 0 || one == other ? one : one + rest * (other - one));
                    }
                }
                return column.take();
            }
        }

        private void load(FieldVector vector, int[] rows, long[] low, long[] high) {
            if (rows.length > 0) {
                long data = vector.getDataBuffer().memoryAddress();
                Words.load(type, data, rows, rows.length, low, high);
            }
        }
    }
}
