package io.spillway.operator.window;

import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import io.spillway.expression.Expression;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Objects;
import org.apache.arrow.vector.FieldVector;

/**
 * A number of a column, to be loaded again and again: a float64, or 128 bits of what counts without
 * rest, integers, unscaled decimals, dates and times.
 */
final class NumberValue {

    private final ColumnType type;
    private long low;
    private long high;
    private double real;

    NumberValue(ColumnType type) {
        this.type = type;
    }

    /** A literal that is added to values of a type, or taken from them. */
    static NumberValue of(Expression.Literal literal, ColumnType type) {
        NumberValue value = new NumberValue(type);
        String text = Objects.requireNonNull(literal.value());
        switch (type) {
            case ColumnType.FloatingPoint _ -> value.real = Double.parseDouble(text);
            case ColumnType.Decimal(int _, int scale) ->
                    value.set(new BigDecimal(text).setScale(scale).unscaledValue());
            case ColumnType _ -> value.set(new BigInteger(text));
        }
        return value;
    }

    private void set(BigInteger value) {
        low = value.longValue();
        high = value.shiftRight(Long.SIZE).longValue();
    }

    boolean isReal() {
        return type instanceof ColumnType.FloatingPoint;
    }

    boolean isNaN() {
        return isReal() && Double.isNaN(real);
    }

    double real() {
        return real;
    }

    long low() {
        return low;
    }

    long high() {
        return high;
    }

    /** Loads a value; false if it is null. */
    boolean load(FieldVector vector, int row) {
        if (vector.isNull(row)) {
            return false;
        }
        long data = vector.getDataBuffer().memoryAddress();
        switch (type) {
            case ColumnType.FloatingPoint(int bits) ->
                    real =
                            switch (bits) {
                                case 16 -> Float.float16ToFloat(OffHeap.getShort(data + 2L * row));
                                case 32 -> Float.intBitsToFloat(OffHeap.getInt(data + 4L * row));
                                default ->
                                        Double.longBitsToDouble(OffHeap.getLong(data + 8L * row));
                            };
            case ColumnType.Decimal _ -> {
                low = OffHeap.getLong(data + 16L * row);
                high = OffHeap.getLong(data + 16L * row + 8);
            }
            case ColumnType.Int(int bits, boolean signed) -> integer(data, row, bits, signed);
            case ColumnType.Date _ -> integer(data, row, Integer.SIZE, true);
            case ColumnType.Time(ColumnType.TimeUnit unit) ->
                    integer(data, row, unit.digits() <= 3 ? Integer.SIZE : Long.SIZE, true);
            case ColumnType.Timestamp _ -> integer(data, row, Long.SIZE, true);
            case ColumnType.Bool _,
                    ColumnType.Utf8 _,
                    ColumnType.Binary _,
                    ColumnType.FixedBinary _,
                    ColumnType.ListOf _,
                    ColumnType.Struct _,
                    ColumnType.MapOf _ ->
                    throw new IllegalStateException(type + " is no number");
        }
        return true;
    }

    private void integer(long data, int row, int bits, boolean signed) {
        long value =
                switch (bits) {
                    case 8 -> OffHeap.getByte(data + row);
                    case 16 -> OffHeap.getShort(data + 2L * row);
                    case 32 -> OffHeap.getInt(data + 4L * row);
                    default -> OffHeap.getLong(data + 8L * row);
                };
        low = signed || bits == Long.SIZE ? value : value & (1L << bits) - 1;
        high = signed ? value >> (Long.SIZE - 1) : 0;
    }

    /** Becomes another value plus an offset, or as near as can be. */
    void setSum(NumberValue value, NumberValue offset) {
        if (isReal()) {
            real = value.real + offset.real;
            if (Double.isNaN(real)) {
                real = Double.POSITIVE_INFINITY;
            }
            return;
        }
        low = value.low + offset.low;
        long carry = Long.compareUnsigned(low, value.low) < 0 ? 1 : 0;
        high = value.high + offset.high + carry;
        if (((value.high ^ high) & (offset.high ^ high)) < 0) {
            low = -1;
            high = Long.MAX_VALUE;
        }
    }

    /** Becomes another value minus an offset, or as near as can be. */
    void setDifference(NumberValue value, NumberValue offset) {
        if (isReal()) {
            real = value.real - offset.real;
            if (Double.isNaN(real)) {
                real = Double.NEGATIVE_INFINITY;
            }
            return;
        }
        low = value.low - offset.low;
        long borrow = Long.compareUnsigned(value.low, offset.low) < 0 ? 1 : 0;
        high = value.high - offset.high - borrow;
        if (((value.high ^ offset.high) & (value.high ^ high)) < 0) {
            low = 0;
            high = Long.MIN_VALUE;
        }
    }

    /** Compares; NaN is the greatest, -0.0 equals 0.0. */
    int compareTo(NumberValue other) {
        if (isReal()) {
            return Double.compare(real + 0.0, other.real + 0.0);
        }
        return high != other.high
                ? Long.compare(high, other.high)
                : Long.compareUnsigned(low, other.low);
    }
}
