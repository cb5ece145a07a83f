package io.spillway.expression;

import io.spillway.batch.ColumnType;
import org.apache.arrow.vector.FieldVector;

/**
 * A conversion to truth values, integers, dates, times, timestamps or floats, a block at a time. A
 * block in which some value cannot be converted is looked at again row by row, since it may be the
 * undefined value of a null.
 */
final class BlockCast extends CastValue {

    /** How blocks are converted. */
    interface Conversion {

        /**
         * Converts values into the front of {@code scratch.result}, or of {@code
         * scratch.resultDoubles} if the target is a float.
         *
         * @return negative if some value cannot be converted; its result is then undefined
         */
        long convert(FieldVector values, int from, int count, Scratch scratch);
    }

    private final Conversion conversion;
    private final boolean total;

    /**
     * Makes the kernel.
     *
     * @param total whether every value can be converted
     */
    BlockCast(Value argument, ColumnType type, boolean safe, boolean total, Conversion conversion) {
        super(argument, type, safe);
        this.conversion = conversion;
        this.total = total;
    }

    @Override
    public boolean total() {
        return total ? argument().total() : super.total();
    }

    @Override
    public Operand evaluate(Input input) {
        int rows = input.rows();
        Scratch scratch = input.scratch();
        try (Operand operand = argument().plain(input);
                FixedOutput out = new FixedOutput(field(), rows, input.allocator())) {
            FieldVector values = operand.vector();
            Bits.copy(Vectors.validity(values), out.validity(), rows);
            for (int from = 0; from < rows; from += Scratch.BLOCK) {
                int count = Math.min(Scratch.BLOCK, rows - from);
                if (conversion.convert(values, from, count, scratch) < 0) {
                    recheck(values, from, count, out.validity(), scratch);
                    conversion.convert(values, from, count, scratch);
                }
                if (type() instanceof ColumnType.FloatingPoint(int bits)) {
                    Doubles.store(bits, out.data(), from, count, scratch.resultDoubles);
                } else {
                    Longs.store(type(), out.data(), from, count, scratch.result);
                }
            }
            return Operand.owned(out.take());
        }
    }

    private void recheck(FieldVector values, int from, int count, long validity, Scratch scratch) {
        for (int row = from; row < from + count; row++) {
            if (Bits.get(validity, row) && conversion.convert(values, row, 1, scratch) < 0) {
                reject(values, row, validity);
            }
        }
    }
}
