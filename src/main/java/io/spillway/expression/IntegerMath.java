package io.spillway.expression;

import io.spillway.batch.ColumnType;
import org.apache.arrow.vector.types.pojo.Field;

/** NEGATE, ABS and ROUND of integers; FLOOR and CEIL leave integers as they are. */
final class IntegerMath implements Value {

    /** A function of one number, and of digits where it rounds. */
    interface Operator {
        /**
         * The result, or an {@link ArithmeticException}.
         *
         * @param digits 0 where none were given
         */
        long apply(long value, long digits);
    }

    private final String name;
    private final Operator operator;
    private final LongOperand argument;
    private final LongOperand digits;
    private final ColumnType.Int type;
    private final Field field;
    private final IntegerRange range;

    IntegerMath(String name, Operator operator, Value argument, Value digits, ColumnType.Int type) {
        this.name = name;
        this.operator = operator;
        this.argument = new LongOperand(argument);
        this.digits = new LongOperand(digits);
        this.type = type;
        this.field = Vectors.field(type);
        this.range = new IntegerRange(type);
    }

    static Operator negate(boolean unsigned64) {
        return unsigned64
                ? (value, _) -> value == 0 ? 0 : overflow()
                : (value, _) -> Math.negateExact(value);
    }

    static Operator abs(boolean unsigned64) {
        return unsigned64 ? (value, _) -> value : (value, _) -> Math.absExact(value);
    }

    /** Half away from zero, to tens for -1 digits; integers have no digits to round beyond 0. */
    static Operator round(boolean unsigned64) {
        return unsigned64 ? IntegerMath::roundUnsigned : IntegerMath::roundSigned;
    }

    private static long roundSigned(long value, long digits) {
        if (digits >= 0) {
            return value;
        }
        if (digits < -18) {
            // A value can reach half of 10^19, but not 10^19 itself.
            long half = 5 * Int128.power(18);
            return digits == -19 && (value >= half || value <= -half) ? overflow() : 0;
        }
        long unit = Int128.power((int) -digits);
        long rest = value % unit;
        long down = value - rest;
        return Math.abs(rest) < unit - Math.abs(rest)
                ? down
                : Math.addExact(down, value < 0 ? -unit : unit);
    }

    private static long roundUnsigned(long value, long digits) {
        if (digits >= 0) {
            return value;
        }
        if (digits < -19) {
            return 0; // 2^64 is below 5·10^19
        }
        long unit = digits == -19 ? 10 * Int128.power(18) : Int128.power((int) -digits);
        long rest = Long.remainderUnsigned(value, unit);
        long down = value - rest;
        if (Long.compareUnsigned(rest, unit - rest) < 0) {
            return down;
        }
        long up = down + unit;
        return Long.compareUnsigned(up, down) < 0 ? overflow() : up;
    }

    private static long overflow() {
        throw new ArithmeticException("overflow");
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
        return LongPairs.evaluate(argument, digits, type, field, input, this::apply);
    }

    private long apply(long value, long places) {
        try {
            long result = operator.apply(value, places);
            if (range.contains(result)) {
                return result;
            }
        } catch (ArithmeticException e) {
            // Told below, with the value.
        }
        throw Failures.overflow(name + "(" + range.text(value) + ")", type);
    }
}
