package io.spillway.oracle;

import io.spillway.oracle.Expressions.Typed;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes windows, and the functions over them. */
final class Windows {

    private static final List<String> ROW_FRAMES =
            List.of(
                    "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW",
                    "ROWS BETWEEN 2 PRECEDING AND CURRENT ROW",
                    "ROWS BETWEEN 3 PRECEDING AND 1 FOLLOWING",
                    "ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
                    "ROWS BETWEEN 5 PRECEDING AND 2 PRECEDING",
                    "ROWS BETWEEN 100 FOLLOWING AND 3000 FOLLOWING",
                    "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING");
    private static final List<String> RANGE_FRAMES =
            List.of(
                    "RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW",
                    "RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
                    "RANGE BETWEEN CURRENT ROW AND CURRENT ROW",
                    "RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING");
    private static final List<String> OFFSET_FRAMES =
            List.of(
                    "RANGE BETWEEN 3 PRECEDING AND 2 FOLLOWING",
                    "RANGE BETWEEN 100 PRECEDING AND 1 PRECEDING",
                    "RANGE BETWEEN CURRENT ROW AND 7 FOLLOWING");

    private final Choices choices;
    private final Expressions expressions;
    private final List<SqlText> partition = new ArrayList<>();
    private final List<QueryStep.Key> order = new ArrayList<>();
    private final @Nullable String frame;

    Windows(Choices choices, Expressions expressions) {
        this.choices = choices;
        this.expressions = expressions;
        int keys = choices.oneOf(1, 0, 2);
        for (int i = 0; i < keys; i++) {
            partition.add(expressions.operand(15).text());
        }
        frame =
                switch (choices.below(5)) {
                    case 0, 1 -> null;
                    case 2 -> choices.pick(RANGE_FRAMES);
                    case 3 -> choices.pick(OFFSET_FRAMES);
                    default -> choices.pick(ROW_FRAMES);
                };
        if (frame != null && OFFSET_FRAMES.contains(frame)) {
            order.add(new QueryStep.Key(expressions.small(), expressions.direction()));
        } else {
            int by = choices.below(3);
            for (int i = 0; i < by; i++) {
                order.add(expressions.key());
            }
        }
    }

    /**
     * The step.
     *
     * @param named gives what is computed a name
     */
    QueryStep.Window make(Function<Typed, QueryStep.Named> named) {
        List<QueryStep.Named> columns = new ArrayList<>();
        int count = 1 + choices.below(3);
        for (int i = 0; i < count; i++) {
            columns.add(named.apply(function()));
        }
        return new QueryStep.Window(partition, order, frame, columns);
    }

    private Typed function() {
        ValueType integer = new ValueType.Int(64, 20);
        // Ranks without an order are refused.
        int kinds = order.isEmpty() ? 6 : 9;
        return switch (choices.below(kinds)) {
            case 0 -> new Typed(byRow("ROW_NUMBER()"), integer);
            case 1 -> neighbour();
            case 2 -> picked();
            case 3, 4 -> overFrame();
            case 5 -> new Typed(byRow("NTILE(" + choices.oneOf(3, 1, 100) + ")"), integer);
            case 6 -> new Typed(byPeers("RANK()"), integer);
            case 7 -> new Typed(byPeers("DENSE_RANK()"), integer);
            default ->
                    new Typed(
                            byPeers(choices.oneOf("PERCENT_RANK()", "CUME_DIST()")),
                            new ValueType.Float64());
        };
    }

    private Typed neighbour() {
        Typed value = expressions.operand(15);
        String function = choices.oneOf("LAG", "LEAD");
        return new Typed(
                switch (choices.below(3)) {
                    case 0 -> byRow(function + "(%s)", value.text());
                    case 1 ->
                            byRow(
                                    function + "(%s, " + choices.oneOf(1, 0, 2, 5000) + ")",
                                    value.text());
                    default -> byRow(function + "(%s, 3, %s)", value.text(), value.text());
                },
                value.type());
    }

    /** A row of the frame; which one is the last of a range only its order by rows would say. */
    private Typed picked() {
        boolean byRows = frame != null && frame.startsWith("ROWS");
        Typed value = expressions.operand(15);
        String function =
                byRows
                        ? choices.oneOf("FIRST_VALUE(%s)", "LAST_VALUE(%s)", "NTH_VALUE(%s, 2)")
                        : "COUNT(%s)";
        return byRows
                ? new Typed(framed(function, true, value.text()), value.type())
                : new Typed(framed(function, false, value.text()), new ValueType.Int(64, 20));
    }

    private Typed overFrame() {
        boolean byRows = frame != null && frame.startsWith("ROWS");
        return switch (choices.below(5)) {
            case 0 -> {
                Typed value = expressions.addend();
                SqlText sum = framed("SUM(%s)", byRows, value.text());
                yield new Typed(
                        new SqlText(sum.spillway(), "CAST(" + sum.duckdb() + " AS BIGINT)"),
                        new ValueType.Int(64, 54));
            }
            case 1 -> new Typed(framed("COUNT(*)", byRows), new ValueType.Int(64, 20));
            case 2 -> {
                SqlText value = expressions.addend().text();
                SqlText mean = framed("AVG(%s)", byRows, value);
                SqlText sum = framed("sum(%s)", byRows, value);
                SqlText count = framed("count(%s)", byRows, value);
                yield new Typed(
                        new SqlText(
                                mean.spillway(),
                                "(CAST(%s AS DOUBLE) / %s)"
                                        .formatted(sum.duckdb(), count.duckdb())),
                        new ValueType.Float64());
            }
            default -> {
                Typed value = expressions.operand(15);
                if (value.type() instanceof ValueType.Float32
                        || value.type() instanceof ValueType.Float64) {
                    value = expressions.addend();
                }
                yield new Typed(
                        framed(choices.oneOf("MIN(%s)", "MAX(%s)"), byRows, value.text()),
                        value.type());
            }
        };
    }

    /** What looks at the frame. */
    private SqlText framed(String function, boolean byRows, SqlText... arguments) {
        return over(function, byRows, frame == null ? "" : " " + frame, arguments);
    }

    /** What depends on the order of rows alone. */
    private SqlText byRow(String function, SqlText... arguments) {
        return over(function, true, "", arguments);
    }

    /** What is the same for all rows that the order does not tell apart. */
    private SqlText byPeers(String function, SqlText... arguments) {
        return over(function, false, "", arguments);
    }

    private SqlText over(String function, boolean byRows, String bounds, SqlText... arguments) {
        SqlText call = SqlText.of(function, arguments);
        List<String> clauses = new ArrayList<>();
        if (!partition.isEmpty()) {
            clauses.add(
                    "PARTITION BY "
                            + String.join(", ", partition.stream().map(SqlText::duckdb).toList()));
        }
        if (byRows) {
            clauses.add("ORDER BY " + OrderedSql.stable(order));
        } else if (!order.isEmpty()) {
            clauses.add(
                    "ORDER BY "
                            + String.join(
                                    ", ", order.stream().map(k -> k.text().duckdb()).toList()));
        }
        return new SqlText(
                call.spillway(),
                "%s OVER (%s%s)".formatted(call.duckdb(), String.join(" ", clauses), bounds));
    }
}
