package io.spillway.oracle;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Steps as they stand in a plan.
 *
 * @param plans writes a plan of some steps over the files into an object
 */
record StepJson(BiConsumer<List<QueryStep>, ObjectNode> plans) {

    void write(QueryStep step, ObjectNode json) {
        switch (step) {
            case QueryStep.Filter(SqlText where) ->
                    json.put("op", "filter").put("where", where.spillway());
            case QueryStep.Select(boolean star, List<QueryStep.Named> named) -> {
                ArrayNode array = json.put("op", "select").putArray("columns");
                if (star) {
                    array.add("*");
                }
                named.forEach(n -> array.add(aliased(n)));
            }
            case QueryStep.WithColumns(List<QueryStep.Named> named) ->
                    members(named, json.put("op", "withColumns").putObject("columns"));
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
                    plans.accept(with, json.put("op", "union").putArray("with").addObject());
            case QueryStep.RowIndex(Column column, long start) ->
                    json.put("op", "rowIndex").put("name", column.name()).put("start", start);
            case QueryStep.Repartition(long rows) ->
                    json.put("op", "repartition").put("rowsPerPartition", rows);
            case QueryStep.Sort(List<QueryStep.Key> by) ->
                    keys(by, json.put("op", "sort").putArray("by"));
            case QueryStep.Distinct(List<Column> on) -> {
                json.put("op", "distinct");
                if (!on.isEmpty()) {
                    ArrayNode array = json.putArray("on");
                    on.forEach(c -> array.add(c.name()));
                }
            }
            case QueryStep.Aggregate(List<QueryStep.Named> by, List<QueryStep.Named> measures) -> {
                ArrayNode array = json.put("op", "aggregate").putArray("by");
                by.forEach(key -> array.add(aliased(key)));
                members(measures, json.putObject("measures"));
            }
            case QueryStep.Join join -> join(join, json);
            case QueryStep.Window window -> window(window, json);
            case QueryStep.Explode(Column column, boolean outer) ->
                    json.put("op", "explode").put("column", column.name()).put("outer", outer);
        }
    }

    private void join(QueryStep.Join join, ObjectNode json) {
        json.put("op", "join").put("type", join.kind().name().toLowerCase(Locale.ROOT));
        plans.accept(join.with(), json.putObject("with"));
        SqlText on = join.on();
        if (on != null) {
            json.put("on", on.spillway());
        } else if (!join.using().isEmpty()) {
            ArrayNode array = json.putArray("on");
            join.using().forEach(c -> array.add(c.name()));
        }
    }

    private static void window(QueryStep.Window window, ObjectNode json) {
        ArrayNode partition = json.put("op", "window").putArray("partitionBy");
        window.partition().forEach(key -> partition.add(key.spillway()));
        keys(window.order(), json.putArray("orderBy"));
        if (window.frame() != null) {
            json.put("frame", window.frame());
        }
        members(window.columns(), json.putObject("columns"));
    }

    private static void keys(List<QueryStep.Key> keys, ArrayNode array) {
        keys.forEach(key -> array.add(key.text().spillway()));
    }

    private static void members(List<QueryStep.Named> named, ObjectNode object) {
        named.forEach(n -> object.put(n.column().name(), n.expression().spillway()));
    }

    private static String aliased(QueryStep.Named named) {
        return named.expression().spillway() + " AS " + named.column().quoted();
    }
}
