package io.spillway.expression;

import io.spillway.batch.ColumnType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Sums, differences, products, quotients, remainders and powers of floats, by IEEE 754: never an
 * error.
 */
final class FloatArithmetic implements Value {

    /** What is computed of a pair. */
    interface Operator {
        /** Computes the first {@code count} results. */
        void compute(double[] x, double[] y, double[] z, int count);
    }

    private final Operator operator;
    private final FloatOperand left;
    private final FloatOperand right;
    private final ColumnType.FloatingPoint type;
    private final Field field;

    FloatArithmetic(Operator operator, Value left, Value right, ColumnType.FloatingPoint type) {
        this.operator = operator;
        this.left = new FloatOperand(left);
        this.right = new FloatOperand(right);
        this.type = type;
        this.field = Vectors.field(type);
    }

    static Operator operator(ArithmeticOperator operator) {
        return switch (operator) {
            case ADD ->
                    (x, y, z, count) -> {
                        for (int i = 0; i < count; i++) {
                            z[i] = x[i] + y[i];
                        }
                    };
            case SUBTRACT ->
                    (x, y, z, count) -> {
                        for (int i = 0; i < count; i++) {
                            z[i] = x[i] - y[i];
                        }
                    };
            case MULTIPLY ->
                    (x, y, z, count) -> {
                        for (int i = 0; i < count; i++) {
                            z[i] = x[i] * y[i];
                        }
                    };
            case DIVIDE ->
                    (x, y, z, count) -> {
                        for (int i = 0; i < count; i++) {
                            z[i] = x[i] / y[i];
                        }
                    };
            case REMAINDER ->
                    (x, y, z, count) -> {
                        for (int i = 0; i < count; i++) {
                            z[i] = x[i] % y[i];
                        }
                    };
        };
    }

    /** The power, by StrictMath, so that every machine gives the same digits. */
    static void power(double[] x, double[] y, double[] z, int count) {
        for (int i = 0; i < count; i++) {
            // IEEE 754 differs from Java here: pow(1, NaN) and pow(-1, ±∞) are 1.
            boolean one = x[i] == 1 || (x[i] == -1 && Double.isInfinite(y[i]));
            z[i] = one ? 1 : StrictMath.pow(x[i], y[i]);
        }
    }

    /** The angle of the point (y, x). */
    static void angle(double[] y, double[] x, double[] z, int count) {
        for (int i = 0; i < count; i++) {
            z[i] = StrictMath.atan2(y[i], x[i]);
        }
    }

    @Override
    public ColumnType type() {
        return type;
    }

    @Override
    public boolean total() {
        return left.total() && right.total();
    }

    @Override
    public Operand evaluate(Input input) {
        int rows = input.rows();
        Scratch scratch = input.scratch();
        try (FloatOperand.Rows l = left.open(input);
                FloatOperand.Rows r = right.open(input);
                FixedOutput out = new FixedOutput(field, rows, input.allocator())) {
            Bits.fill(out.validity(), rows, true);
            l.restrict(out.validity(), rows);
            r.restrict(out.validity(), rows);
            for (int from = 0; from < rows; from += Scratch.BLOCK) {
                int count = Math.min(Scratch.BLOCK, rows - from);
                l.load(from, count, scratch.leftDoubles);
                r.load(from, count, scratch.rightDoubles);
                operator.compute(
                        scratch.leftDoubles, scratch.rightDoubles, scratch.resultDoubles, count);
                Doubles.store(type.bits(), out.data(), from, count, scratch.resultDoubles);
            }
            return Operand.owned(out.take());
        }
    }
}
