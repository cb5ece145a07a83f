package io.spillway.oracle;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A query that Spillway and DuckDB both understand.
 *
 * @param dataset the configured data set that stands for the files, or null to name the files
 *     themselves
 * @param files Parquet files in scan order
 * @param columns the files' columns
 * @param steps in the order in which they run
 */
record QueryCase(
        @Nullable String dataset, List<Path> files, List<Column> columns, List<QueryStep> steps) {

    /** The column of {@link #duckdb()} that pins the order of rows; not a column of the result. */
    static final String ROW = "__row__";

    private static final JsonMapper MAPPER = new JsonMapper();

    QueryCase {
        files = List.copyOf(files);
        columns = List.copyOf(columns);
        steps = List.copyOf(steps);
    }

    /** The plan's JSON text. */
    String plan() {
        return MAPPER.writeValueAsString(plan(steps, MAPPER.createObjectNode()));
    }

    private ObjectNode plan(List<QueryStep> planSteps, ObjectNode plan) {
        ObjectNode from = plan.putObject("from");
        if (dataset != null) {
            from.put("dataset", dataset);
        } else {
            ObjectNode source = from.putObject("files");
            source.put("format", "parquet");
            ArrayNode paths = source.putArray("paths");
            files.forEach(f -> paths.add(f.toString()));
        }
        ArrayNode array = plan.putArray("steps");
        planSteps.forEach(s -> write(s, array.addObject()));
        return plan;
    }

    private void write(QueryStep step, ObjectNode json) {
        switch (step) {
            case QueryStep.Filter(SqlText where) ->
                    json.put("op", "filter").put("where", where.spillway());
            case QueryStep.Select(boolean star, List<QueryStep.Named> named) -> {
                ArrayNode array = json.put("op", "select").putArray("columns");
                if (star) {
                    array.add("*");
                }
                for (QueryStep.Named n : named) {
                    array.add(n.expression().spillway() + " AS " + n.column().quoted());
                }
            }
            case QueryStep.WithColumns(List<QueryStep.Named> named) -> {
                ObjectNode object = json.put("op", "withColumns").putObject("columns");
                named.forEach(n -> object.put(n.column().name(), n.expression().spillway()));
            }
            case QueryStep.Rename(Map<String, String> names) -> {
                ObjectNode object = json.put("op", "rename").putObject("columns");
                names.forEach(object::put);
            }
            case QueryStep.Drop(List<String> names) -> {
                ArrayNode array = json.put("op", "drop").putArray("columns");
                names.forEach(array::add);
            }
            case QueryStep.Limit(long rows) -> json.put("op", "limit").put("rows", rows);
            case QueryStep.Offset(long rows) -> json.put("op", "offset").put("rows", rows);
            case QueryStep.Union(List<QueryStep> with) ->
                    plan(with, json.put("op", "union").putArray("with").addObject());
            case QueryStep.RowIndex(Column column, long start) ->
                    json.put("op", "rowIndex").put("name", column.name()).put("start", start);
            case QueryStep.Repartition(long rows) ->
                    json.put("op", "repartition").put("rowsPerPartition", rows);
        }
    }

    /**
     * The same as one SELECT whose last column, {@link #ROW}, is the position in the input: rows
     * ordered by it are in Spillway's order. Each step is one level of nesting.
     */
    String duckdb() {
        return duckdb(steps);
    }

    private String duckdb(List<QueryStep> planSteps) {
        String sql = scan();
        List<Column> present = columns;
        for (QueryStep step : planSteps) {
            sql = apply(step, sql, present);
            present = Schemas.after(step, present);
        }
        return sql;
    }

    /** The columns that come out. */
    List<Column> result() {
        List<Column> present = columns;
        for (QueryStep step : steps) {
            present = Schemas.after(step, present);
        }
        return present;
    }

    private String scan() {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            parts.add(
                    "SELECT %s, %d::BIGINT * 4294967296 + file_row_number AS %s FROM read_parquet('%s', file_row_number = true)"
                            .formatted(
                                    names(columns),
                                    i,
                                    ROW,
                                    files.get(i).toString().replace("'", "''")));
        }
        return String.join(" UNION ALL ", parts);
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
            case QueryStep.WithColumns with -> withColumns(with, input, present);
            case QueryStep.Rename(Map<String, String> renamed) ->
                    "SELECT %s, %s FROM (%s)"
                            .formatted(
                                    String.join(
                                            ", ",
                                            present.stream().map(c -> rename(c, renamed)).toList()),
                                    ROW,
                                    input);
            case QueryStep.Union(List<QueryStep> with) ->
                    part(input, present, 0) + " UNION ALL " + part(duckdb(with), present, 1);
            case QueryStep.RowIndex(Column column, long start) ->
                    "SELECT %s, %d::BIGINT + row_number() OVER (ORDER BY %s) AS %s, %s FROM (%s)"
                            .formatted(names(present), start - 1, ROW, column.quoted(), ROW, input);
            case QueryStep.Repartition _ -> input;
            case QueryStep.Drop drop -> project(input, Schemas.after(drop, present), List.of());
        };
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

    private static String withColumns(
            QueryStep.WithColumns with, String input, List<Column> present) {
        List<String> items = new ArrayList<>();
        for (Column c : Schemas.after(with, present)) {
            String item = c.quoted();
            for (QueryStep.Named n : with.columns()) {
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

    private static String names(List<Column> columns) {
        return String.join(", ", columns.stream().map(Column::quoted).toList());
    }
}
