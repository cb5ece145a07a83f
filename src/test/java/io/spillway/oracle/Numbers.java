package io.spillway.oracle;

import io.spillway.oracle.Expressions.Typed;
import java.util.List;

/** Arithmetic that cannot fail. */
final class Numbers {

    private static final int LARGEST = 62;

    private final Choices choices;
    private final Expressions expressions;

    Numbers(Choices choices, Expressions expressions) {
        this.choices = choices;
        this.expressions = expressions;
    }

    /** A BIGINT whose bound is known. */
    Typed integer(int depth) {
        if (depth == 0) {
            return integerLeaf();
        }
        Typed left = integer(depth - 1);
        SqlText a = left.text();
        int bound = magnitude(left);
        if (choices.below(6) == 5) {
            return choices.chance(50)
                    ? big(SqlText.of("ABS(%s)", a), bound)
                    : big(SqlText.of("(- %s)", a), bound);
        }
        Typed right = integerLeaf();
        SqlText b = right.text();
        int other = magnitude(right);
        return switch (choices.below(5)) {
            case 0 -> bounded(SqlText.of("(%s + %s)", a, b), Math.max(bound, other) + 1, left);
            case 1 -> bounded(SqlText.of("(%s - %s)", a, b), Math.max(bound, other) + 1, left);
            case 2 -> bounded(SqlText.of("(%s * %s)", a, b), bound + other, left);
            case 3 -> big(SqlText.of("(%s / NULLIF(%s, 0))", "(%s // NULLIF(%s, 0))", a, b), bound);
            default -> big(SqlText.of("MOD(%s, NULLIF(%s, 0))", a, b), other);
        };
    }

    private static Typed bounded(SqlText text, int magnitude, Typed otherwise) {
        return magnitude <= LARGEST ? big(text, magnitude) : otherwise;
    }

    private Typed integerLeaf() {
        List<Column> present = expressions.columns(ValueType.Int.class);
        List<Column> texts = expressions.columns(ValueType.Text.class);
        List<Column> dates = expressions.columns(ValueType.Date.class);
        if (!present.isEmpty() && choices.below(4) < 3) {
            Typed column = expressions.column(choices.pick(present));
            SqlText cast = SqlText.of("CAST(%s AS BIGINT)", column.text());
            int magnitude = magnitude(column);
            return magnitude <= LARGEST
                    ? big(cast, magnitude)
                    : big(SqlText.of("MOD(%s, 1000)", cast), 10);
        }
        if (!texts.isEmpty() && choices.chance(50)) {
            SqlText text = expressions.text(1).text();
            return choices.chance(50)
                    ? cast(SqlText.of("POSITION('a' IN %s)", text), 31)
                    : cast(SqlText.of("CHAR_LENGTH(%s)", text), 31);
        }
        if (!dates.isEmpty() && choices.chance(50)) {
            String field = choices.oneOf("YEAR", "MONTH", "DAY");
            SqlText date = expressions.column(choices.pick(dates)).text();
            return cast(SqlText.of("EXTRACT(" + field + " FROM %s)", date), 14);
        }
        return cast(SqlText.same(choices.oneOf("1", "2", "-3", "10", "1000")), 10);
    }

    private static Typed cast(SqlText text, int magnitude) {
        return big(SqlText.of("CAST(%s AS BIGINT)", text), magnitude);
    }

    private static Typed big(SqlText text, int magnitude) {
        return new Typed(text, new ValueType.Int(64, magnitude));
    }

    private static int magnitude(Typed value) {
        return value.type() instanceof ValueType.Int i ? i.magnitude() : 0;
    }

    /** A DOUBLE. */
    Typed floating(int depth) {
        SqlText leaf = floatingLeaf();
        if (depth == 0) {
            return new Typed(leaf, new ValueType.Float64());
        }
        SqlText inner = floating(depth - 1).text();
        return new Typed(
                switch (choices.below(8)) {
                    case 0 -> leaf;
                    case 1 -> SqlText.of("(%s + %s)", inner, leaf);
                    case 2 -> SqlText.of("(%s - %s)", inner, leaf);
                    case 3 -> SqlText.of("(%s * %s)", inner, leaf);
                    // DuckDB loses signs of zero where it sorts; a quotient would show them.
                    case 4 -> SqlText.of("(%s / NULLIF(%s, 0E0))", inner, leaf);
                    case 5 -> SqlText.of("ABS(%s)", inner);
                    case 6 -> SqlText.of("FLOOR(%s)", inner);
                    default -> SqlText.of("(- %s)", inner);
                },
                new ValueType.Float64());
    }

    private SqlText floatingLeaf() {
        List<Column> doubles = expressions.columns(ValueType.Float64.class);
        List<Column> singles = expressions.columns(ValueType.Float32.class);
        if (!doubles.isEmpty() && choices.below(4) < 3) {
            return expressions.column(choices.pick(doubles)).text();
        }
        if (!singles.isEmpty() && choices.chance(50)) {
            return SqlText.of(
                    "CAST(%s AS DOUBLE)", expressions.column(choices.pick(singles)).text());
        }
        return choices.chance(50)
                ? SqlText.of("CAST(%s AS DOUBLE)", integerLeaf().text())
                : expressions.literal(new ValueType.Float64());
    }

    /** A DECIMAL; of one operation at most, so that 38 digits always do. */
    Typed decimal(int depth) {
        List<Column> present =
                expressions.columns(ValueType.Decimal.class).stream()
                        .filter(c -> c.type() instanceof ValueType.Decimal d && d.precision() <= 18)
                        .toList();
        if (present.isEmpty() || depth == 0) {
            return integer(depth);
        }
        Column left = choices.pick(present);
        Column right = choices.pick(present);
        SqlText a = expressions.column(left).text();
        SqlText b = expressions.column(right).text();
        if (!(left.type() instanceof ValueType.Decimal l)
                || !(right.type() instanceof ValueType.Decimal r)) {
            throw new AssertionError("not decimals");
        }
        int scale = Math.max(l.scale(), r.scale());
        int whole = Math.max(l.precision() - l.scale(), r.precision() - r.scale());
        ValueType sum = new ValueType.Decimal(whole + scale + 1, scale);
        return switch (choices.below(4)) {
            case 0 -> new Typed(wide(a, "+", b, sum), sum);
            case 1 -> new Typed(wide(a, "-", b, sum), sum);
            case 2 ->
                    new Typed(
                            // Two of at most 18 digits DuckDB multiplies in 64 bits, and overflows.
                            SqlText.of(
                                    "(%s * %s)",
                                    "(CAST(%s AS DECIMAL(20," + l.scale() + ")) * %s)", a, b),
                            new ValueType.Decimal(
                                    l.precision() + r.precision(), l.scale() + r.scale()));
            default -> new Typed(SqlText.of("(- %s)", a), l);
        };
    }

    /** DuckDB stays within 18 digits if both operands do, and overflows; standard SQL does not. */
    private static SqlText wide(SqlText a, String operator, SqlText b, ValueType result) {
        String cast = "CAST(%s AS " + result.sql() + ")";
        return SqlText.of(
                "(%s " + operator + " %s)", "(" + cast + " " + operator + " " + cast + ")", a, b);
    }
}
