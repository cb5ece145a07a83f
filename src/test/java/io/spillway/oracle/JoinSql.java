package io.spillway.oracle;

import io.spillway.plan.document.Step.JoinKind;
import java.util.List;

/**
 * A join as DuckDB SQL: rows in the order of the left side, matches of one row in the order of the
 * right side, right rows without a match last.
 *
 * @param left the columns of the left side
 * @param right those of the right side
 * @param result those that come out
 */
record JoinSql(QueryStep.Join join, List<Column> left, List<Column> right, List<Column> result) {

    private static final String LEFT_ROW = "__left__";
    private static final String RIGHT_ROW = "__right__";

    String of(String leftSide, String rightSide) {
        String sides = "(%s) AS l".formatted(numbered(leftSide, left, LEFT_ROW));
        String other = "(%s) AS r".formatted(numbered(rightSide, right, RIGHT_ROW));
        return switch (join.kind()) {
            case SEMI, ANTI ->
                    "SELECT %s, %s AS %s FROM %s WHERE %sEXISTS (SELECT 1 FROM %s WHERE %s)"
                            .formatted(
                                    OrderedSql.names(left),
                                    LEFT_ROW,
                                    QueryCase.ROW,
                                    sides,
                                    join.kind() == JoinKind.ANTI ? "NOT " : "",
                                    other,
                                    condition());
            case CROSS -> ordered(sides + " CROSS JOIN " + other);
            case INNER, LEFT, RIGHT, FULL ->
                    ordered(
                            "%s %s JOIN %s ON %s"
                                    .formatted(sides, join.kind(), other, condition()));
        };
    }

    private static String numbered(String side, List<Column> columns, String name) {
        return "SELECT %s, %s AS %s FROM (%s)"
                .formatted(OrderedSql.names(columns), QueryCase.ROW, name, side);
    }

    private String condition() {
        SqlText on = join.on();
        return on != null
                ? on.duckdb()
                : String.join(
                        " AND ",
                        join.using().stream()
                                .map(c -> "l.%s = r.%s".formatted(c.quoted(), c.quoted()))
                                .toList());
    }

    private String ordered(String pairs) {
        return "SELECT %s, row_number() OVER (ORDER BY %s NULLS LAST, %s NULLS LAST) AS %s FROM %s"
                .formatted(
                        String.join(", ", result.stream().map(this::item).toList()),
                        LEFT_ROW,
                        RIGHT_ROW,
                        QueryCase.ROW,
                        pairs);
    }

    private String item(Column column) {
        String name = column.quoted();
        if (!join.using().contains(column)) {
            return name;
        }
        return "coalesce(l.%s, r.%s) AS %s".formatted(name, name, name);
    }
}
