package io.spillway.plan.document;

import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression.Literal;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one value of a declared type, in the forms in which results write it: integers and decimals
 * as numbers or as strings of their digits, floats as numbers or {@code "NaN"}, {@code "Infinity"},
 * {@code "-Infinity"}, dates and times as ISO 8601 text, binary as base64. A value that does not
 * fit its type exactly is an error; only floats are rounded, to the nearest.
 */
final class ValueReader {

    private static final List<String> NOT_FINITE = List.of("NaN", "Infinity", "-Infinity");

    private ValueReader() {}

    /** Refuses types that no value can be written for. */
    static ColumnType checkType(ColumnType type, Place place) {
        boolean good =
                switch (type) {
                    case ColumnType.Decimal(int precision, int scale) ->
                            precision >= 1 && precision <= 38 && scale >= 0 && scale <= precision;
                    case ColumnType.FixedBinary(int width) -> width >= 1;
                    case ColumnType.FloatingPoint(int bits) -> bits != 16;
                    case ColumnType.ListOf _, ColumnType.Struct _, ColumnType.MapOf _ -> false;
                    default -> true;
                };
        if (!good) {
            throw place.error(
                            ErrorCode.TYPE_MISMATCH,
                            "Values of type '%s' cannot be written in a plan".formatted(type))
                    .with(SpillwayException.FOUND, type.toString());
        }
        return type;
    }

    /**
     * @throws SpillwayException {@code TYPE_MISMATCH} naming what was found and the type
     */
    static Literal read(JsonValue value, ColumnType type, Place place) {
        if (value instanceof JsonValue.Null) {
            return new Literal(type, null);
        }
        String text = text(value, type);
        if (text == null) {
            throw Fields.wrongType(
                    ErrorCode.TYPE_MISMATCH, value, place, List.of("a value of type " + type));
        }
        return new Literal(type, text);
    }

    /** The literal's text, or null if the value is none of the type. */
    private static @Nullable String text(JsonValue value, ColumnType type) {
        return switch (type) {
            case ColumnType.Bool() ->
                    value instanceof JsonValue.Bool(boolean truth) ? Boolean.toString(truth) : null;
            case ColumnType.Int(int bits, boolean signed) -> integer(value, bits, signed);
            case ColumnType.FloatingPoint(int bits) -> floating(value, bits);
            case ColumnType.Decimal(int precision, int scale) -> decimal(value, precision, scale);
            case ColumnType.Utf8() -> string(value);
            case ColumnType.Binary() -> binary(value, -1);
            case ColumnType.FixedBinary(int width) -> binary(value, width);
            case ColumnType.Date() -> {
                String text = string(value);
                yield text == null ? null : count(TemporalText.date(text));
            }
            case ColumnType.Time(ColumnType.TimeUnit unit) -> {
                String text = string(value);
                yield text == null ? null : count(TemporalText.time(text, unit));
            }
            case ColumnType.Timestamp(ColumnType.TimeUnit unit, boolean utc) -> {
                String text = string(value);
                yield text == null ? null : count(TemporalText.timestamp(text, unit, utc));
            }
            case ColumnType.ListOf _, ColumnType.Struct _, ColumnType.MapOf _ -> null;
        };
    }

    private static @Nullable String string(JsonValue value) {
        return value instanceof JsonValue.Str(var text) ? text : null;
    }

    private static @Nullable String count(@Nullable Long count) {
        return count == null ? null : count.toString();
    }

    private static @Nullable String integer(JsonValue value, int bits, boolean signed) {
        String digits =
                switch (value) {
                    case JsonValue.Num number when number.integer() -> number.text();
                    case JsonValue.Str(var text) when text.matches("-?\\d{1,20}") -> text;
                    default -> null;
                };
        if (digits == null) {
            return null;
        }
        BigInteger n = new BigInteger(digits);
        boolean fits = signed ? n.bitLength() < bits : n.signum() >= 0 && n.bitLength() <= bits;
        return fits ? n.toString() : null;
    }

    private static @Nullable String floating(JsonValue value, int bits) {
        return switch (value) {
            case JsonValue.Num(var text) when bits == 64 -> {
                double d = Double.parseDouble(text);
                yield Double.isInfinite(d) ? null : Double.toString(d);
            }
            case JsonValue.Num(var text) -> {
                float f = Float.parseFloat(text);
                yield Float.isInfinite(f) ? null : Float.toString(f);
            }
            case JsonValue.Str(var text) when NOT_FINITE.contains(text) -> text;
            default -> null;
        };
    }

    private static @Nullable String decimal(JsonValue value, int precision, int scale) {
        String written =
                switch (value) {
                    case JsonValue.Num number -> number.text();
                    case JsonValue.Str(var text) when text.matches("-?\\d{1,38}(\\.\\d{1,38})?") ->
                            text;
                    default -> null;
                };
        if (written == null) {
            return null;
        }
        BigDecimal d = new BigDecimal(written);
        if (d.signum() == 0) {
            return BigDecimal.ZERO.setScale(scale).toPlainString();
        }
        // Compared before any rescaling: an exponent may name a number of a billion digits.
        BigDecimal bare = d.stripTrailingZeros();
        boolean fits =
                bare.scale() <= scale
                        && (long) bare.precision() - bare.scale() <= (long) precision - scale;
        return fits ? bare.setScale(scale).toPlainString() : null;
    }

    private static @Nullable String binary(JsonValue value, int width) {
        if (!(value instanceof JsonValue.Str(var text))) {
            return null;
        }
        try {
            byte[] bytes = Base64.getDecoder().decode(text);
            return width < 0 || bytes.length == width ? HexFormat.of().formatHex(bytes) : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
