package io.spillway.expression;

import io.spillway.batch.ColumnType;
import org.apache.arrow.vector.types.pojo.Field;

/** Functions of one float, by IEEE 754: never an error. */
final class FloatMath implements Value {

    /** The function of one number. */
    interface Operator {
        double apply(double value);
    }

    /** A power of ten that is infinite as a double. */
    private static final int BEYOND_RANGE = 400;

    private static final double LN_2 = StrictMath.log(2);

    private final Operator operator;
    private final FloatOperand argument;
    private final ColumnType.FloatingPoint type;
    private final Field field;

    FloatMath(Operator operator, Value argument, ColumnType.FloatingPoint type) {
        this.operator = operator;
        this.argument = new FloatOperand(argument);
        this.type = type;
        this.field = Vectors.field(type);
    }

    /** Nearest whole number, half away from zero. */
    static double round(double value) {
        double magnitude = Math.abs(value);
        double down = Math.floor(magnitude);
        return Math.copySign(magnitude - down >= 0.5 ? down + 1 : down, value);
    }

    /**
     * To decimal digits as DuckDB and most databases do it: scaled by a power of ten in floating
     * point, rounded, scaled back; the value itself where that leaves the range.
     */
    static double round(double value, long digits) {
        if (digits < 0) {
            double unit = StrictMath.pow(10, (double) Math.min(-digits, BEYOND_RANGE));
            double result = round(value / unit) * unit;
            return Double.isNaN(result) && !Double.isNaN(value) ? 0 : result;
        }
        double factor = StrictMath.pow(10, (double) Math.min(digits, BEYOND_RANGE));
        double result = round(value * factor) / factor;
        return Double.isFinite(result) ? result : value;
    }

    /** The logarithm to base 2; exact for powers of 2. */
    static double log2(double value) {
        if (value > 0 && value < Double.POSITIVE_INFINITY) {
            int exponent = Math.getExponent(value);
            if (exponent >= Double.MIN_EXPONENT && value == Math.scalb(1.0, exponent)) {
                return exponent;
            }
        }
        return StrictMath.log(value) / LN_2;
    }

    @Override
    public ColumnType type() {
        return type;
    }

    @Override
    public boolean total() {
        return argument.total();
    }

    @Override
    public Operand evaluate(Input input) {
        int rows = input.rows();
        Scratch scratch = input.scratch();
        try (FloatOperand.Rows values = argument.open(input);
                FixedOutput out = new FixedOutput(field, rows, input.allocator())) {
            Bits.fill(out.validity(), rows, true);
            values.restrict(out.validity(), rows);
            double[] x = scratch.leftDoubles;
            double[] z = scratch.resultDoubles;
            for (int from = 0; from < rows; from += Scratch.BLOCK) {
                int count = Math.min(Scratch.BLOCK, rows - from);
                values.load(from, count, x);
                for (int i = 0; i < count; i++) {
                    z[i] = operator.apply(x[i]);
                }
                Doubles.store(type.bits(), out.data(), from, count, z);
            }
            return Operand.owned(out.take());
        }
    }
}
