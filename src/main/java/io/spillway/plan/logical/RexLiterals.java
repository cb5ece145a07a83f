package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnType.TimeUnit;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.expression.Expression.Literal;
import io.spillway.plan.document.TemporalText;
import java.math.BigDecimal;
import java.util.HexFormat;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;
import org.jspecify.annotations.Nullable;

/** Calcite's literals as literals of column types, digit for digit. */
final class RexLiterals {

    private RexLiterals() {}

    /**
     * The literal; a NULL of no type is one of type {@code bool}, which gives way to any other.
     *
     * @throws SpillwayException {@code NOT_SUPPORTED} for a type that no column has, {@code
     *     INVALID_EXPRESSION} for a moment that its type cannot count
     */
    static Expression translate(RexLiteral literal) {
        if (literal.getType().getSqlTypeName() == SqlTypeName.NULL) {
            return new Literal(new ColumnType.Bool(), null);
        }
        ColumnType type = TypeMapping.toColumn(literal.getType());
        if (literal.isNull()) {
            return new Literal(type, null);
        }
        return switch (type) {
            case ColumnType.Bool() -> new Literal(type, value(literal, Boolean.class).toString());
            case ColumnType.Int _, ColumnType.Decimal _ ->
                    exact(value(literal, BigDecimal.class), type);
            case ColumnType.FloatingPoint(int bits) -> new Literal(type, floating(literal, bits));
            case ColumnType.Utf8() -> new Literal(type, value(literal, String.class));
            case ColumnType.Binary _, ColumnType.FixedBinary _ ->
                    new Literal(
                            new ColumnType.Binary(),
                            HexFormat.of().formatHex(value(literal, byte[].class)));
            case ColumnType.Date() -> new Literal(type, value(literal, Integer.class).toString());
            case ColumnType.Time(TimeUnit unit) -> {
                String text = value(literal, TimeString.class).toString();
                yield moment(type, text, TemporalText.time(text, unit));
            }
            case ColumnType.Timestamp(TimeUnit unit, boolean utc) -> {
                String text = value(literal, TimestampString.class).toString();
                yield moment(type, text, TemporalText.timestamp(text, unit, utc));
            }
            case ColumnType.ListOf _, ColumnType.Struct _, ColumnType.MapOf _ ->
                    throw new SpillwayException(
                            ErrorCode.NOT_SUPPORTED,
                            "Literals of type %s are not supported".formatted(type));
        };
    }

    private static <T> T value(RexLiteral literal, Class<T> type) {
        T value = literal.getValueAs(type);
        if (value == null) {
            throw new IllegalStateException("No value in " + literal);
        }
        return value;
    }

    /** A number with the digits it shows, cast to its type if it does not fit that as it is. */
    private static Expression exact(BigDecimal number, ColumnType type) {
        int scale = Math.max(0, number.scale());
        int whole = Math.max(0, number.precision() - number.scale());
        ColumnType own = new ColumnType.Decimal(Math.max(1, whole + scale), scale);
        return Coercions.cast(new Literal(own, number.toPlainString()), type);
    }

    private static String floating(RexLiteral literal, int bits) {
        String text =
                literal.getValue() instanceof BigDecimal decimal
                        ? decimal.toString()
                        : value(literal, Double.class).toString();
        return bits == 32
                ? Float.toString(Float.parseFloat(text))
                : Double.toString(Double.parseDouble(text));
    }

    private static Literal moment(ColumnType type, String text, @Nullable Long count) {
        if (count == null) {
            throw new SpillwayException(
                    ErrorCode.INVALID_EXPRESSION, "%s is no %s".formatted(text, type));
        }
        return new Literal(type, count.toString());
    }
}
