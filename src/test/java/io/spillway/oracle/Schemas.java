package io.spillway.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Which columns a step leaves. */
final class Schemas {

    private Schemas() {}

    static List<Column> after(QueryStep step, List<Column> present) {
        return switch (step) {
            case QueryStep.Filter f -> present;
            case QueryStep.Limit l -> present;
            case QueryStep.Offset o -> present;
            case QueryStep.Union u -> present;
            case QueryStep.Repartition r -> present;
            case QueryStep.RowIndex(Column column, long _) -> {
                List<Column> columns = new ArrayList<>(present);
                columns.add(column);
                yield List.copyOf(columns);
            }
            case QueryStep.Select(boolean star, List<QueryStep.Named> named) -> {
                List<Column> columns = new ArrayList<>(star ? present : List.of());
                named.forEach(n -> columns.add(n.column()));
                yield List.copyOf(columns);
            }
            case QueryStep.WithColumns(List<QueryStep.Named> named) -> with(named, present);
            case QueryStep.Rename(Map<String, String> names) ->
                    present.stream()
                            .map(c -> new Column(names.getOrDefault(c.name(), c.name()), c.type()))
                            .toList();
            case QueryStep.Drop(List<String> names) ->
                    present.stream().filter(c -> !names.contains(c.name())).toList();
        };
    }

    private static List<Column> with(List<QueryStep.Named> named, List<Column> present) {
        List<Column> columns = new ArrayList<>(present);
        for (QueryStep.Named n : named) {
            columns.replaceAll(c -> c.name().equals(n.column().name()) ? n.column() : c);
            if (!columns.contains(n.column())) {
                columns.add(n.column());
            }
        }
        return List.copyOf(columns);
    }
}
