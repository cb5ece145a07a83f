package io.spillway.oracle;

import io.spillway.oracle.Expressions.Typed;
import java.util.List;

/**
 * Makes aggregate functions whose answer is defined: sums in the rows' order, first ones by it,
 * fractions that are exact.
 */
final class Aggregates {

    private static final String ROW = QueryCase.ROW;
    private static final List<String> FRACTIONS = List.of("0.5", "0", "0.25", "0.75", "1");

    private final Choices choices;
    private final Expressions expressions;

    Aggregates(Choices choices, Expressions expressions) {
        this.choices = choices;
        this.expressions = expressions;
    }

    /** An aggregate, perhaps of some rows only. */
    Typed make() {
        SqlText filter =
                choices.chance(20)
                        ? SqlText.of(" FILTER (WHERE %s)", expressions.condition(1))
                        : SqlText.same("");
        return switch (choices.below(17)) {
            case 0 -> count(SqlText.of("COUNT(*)%s", filter));
            case 1 -> count(of("COUNT(%s)%s", operand().text(), filter));
            case 2 -> count(of("COUNT(DISTINCT %s)%s", operand().text(), filter));
            case 3 -> sum("", filter);
            case 4 -> sum("DISTINCT ", filter);
            case 5 -> mean("", filter);
            case 6 -> mean("DISTINCT ", filter);
            case 7, 8 -> extreme(filter);
            case 9 -> spread(filter);
            case 10 -> continuous(filter);
            case 11 -> discrete(filter);
            case 12 -> {
                Typed value = operand();
                yield new Typed(
                        SqlText.of(
                                "ANY_VALUE(%s)%s",
                                "any_value(%s ORDER BY " + ROW + ")%s", value.text(), filter),
                        value.type());
            }
            case 13 -> end(filter);
            case 14 -> {
                Typed value = operand();
                yield new Typed(
                        ordered("ARRAY_AGG", value.text(), filter),
                        new ValueType.ListOf(value.type()));
            }
            case 15 ->
                    new Typed(
                            of(
                                    choices.oneOf("BOOL_AND", "BOOL_OR") + "(%s)%s",
                                    expressions.condition(1),
                                    filter),
                            new ValueType.Bool());
            default -> floats(filter);
        };
    }

    private static SqlText of(String template, SqlText... parts) {
        return SqlText.of(template, parts);
    }

    private static Typed count(SqlText text) {
        return new Typed(text, new ValueType.Int(64, 20));
    }

    private Typed operand() {
        return expressions.operand(20);
    }

    private Typed sum(String distinct, SqlText filter) {
        List<Column> decimals = decimals(18);
        if (!decimals.isEmpty() && choices.chance(40)) {
            Column column = choices.pick(decimals);
            int scale = column.type() instanceof ValueType.Decimal d ? d.scale() : 0;
            return new Typed(
                    of("SUM(" + distinct + "%s)%s", SqlText.same(column.quoted()), filter),
                    new ValueType.Decimal(38, scale));
        }
        Typed value = expressions.addend();
        return new Typed(
                SqlText.of(
                        "SUM(" + distinct + "%s)%s",
                        "CAST(sum(" + distinct + "%s)%s AS BIGINT)",
                        value.text(),
                        filter),
                new ValueType.Int(64, 54));
    }

    /** The mean of what is exact is that of the exact sum, rounded once. */
    private Typed mean(String distinct, SqlText filter) {
        List<Column> decimals = decimals(9);
        if (!decimals.isEmpty() && choices.chance(40)) {
            Column column = choices.pick(decimals);
            int scale = column.type() instanceof ValueType.Decimal d ? d.scale() : 0;
            String unit = "1" + "0".repeat(scale);
            String units = "CAST(CAST(%s AS DECIMAL(30," + scale + ")) * " + unit + " AS BIGINT)";
            SqlText value = SqlText.same(column.quoted());
            SqlText whole = SqlText.of(units, value);
            return new Typed(
                    new SqlText(
                            of("AVG(" + distinct + "%s)%s", value, filter).spillway(),
                            quotient(distinct, whole, filter, unit)),
                    new ValueType.Float64());
        }
        SqlText value = expressions.addend().text();
        return new Typed(
                new SqlText(
                        of("AVG(" + distinct + "%s)%s", value, filter).spillway(),
                        quotient(distinct, value, filter, "1")),
                new ValueType.Float64());
    }

    private static String quotient(String distinct, SqlText whole, SqlText filter, String unit) {
        String call = "(" + distinct + whole.duckdb() + ")" + filter.duckdb();
        return "(CAST(sum%s AS DOUBLE) / (count%s * %s))".formatted(call, call, unit);
    }

    private List<Column> decimals(int precision) {
        return expressions.columns(ValueType.Decimal.class).stream()
                .filter(c -> c.type() instanceof ValueType.Decimal d && d.precision() <= precision)
                .toList();
    }

    /** Zero has two values, of which either is the least. */
    private Typed extreme(SqlText filter) {
        Typed value = operand();
        String call = choices.oneOf("MIN", "MAX") + "(%s)%s";
        return switch (value.type()) {
            case ValueType.Float64 _ ->
                    new Typed(of("(" + call + " + 0E0)", value.text(), filter), value.type());
            case ValueType.Float32 _ ->
                    new Typed(
                            of("(CAST(" + call + " AS DOUBLE) + 0E0)", value.text(), filter),
                            new ValueType.Float64());
            default -> new Typed(of(call, value.text(), filter), value.type());
        };
    }

    private Typed spread(SqlText filter) {
        String function =
                choices.oneOf(
                        "STDDEV_SAMP", "STDDEV_POP", "VAR_SAMP", "VAR_POP", "STDDEV", "VARIANCE");
        SqlText value = expressions.small();
        return new Typed(
                choices.chance(30)
                        ? of(function + "(CAST(%s AS DOUBLE) / 8)%s", value, filter)
                        : of(function + "(%s)%s", value, filter),
                new ValueType.Inexact());
    }

    private Typed continuous(SqlText filter) {
        SqlText value = expressions.small();
        if (choices.chance(30)) {
            return new Typed(
                    SqlText.of(
                            "MEDIAN(%s)%s",
                            "quantile_cont(CAST(%s AS DOUBLE), 0.5)%s", value, filter),
                    new ValueType.Inexact());
        }
        String template =
                "PERCENTILE_CONT(" + choices.pick(FRACTIONS) + ") WITHIN GROUP (ORDER BY %s%s)%s";
        return new Typed(
                SqlText.of(
                        template.formatted("%s", choices.oneOf("", " DESC"), "%s"), value, filter),
                new ValueType.Inexact());
    }

    /** Of numbers of which no two are equal and different. */
    private Typed discrete(SqlText filter) {
        List<Column> decimals = decimals(38);
        Typed value =
                decimals.isEmpty() || choices.chance(50)
                        ? expressions.addend()
                        : expressions.column(choices.pick(decimals));
        return new Typed(
                of(
                        "PERCENTILE_DISC("
                                + choices.pick(FRACTIONS)
                                + ") WITHIN GROUP (ORDER BY %s"
                                + choices.oneOf("", " DESC")
                                + ")%s",
                        value.text(),
                        filter),
                value.type());
    }

    /** Floats are added in the order of the rows. */
    private Typed floats(SqlText filter) {
        Typed value = expressions.floating(1);
        String sum = "sum(%s ORDER BY " + ROW + ")%s";
        return choices.chance(50)
                ? new Typed(SqlText.of("SUM(%s)%s", sum, value.text(), filter), value.type())
                : new Typed(
                        new SqlText(
                                of("AVG(%s)%s", value.text(), filter).spillway(),
                                "(%s / count(%s)%s)"
                                        .formatted(
                                                sum.formatted(
                                                        value.text().duckdb(), filter.duckdb()),
                                                value.text().duckdb(),
                                                filter.duckdb())),
                        value.type());
    }

    /** The first or the last; DuckDB's own functions take the sign from a zero. */
    private Typed end(SqlText filter) {
        Typed value = operand();
        boolean first = choices.chance(50);
        SqlText list = ordered("ARRAY_AGG", value.text(), filter);
        return new Typed(
                new SqlText(
                        (first ? "FIRST" : "LAST")
                                + list.spillway().substring("ARRAY_AGG".length()),
                        "(" + list.duckdb() + ")[" + (first ? 1 : -1) + "]"),
                value.type());
    }

    /** In the order of the rows, or in one of its own. */
    private SqlText ordered(String function, SqlText value, SqlText filter) {
        if (choices.chance(50)) {
            return SqlText.of(
                    function + "(%s)%s", function + "(%s ORDER BY " + ROW + ")%s", value, filter);
        }
        QueryStep.Key key = expressions.key();
        return SqlText.of(
                function + "(%s) WITHIN GROUP (ORDER BY %s)%s",
                function + "(%s ORDER BY %s, " + ROW + ")%s",
                value,
                key.text(),
                filter);
    }
}
