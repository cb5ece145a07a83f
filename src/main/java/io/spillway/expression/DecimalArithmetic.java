package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import io.spillway.error.SpillwayException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Arithmetic of decimals: the exact result, rounded half away from zero to the result's scale, or
 * an error where it has too many digits. Computed in 128 bits without objects wherever every
 * intermediate result fits, and for division and rounding where it fits 64; the rest takes
 * BigDecimal.
 */
final class DecimalArithmetic implements Value {

    private final ArithmeticOperator operator;
    private final RowOperand left;
    private final RowOperand right;
    private final int leftScale;
    private final int rightScale;
    private final ColumnType.Decimal type;
    private final Field field;
    private final Int128 x = new Int128();
    private final Int128 y = new Int128();

    DecimalArithmetic(
            ArithmeticOperator operator, Value left, Value right, ColumnType.Decimal type) {
        this.operator = operator;
        this.left = new RowOperand(left);
        this.right = new RowOperand(right);
        this.leftScale = ((ColumnType.Decimal) left.type()).scale();
        this.rightScale = ((ColumnType.Decimal) right.type()).scale();
        this.type = type;
        this.field = Vectors.field(type);
    }

    @Override
    public ColumnType type() {
        return type;
    }

    @Override
    public boolean total() {
        return false;
    }

    @Override
    public Operand evaluate(Input input) {
        int rows = input.rows();
        try (RowOperand.Rows l = left.open(input);
                RowOperand.Rows r = right.open(input);
                FixedOutput out = new FixedOutput(field, rows, input.allocator())) {
            Bits.fill(out.validity(), rows, true);
            l.restrict(out.validity(), rows);
            r.restrict(out.validity(), rows);
            long dataLeft = Vectors.data(l.vector());
            long dataRight = Vectors.data(r.vector());
            for (int i = 0; i < rows; i++) {
                long target = out.data() + 16L * i;
                if (Bits.get(out.validity(), i)) {
                    compute(dataLeft + 16L * l.row(i), dataRight + 16L * r.row(i));
                    x.store(target);
                } else {
                    OffHeap.zero(target, 16);
                }
            }
            return Operand.owned(out.take());
        }
    }

    /** Leaves the result in {@link #x}. */
    private void compute(long leftAddress, long rightAddress) {
        x.load(leftAddress);
        y.load(rightAddress);
        if (operator.divides() && y.signum() == 0) {
            throw Failures.divisionByZero(decimal(leftAddress, leftScale).toPlainString());
        }
        boolean done =
                switch (operator) {
                    case ADD -> align() && x.add(y.low(), y.high()) && rescale(commonScale());
                    case SUBTRACT -> {
                        y.negate();
                        yield align() && x.add(y.low(), y.high()) && rescale(commonScale());
                    }
                    case MULTIPLY -> multiply();
                    case DIVIDE -> divide();
                    case REMAINDER -> remainder();
                };
        if (!done) {
            computeWide(leftAddress, rightAddress);
        } else if (!x.fits(type.precision())) {
            throw overflow(leftAddress, rightAddress);
        }
    }

    private int commonScale() {
        return Math.max(leftScale, rightScale);
    }

    private boolean align() {
        return x.scaleUp(commonScale() - leftScale) && y.scaleUp(commonScale() - rightScale);
    }

    private boolean rescale(int from) {
        return x.rescale(type.scale() - from);
    }

    private boolean multiply() {
        if (!x.isLong() || !y.isLong()) {
            return false;
        }
        x.product(x.low(), y.low());
        return rescale(leftScale + rightScale);
    }

    private boolean divide() {
        int raise = type.scale() - leftScale + rightScale;
        if (raise < 0 || !x.scaleUp(raise) || !x.isLong() || !y.isLong()) {
            return false;
        }
        if (x.low() == Long.MIN_VALUE) {
            return false;
        }
        long quotient = Int128.divideHalfUp(x.low(), y.low());
        x.set(quotient, quotient >> 63);
        return true;
    }

    private boolean remainder() {
        if (!align() || !x.isLong() || !y.isLong()) {
            return false;
        }
        long rest = x.low() % y.low();
        x.set(rest, rest >> 63);
        return rescale(commonScale());
    }

    private void computeWide(long leftAddress, long rightAddress) {
        BigDecimal a = decimal(leftAddress, leftScale);
        BigDecimal b = decimal(rightAddress, rightScale);
        BigDecimal result =
                switch (operator) {
                    case ADD -> a.add(b);
                    case SUBTRACT -> a.subtract(b);
                    case MULTIPLY -> a.multiply(b);
                    case DIVIDE -> a.divide(b, type.scale(), RoundingMode.HALF_UP);
                    case REMAINDER -> a.remainder(b);
                };
        BigDecimal rounded = result.setScale(type.scale(), RoundingMode.HALF_UP);
        if (rounded.precision() > type.precision() && rounded.signum() != 0) {
            throw overflow(leftAddress, rightAddress);
        }
        x.set(rounded.unscaledValue());
    }

    private static BigDecimal decimal(long address, int scale) {
        Int128 unscaled = new Int128();
        unscaled.load(address);
        return new BigDecimal(unscaled.toBigInteger(), scale);
    }

    private SpillwayException overflow(long leftAddress, long rightAddress) {
        return Failures.overflow(
                "%s %s %s"
                        .formatted(
                                decimal(leftAddress, leftScale).toPlainString(),
                                operator.symbol(),
                                decimal(rightAddress, rightScale).toPlainString()),
                type);
    }
}
