package io.spillway.oracle;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
        ObjectNode plan = MAPPER.createObjectNode();
        write(steps, plan);
        return MAPPER.writeValueAsString(plan);
    }

    private void write(List<QueryStep> planSteps, ObjectNode plan) {
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
        StepJson json = new StepJson(this::write);
        planSteps.forEach(s -> json.write(s, array.addObject()));
    }

    /**
     * The same as one SELECT whose last column, {@link #ROW}, is the position in the input: rows
     * ordered by it are in Spillway's order. Each step is one level of nesting.
     */
    String duckdb() {
        return new OrderedSql(scan(), columns).of(steps);
    }

    /** The columns that come out. */
    List<Column> result() {
        return Schemas.after(steps, columns);
    }

    private String scan() {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            parts.add(
                    "SELECT %s, %d::BIGINT * 4294967296 + file_row_number AS %s FROM read_parquet('%s', file_row_number = true)"
                            .formatted(
                                    OrderedSql.names(columns),
                                    i,
                                    ROW,
                                    files.get(i).toString().replace("'", "''")));
        }
        return String.join(" UNION ALL ", parts);
    }
}
