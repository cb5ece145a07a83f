package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnType.TimeUnit;
import io.spillway.expression.Expression.Literal;
import io.spillway.plan.document.TemporalText;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Conversions of literals that any kernel would make in the same way: those that lose nothing, and
 * the nearest float of a decimal. All others stay casts and are left to the kernels, and to the
 * rows that reach them.
 */
final class LiteralCasts {

    private static final long SECONDS_PER_DAY = 86_400;

    private LiteralCasts() {}

    /** The literal as another type, or null if that is for a kernel to do. */
    static @Nullable Literal exact(Literal literal, ColumnType type) {
        String value = literal.value();
        if (value == null) {
            return new Literal(type, null);
        }
        String text =
                switch (literal.type()) {
                    case ColumnType.Int _, ColumnType.Decimal _ -> number(value, type);
                    case ColumnType.FloatingPoint(int bits) -> floating(value, bits, type);
                    case ColumnType.Utf8() -> parsed(value, type);
                    case ColumnType.Date() -> date(Long.parseLong(value), type);
                    case ColumnType.Time(TimeUnit from) ->
                            type instanceof ColumnType.Time(TimeUnit to)
                                    ? rescaled(Long.parseLong(value), from, to)
                                    : null;
                    case ColumnType.Timestamp(TimeUnit from, boolean _) ->
                            type instanceof ColumnType.Timestamp(TimeUnit to, boolean _)
                                    ? rescaled(Long.parseLong(value), from, to)
                                    : null;
                    case ColumnType.FixedBinary _ ->
                            type instanceof ColumnType.Binary ? value : null;
                    case ColumnType.Bool _,
                            ColumnType.Binary _,
                            ColumnType.ListOf _,
                            ColumnType.Struct _,
                            ColumnType.MapOf _ ->
                            null;
                };
        return text == null ? null : new Literal(type, text);
    }

    /** A number without binary fractions. */
    private static @Nullable String number(String value, ColumnType type) {
        return switch (type) {
            case ColumnType.Int(int bits, boolean signed) -> {
                BigDecimal number = new BigDecimal(value).stripTrailingZeros();
                boolean fits =
                        signed && number.scale() <= 0 && number.toBigInteger().bitLength() < bits;
                yield fits ? number.toBigInteger().toString() : null;
            }
            case ColumnType.Decimal(int precision, int scale) ->
                    decimal(new BigDecimal(value), precision, scale);
            case ColumnType.FloatingPoint(int bits) ->
                    switch (bits) {
                        case 64 -> Double.toString(Double.parseDouble(value));
                        case 32 -> Float.toString(Float.parseFloat(value));
                        default -> null;
                    };
            default -> null;
        };
    }

    private static @Nullable String decimal(BigDecimal number, int precision, int scale) {
        BigDecimal bare = number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
        return bare.scale() <= scale && bare.precision() - bare.scale() <= precision - scale
                ? bare.setScale(scale).toPlainString()
                : null;
    }

    /** Widening is exact; a double is kept from becoming a float, which would round twice. */
    private static @Nullable String floating(String value, int bits, ColumnType type) {
        return type instanceof ColumnType.FloatingPoint(int to) && bits == 32 && to == 64
                ? Double.toString(Float.parseFloat(value))
                : null;
    }

    private static @Nullable String parsed(String value, ColumnType type) {
        Long count =
                switch (type) {
                    case ColumnType.Date() -> TemporalText.date(value);
                    case ColumnType.Time(TimeUnit unit) -> TemporalText.time(value, unit);
                    case ColumnType.Timestamp(TimeUnit unit, boolean utc) ->
                            TemporalText.timestamp(value, unit, utc);
                    default -> null;
                };
        return count == null ? null : count.toString();
    }

    private static @Nullable String date(long days, ColumnType type) {
        return type instanceof ColumnType.Timestamp(TimeUnit to, boolean _)
                ? rescaled(days * SECONDS_PER_DAY, TimeUnit.SECOND, to)
                : null;
    }

    private static @Nullable String rescaled(long count, TimeUnit from, TimeUnit to) {
        if (to.perSecond() >= from.perSecond()) {
            long factor = to.perSecond() / from.perSecond();
            long result = count * factor;
            return Math.multiplyHigh(count, factor) == result >> 63 ? Long.toString(result) : null;
        }
        long divisor = from.perSecond() / to.perSecond();
        return count % divisor == 0 ? Long.toString(count / divisor) : null;
    }
}
