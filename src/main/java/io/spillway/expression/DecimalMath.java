package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * NEGATE, ABS, FLOOR, CEIL and ROUND of decimals. Without objects where 64 bits suffice for what is
 * divided; the rest takes BigDecimal.
 */
final class DecimalMath implements Value {

    /** The functions of this kernel. */
    enum Operator {
        NEGATE,
        ABS,
        FLOOR,
        CEIL,
        ROUND
    }

    /** Rounding to fewer digits than this before the point leaves nothing of 38 digits. */
    private static final int MIN_DIGITS = -39;

    private final Operator operator;
    private final RowOperand argument;
    private final LongOperand digits;
    private final int scale;
    private final ColumnType.Decimal type;
    private final Field field;
    private final Int128 x = new Int128();

    DecimalMath(Operator operator, Value argument, Value digits, ColumnType.Decimal type) {
        this.operator = operator;
        this.argument = new RowOperand(argument);
        this.digits = new LongOperand(digits);
        this.scale = ((ColumnType.Decimal) argument.type()).scale();
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
        long[] places = input.scratch().right;
        try (RowOperand.Rows values = argument.open(input);
                LongOperand.Rows d = digits.open(input);
                FixedOutput out = new FixedOutput(field, rows, input.allocator())) {
            Bits.fill(out.validity(), rows, true);
            values.restrict(out.validity(), rows);
            d.restrict(out.validity(), rows);
            long data = Vectors.data(values.vector());
            for (int from = 0; from < rows; from += Scratch.BLOCK) {
                int count = Math.min(Scratch.BLOCK, rows - from);
                d.load(from, count, places);
                for (int i = from; i < from + count; i++) {
                    long target = out.data() + 16L * i;
                    if (Bits.get(out.validity(), i)) {
                        compute(data + 16L * values.row(i), (int) places[i - from]);
                        x.store(target);
                    } else {
                        OffHeap.zero(target, 16);
                    }
                }
            }
            return Operand.owned(out.take());
        }
    }

    /** Leaves the result in {@link #x}. */
    private void compute(long address, int wantedDigits) {
        int places = Math.clamp(wantedDigits, MIN_DIGITS, scale);
        x.load(address);
        if (!computeNarrow(places)) {
            x.load(address);
            computeWide(places);
        }
        if (!x.fits(type.precision())) {
            Int128 value = new Int128();
            value.load(address);
            BigDecimal shown = new BigDecimal(value.toBigInteger(), scale);
            throw Failures.overflow(operator + "(" + shown.toPlainString() + ")", type);
        }
    }

    private boolean computeNarrow(int places) {
        return switch (operator) {
            case NEGATE -> {
                x.negate();
                yield x.rescale(type.scale() - scale);
            }
            case ABS -> {
                if (x.signum() < 0) {
                    x.negate();
                }
                yield x.rescale(type.scale() - scale);
            }
            case FLOOR -> wholeNumber(-1);
            case CEIL -> wholeNumber(1);
            case ROUND ->
                    type.scale() >= places
                            && x.rescale(places - scale)
                            && x.rescale(type.scale() - places);
        };
    }

    /** The next whole number in a direction. */
    private boolean wholeNumber(int direction) {
        if (!x.isLong() || scale > 18) {
            return false;
        }
        long unit = Int128.power(scale);
        long whole = x.low() / unit;
        if (Long.signum(x.low() % unit) == direction) {
            whole += direction;
        }
        x.set(whole, whole >> 63);
        return x.rescale(type.scale());
    }

    private void computeWide(int places) {
        BigDecimal value = new BigDecimal(x.toBigInteger(), scale);
        BigDecimal result =
                switch (operator) {
                    case NEGATE -> value.negate();
                    case ABS -> value.abs();
                    case FLOOR -> value.setScale(0, RoundingMode.FLOOR);
                    case CEIL -> value.setScale(0, RoundingMode.CEILING);
                    case ROUND -> value.setScale(places, RoundingMode.HALF_UP);
                };
        x.set(result.setScale(type.scale(), RoundingMode.HALF_UP).unscaledValue());
    }
}
