package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import org.apache.arrow.vector.FieldVector;

/** A conversion of numbers to decimals, row by row in 128 bits. */
final class DecimalCast extends CastValue {

    /** How one value is converted. */
    interface Conversion {
        /** Makes {@code result} the unscaled value; false if it does not fit 128 bits. */
        boolean convert(FieldVector values, int row, Int128 result);
    }

    private final Conversion conversion;
    private final int precision;
    private final Int128 x = new Int128();

    private DecimalCast(
            Value argument, ColumnType.Decimal type, boolean safe, Conversion conversion) {
        super(argument, type, safe);
        this.conversion = conversion;
        this.precision = type.precision();
    }

    static Value fromInteger(Value argument, ColumnType.Decimal type, boolean safe) {
        ColumnType from = argument.type();
        boolean unsigned = from instanceof ColumnType.Int i && new IntegerRange(i).isUnsigned64();
        long[] value = new long[1];
        return new DecimalCast(
                argument,
                type,
                safe,
                (values, row, result) -> {
                    Longs.load(values, from, row, 1, value);
                    result.set(value[0], unsigned ? 0 : value[0] >> 63);
                    return result.scaleUp(type.scale());
                });
    }

    static Value fromFloat(Value argument, int bits, ColumnType.Decimal type, boolean safe) {
        double[] value = new double[1];
        return new DecimalCast(
                argument,
                type,
                safe,
                (values, row, result) -> {
                    Doubles.load(values, bits, row, 1, value);
                    return DecimalConversions.set(result, value[0], type.scale());
                });
    }

    static Value fromDecimal(Value argument, int scale, ColumnType.Decimal type, boolean safe) {
        return new DecimalCast(
                argument,
                type,
                safe,
                (values, row, result) -> {
                    result.load(Vectors.data(values) + 16L * row);
                    return DecimalConversions.rescale(result, type.scale() - scale);
                });
    }

    @Override
    public Operand evaluate(Input input) {
        int rows = input.rows();
        try (Operand operand = argument().plain(input);
                FixedOutput out = new FixedOutput(field(), rows, input.allocator())) {
            FieldVector values = operand.vector();
            Bits.copy(Vectors.validity(values), out.validity(), rows);
            OffHeap.zero(out.data(), 16L * rows);
            for (int row = 0; row < rows; row++) {
                if (Bits.get(out.validity(), row)) {
                    if (conversion.convert(values, row, x) && x.fits(precision)) {
                        x.store(out.data() + 16L * row);
                    } else {
                        reject(values, row, out.validity());
                    }
                }
            }
            return Operand.owned(out.take());
        }
    }
}
