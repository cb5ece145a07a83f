package io.spillway.scan.pruning;

import io.spillway.batch.ColumnType;
import io.spillway.expression.Expression;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A value that is not null, on the heap, which compares as expressions compare values of its type:
 * NaN equals itself and is the greatest number, −0.0 equals 0.0, text and bytes go by unsigned
 * bytes. Only values of one kind compare.
 */
public sealed interface Scalar extends Comparable<Scalar> {

    /** A truth value (0 or 1), an integer of up to 64 bits signed, a date or a time. */
    record Whole(long value) implements Scalar {}

    /** A float of any width; −0.0 is held as 0.0. */
    record Real(double value) implements Scalar {

        public Real {
            value = value == 0 ? 0.0 : value;
        }

        public boolean isNaN() {
            return Double.isNaN(value);
        }
    }

    /** A decimal, or an unsigned integer of 64 bits. */
    record Exact(BigDecimal value) implements Scalar {

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Exact(BigDecimal that) && value.compareTo(that) == 0;
        }

        @Override
        public int hashCode() {
            return value.stripTrailingZeros().hashCode();
        }
    }

    /** Text as UTF-8, or bytes; the array is never changed. */
    @SuppressWarnings("ArrayRecordComponent") // compared by content
    record Bytes(byte[] bytes) implements Scalar {

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Bytes(byte[] that) && Arrays.equals(bytes, that);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }

        boolean startsWith(byte[] prefix) {
            return bytes.length >= prefix.length
                    && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the other is of another kind
     */
    @Override
    default int compareTo(Scalar other) {
        if (this instanceof Whole(long a) && other instanceof Whole(long b)) {
            return Long.compare(a, b);
        }
        if (this instanceof Real(double a) && other instanceof Real(double b)) {
            return Double.compare(a, b);
        }
        if (this instanceof Exact(BigDecimal a) && other instanceof Exact(BigDecimal b)) {
            return a.compareTo(b);
        }
        if (this instanceof Bytes(byte[] a) && other instanceof Bytes(byte[] b)) {
            return Arrays.compareUnsigned(a, b);
        }
        throw new IllegalArgumentException(this + " and " + other);
    }

    /** The value of a literal, or null for NULL and for text that is not of the literal's type. */
    static @Nullable Scalar of(Expression.Literal literal) {
        String text = literal.value();
        if (text == null) {
            return null;
        }
        try {
            return switch (literal.type()) {
                case ColumnType.Bool() ->
                        switch (text) {
                            case "true" -> new Whole(1);
                            case "false" -> new Whole(0);
                            default -> null;
                        };
                case ColumnType.Int type ->
                        isUnsigned64(type)
                                ? new Exact(new BigDecimal(new BigInteger(text)))
                                : new Whole(Long.parseLong(text));
                case ColumnType.FloatingPoint(int bits) ->
                        new Real(narrowed(Double.parseDouble(text), bits));
                case ColumnType.Decimal _ -> new Exact(new BigDecimal(text));
                case ColumnType.Utf8() -> new Bytes(text.getBytes(StandardCharsets.UTF_8));
                case ColumnType.Binary _, ColumnType.FixedBinary _ ->
                        new Bytes(HexFormat.of().parseHex(text));
                case ColumnType.Date _, ColumnType.Time _, ColumnType.Timestamp _ ->
                        new Whole(Long.parseLong(text));
                case ColumnType.ListOf _, ColumnType.Struct _, ColumnType.MapOf _ -> null;
            };
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** The value as a literal of a type that has such values; not for {@link Bytes}. */
    default Expression.Literal literal(ColumnType type) {
        String text =
                switch (this) {
                    case Whole(long value) ->
                            type instanceof ColumnType.Bool
                                    ? Boolean.toString(value != 0)
                                    : Long.toString(value);
                    case Real(double value) -> Double.toString(value);
                    case Exact(BigDecimal value) -> value.toPlainString();
                    case Bytes _ -> throw new IllegalArgumentException("bytes as " + type);
                };
        return new Expression.Literal(type, text);
    }

    /** Whether values of the type are {@link Exact} rather than {@link Whole}. */
    static boolean isUnsigned64(ColumnType.Int type) {
        return type.bits() == Long.SIZE && !type.signed();
    }

    private static double narrowed(double value, int bits) {
        return switch (bits) {
            case 16 -> Float.float16ToFloat(Float.floatToFloat16((float) value));
            case 32 -> (float) value;
            default -> value;
        };
    }
}
