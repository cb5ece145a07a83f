package io.spillway.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Which columns a step leaves. */
final class Schemas {

    private Schemas() {}

    /** The columns that a plan leaves. */
    static List<Column> after(List<QueryStep> steps, List<Column> base) {
        List<Column> present = base;
        for (QueryStep step : steps) {
            present = after(step, present, base);
        }
        return present;
    }

    /**
     * The columns that a step leaves.
     *
     * @param base the columns of the files, which plans in steps read
     */
    static List<Column> after(QueryStep step, List<Column> present, List<Column> base) {
        return switch (step) {
            case QueryStep.Filter f -> present;
            case QueryStep.Limit l -> present;
            case QueryStep.Offset o -> present;
            case QueryStep.Union u -> present;
            case QueryStep.Repartition r -> present;
            case QueryStep.Sort s -> present;
            case QueryStep.Distinct d -> present;
            case QueryStep.Aggregate(List<QueryStep.Named> by, List<QueryStep.Named> measures) ->
                    Stream.concat(by.stream(), measures.stream())
                            .map(QueryStep.Named::column)
                            .toList();
            case QueryStep.Join join -> joined(join, present, after(join.with(), base));
            case QueryStep.Window w -> with(w.columns(), present);
            case QueryStep.Explode(Column column, boolean _) ->
                    present.stream().map(c -> c.equals(column) ? element(column) : c).toList();
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

    /** With columns added or replaced. */
    static List<Column> with(List<QueryStep.Named> named, List<Column> present) {
        List<Column> columns = new ArrayList<>(present);
        for (QueryStep.Named n : named) {
            columns.replaceAll(c -> c.name().equals(n.column().name()) ? n.column() : c);
            if (!columns.contains(n.column())) {
                columns.add(n.column());
            }
        }
        return List.copyOf(columns);
    }

    /** The element of a list, in the list's place. */
    static Column element(Column list) {
        if (list.type() instanceof ValueType.ListOf(ValueType element)) {
            return new Column(list.name(), element);
        }
        throw new AssertionError("not a list: " + list);
    }

    private static List<Column> joined(
            QueryStep.Join join, List<Column> left, List<Column> right) {
        List<Column> columns = new ArrayList<>(left);
        switch (join.kind()) {
            case SEMI, ANTI -> {}
            case INNER, LEFT, RIGHT, FULL, CROSS -> {
                columns.addAll(right);
                columns.subList(left.size(), columns.size()).removeAll(join.using());
            }
        }
        return List.copyOf(columns);
    }
}
