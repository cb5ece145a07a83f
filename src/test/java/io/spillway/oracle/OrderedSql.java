package io.spillway.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Steps as DuckDB SQL. Each becomes one SELECT whose last column, {@link QueryCase#ROW}, says where
 * a row stands: rows ordered by it are in Spillway's order.
 */
final class OrderedSql {

    private static final String ROW = QueryCase.ROW;

    private final String scan;
    private final List<Column> base;

    /**
     * @param scan a query of the files' rows
     * @param base its columns
     */
    OrderedSql(String scan, List<Column> base) {
        this.scan = scan;
        this.base = base;
    }

    /** A plan over the files. */
    String of(List<QueryStep> steps) {
        String sql = scan;
        List<Column> present = base;
        for (QueryStep step : steps) {
            sql = apply(step, sql, present);
            present = Schemas.after(step, present, base);
        }
        return sql;
    }

    private String apply(QueryStep step, String input, List<Column> present) {
        return switch (step) {
            case QueryStep.Filter(SqlText where) ->
                    "SELECT * FROM (" + input + ") WHERE " + where.duckdb();
            case QueryStep.Limit(long rows) ->
                    "SELECT * FROM (" + input + ") ORDER BY " + ROW + " LIMIT " + rows;
            case QueryStep.Offset(long rows) ->
                    "SELECT * FROM (" + input + ") ORDER BY " + ROW + " OFFSET " + rows;
            case QueryStep.Select(boolean star, List<QueryStep.Named> named) ->
                    project(input, star ? present : List.of(), named);
            case QueryStep.WithColumns(List<QueryStep.Named> named) ->
                    replace(named, input, present);
            case QueryStep.Rename(Map<String, String> renamed) ->
                    "SELECT %s, %s FROM (%s)"
                            .formatted(
                                    String.join(
                                            ", ",
                                            present.stream().map(c -> rename(c, renamed)).toList()),
                                    ROW,
                                    input);
            case QueryStep.Union(List<QueryStep> with) ->
                    part(input, present, 0) + " UNION ALL " + part(of(with), present, 1);
            case QueryStep.RowIndex(Column column, long start) ->
                    "SELECT %s, %d::BIGINT + row_number() OVER (ORDER BY %s) AS %s, %s FROM (%s)"
                            .formatted(names(present), start - 1, ROW, column.quoted(), ROW, input);
            case QueryStep.Repartition _ -> input;
            case QueryStep.Drop drop ->
                    project(input, Schemas.after(drop, present, base), List.of());
            case QueryStep.Sort(List<QueryStep.Key> by) ->
                    "SELECT %s, row_number() OVER (ORDER BY %s) AS %s FROM (%s)"
                            .formatted(names(present), stable(by), ROW, input);
            case QueryStep.Distinct(List<Column> on) ->
                    ("SELECT * FROM (%s) QUALIFY row_number() OVER (PARTITION BY %s ORDER BY %s)"
                                    + " = 1")
                            .formatted(input, names(on.isEmpty() ? present : on), ROW);
            case QueryStep.Aggregate aggregate -> aggregate(aggregate, input);
            case QueryStep.Join join ->
                    new JoinSql(
                                    join,
                                    present,
                                    Schemas.after(join.with(), base),
                                    Schemas.after(join, present, base))
                            .of(input, of(join.with()));
            case QueryStep.Window window -> replace(window.columns(), input, present);
            case QueryStep.Explode(Column column, boolean outer) ->
                    explode(column, outer, input, present);
        };
    }

    /** A key's first value is the group's, for zero has two. */
    private static String aggregate(QueryStep.Aggregate aggregate, String input) {
        List<String> inner = new ArrayList<>(List.of("*"));
        List<String> outer = new ArrayList<>();
        List<String> keys = new ArrayList<>();
        for (QueryStep.Named key : aggregate.by()) {
            String name = "__key" + keys.size() + "__";
            inner.add(key.expression().duckdb() + " AS " + name);
            outer.add("first(%s ORDER BY %s) AS %s".formatted(name, ROW, key.column().quoted()));
            keys.add(name);
        }
        aggregate.measures().forEach(m -> outer.add(alias(m)));
        return "SELECT %s, coalesce(min(%s), 0) AS %s FROM (SELECT %s FROM (%s))%s"
                .formatted(
                        String.join(", ", outer),
                        ROW,
                        ROW,
                        String.join(", ", inner),
                        input,
                        keys.isEmpty() ? "" : " GROUP BY " + String.join(", ", keys));
    }

    private static String explode(
            Column column, boolean outer, String input, List<Column> present) {
        String list = column.quoted();
        String taken =
                outer
                        ? "CASE WHEN len(%s) > 0 THEN %s ELSE [NULL] END".formatted(list, list)
                        : list;
        List<String> items =
                present.stream()
                        .map(c -> c.equals(column) ? "unnest(%s) AS %s".formatted(taken, list) : c.quoted())
                        .toList();
        String exploded =
                "SELECT %s, unnest(range(1, 1 + len(%s))) AS __element__, %s AS __list__ FROM (%s)"
                        .formatted(String.join(", ", items), taken, ROW, input);
        return "SELECT %s, row_number() OVER (ORDER BY __list__, __element__) AS %s FROM (%s)"
                .formatted(names(present), ROW, exploded);
    }

    /** One input of a union, its rows numbered so that all inputs' are in order. */
    private static String part(String input, List<Column> present, int number) {
        return "SELECT %s, %d::BIGINT * 4294967296 + row_number() OVER (ORDER BY %s) AS %s FROM (%s)"
                .formatted(names(present), number, ROW, ROW, input);
    }

    private static String rename(Column column, Map<String, String> renamed) {
        String name = renamed.getOrDefault(column.name(), column.name());
        return column.quoted() + " AS " + new Column(name, column.type()).quoted();
    }

    private static String replace(
            List<QueryStep.Named> with, String input, List<Column> present) {
        List<String> items = new ArrayList<>();
        for (Column c : Schemas.with(with, present)) {
            String item = c.quoted();
            for (QueryStep.Named n : with) {
                if (n.column().name().equals(c.name())) {
                    item = alias(n);
                }
            }
            items.add(item);
        }
        return "SELECT " + String.join(", ", items) + ", " + ROW + " FROM (" + input + ")";
    }

    private static String project(String input, List<Column> kept, List<QueryStep.Named> named) {
        List<String> items = new ArrayList<>(kept.stream().map(Column::quoted).toList());
        named.forEach(n -> items.add(alias(n)));
        return "SELECT " + String.join(", ", items) + ", " + ROW + " FROM (" + input + ")";
    }

    private static String alias(QueryStep.Named named) {
        return named.expression().duckdb() + " AS " + named.column().quoted();
    }

    /** An order in which ties stay as they are. */
    static String stable(List<QueryStep.Key> by) {
        return String.join(
                ", ",
                Stream.concat(by.stream().map(k -> k.text().duckdb()), Stream.of(ROW)).toList());
    }

    static String names(List<Column> columns) {
        return String.join(", ", columns.stream().map(Column::quoted).toList());
    }
}
