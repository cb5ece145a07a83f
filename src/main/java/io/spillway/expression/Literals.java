package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/** Between the text of an {@link Expression.Literal} and its value. */
final class Literals {

    /** Beyond this an exponent is nonsense, and expanding it would take the machine's memory. */
    private static final int MAX_EXPONENT = 100;

    private Literals() {}

    /**
     * The value of a literal.
     *
     * @throws SpillwayException {@code INVALID_EXPRESSION} if its text is not of its type
     */
    static Constant parse(Expression.Literal literal) {
        String text = literal.value();
        if (text == null) {
            return new Constant.Null();
        }
        ColumnType type = literal.type();
        try {
            return switch (type) {
                case ColumnType.Bool() -> truth(text);
                case ColumnType.Int(int bits, boolean signed) ->
                        integer(text, signed ? bits - 1 : bits, signed);
                case ColumnType.FloatingPoint(int bits) -> {
                    double value = narrowed(Double.parseDouble(text), bits);
                    yield new Constant.Fixed(Double.doubleToRawLongBits(value), 0);
                }
                case ColumnType.Decimal(int precision, int scale) ->
                        decimal(text, precision, scale);
                case ColumnType.Utf8() -> new Constant.Bytes(text.getBytes(StandardCharsets.UTF_8));
                case ColumnType.Binary() -> new Constant.Bytes(HexFormat.of().parseHex(text));
                case ColumnType.FixedBinary(int width) -> {
                    byte[] bytes = HexFormat.of().parseHex(text);
                    if (bytes.length != width) {
                        throw new IllegalArgumentException(bytes.length + " bytes");
                    }
                    yield new Constant.Bytes(bytes);
                }
                case ColumnType.Date() -> integer(text, 31, true);
                case ColumnType.Time _, ColumnType.Timestamp _ -> integer(text, 63, true);
                case ColumnType.ListOf _, ColumnType.Struct _, ColumnType.MapOf _ ->
                        throw Failures.unsupported("There are no literals of type " + type);
            };
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new SpillwayException(
                    ErrorCode.INVALID_EXPRESSION, "'" + text + "' is no value of type " + type, e);
        }
    }

    private static double narrowed(double value, int bits) {
        return switch (bits) {
            case 16 -> Float.float16ToFloat(Float.floatToFloat16((float) value));
            case 32 -> (float) value;
            default -> value;
        };
    }

    private static Constant truth(String text) {
        return switch (text) {
            case "true" -> new Constant.Fixed(1, 0);
            case "false" -> new Constant.Fixed(0, 0);
            default -> throw new IllegalArgumentException("not a truth value");
        };
    }

    private static Constant integer(String text, int magnitudeBits, boolean signed) {
        BigInteger value = new BigInteger(text);
        if (value.bitLength() > magnitudeBits || (!signed && value.signum() < 0)) {
            throw new ArithmeticException("out of range");
        }
        return new Constant.Fixed(value.longValue(), 0);
    }

    private static Constant decimal(String text, int precision, int scale) {
        BigDecimal written = new BigDecimal(text);
        if (Math.abs((long) written.scale()) > MAX_EXPONENT) {
            throw new ArithmeticException("out of range");
        }
        BigDecimal value = written.setScale(scale, RoundingMode.UNNECESSARY);
        Int128 unscaled = new Int128();
        if (value.precision() > precision && value.signum() != 0) {
            throw new ArithmeticException("out of range");
        }
        unscaled.set(value.unscaledValue());
        return new Constant.Fixed(unscaled.low(), unscaled.high());
    }

    /** A row of a plain vector as a literal. */
    static Expression.Literal of(ColumnType type, FieldVector vector, int row) {
        return new Expression.Literal(
                type, Bits.get(Vectors.validity(vector), row) ? text(type, vector, row) : null);
    }

    private static @Nullable String text(ColumnType type, FieldVector vector, int row) {
        return switch (type) {
            case ColumnType.Bool() -> Bits.get(Vectors.data(vector), row) ? "true" : "false";
            case ColumnType.Int(int bits, boolean signed) ->
                    bits == 64 && !signed
                            ? Long.toUnsignedString(integer(type, vector, row))
                            : Long.toString(integer(type, vector, row));
            case ColumnType.FloatingPoint(int bits) -> {
                double[] value = new double[1];
                Doubles.load(vector, bits, row, 1, value);
                yield Double.toString(value[0]);
            }
            case ColumnType.Decimal(int _, int scale) -> {
                Int128 unscaled = new Int128();
                unscaled.load(Vectors.data(vector) + 16L * row);
                yield new BigDecimal(unscaled.toBigInteger(), scale).toPlainString();
            }
            case ColumnType.Utf8() -> new String(bytes(vector, row), StandardCharsets.UTF_8);
            case ColumnType.Binary _, ColumnType.FixedBinary _ ->
                    HexFormat.of().formatHex(bytes(vector, row));
            case ColumnType.Date _, ColumnType.Time _, ColumnType.Timestamp _ ->
                    Long.toString(integer(type, vector, row));
            case ColumnType.ListOf _, ColumnType.Struct _, ColumnType.MapOf _ ->
                    throw Failures.unsupported("There are no literals of type " + type);
        };
    }

    private static long integer(ColumnType type, FieldVector vector, int row) {
        long[] value = new long[1];
        Longs.load(vector, type, row, 1, value);
        return value[0];
    }

    private static byte[] bytes(FieldVector vector, int row) {
        BytesReader reader = new BytesReader(vector);
        byte[] bytes = new byte[reader.length(row)];
        OffHeap.read(reader.address(row), bytes, 0, bytes.length);
        return bytes;
    }
}
