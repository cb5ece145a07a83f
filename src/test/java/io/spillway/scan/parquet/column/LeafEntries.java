package io.spillway.scan.parquet.column;

import io.spillway.scan.parquet.NestedData;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The levels and values of a nested column's leaves, by the format's definition of them. */
public final class LeafEntries {

    /** What a leaf's chunk holds for one of its entries; a value only where there is one. */
    public record Entry(int repetition, int definition, @Nullable Object value) {}

    private final List<List<Entry>> leaves = new ArrayList<>();

    private LeafEntries() {}

    /** One list of entries for each leaf. */
    static List<List<Entry>> of(NestedData.Field column, List<@Nullable Object> rows) {
        LeafEntries entries = new LeafEntries();
        for (int i = leaves(column.node()); i > 0; i--) {
            entries.leaves.add(new ArrayList<>());
        }
        rows.forEach(row -> entries.field(column, row, true, 0, 0, 0, 0));
        return entries.leaves;
    }

    private static int leaves(NestedData.Node node) {
        return switch (node) {
            case NestedData.Leaf _ -> 1;
            case NestedData.Struct(List<NestedData.Field> fields) ->
                    fields.stream().mapToInt(f -> leaves(f.node())).sum();
            case NestedData.Lists list -> leaves(list.element().node());
            case NestedData.Maps map -> leaves(map.key()) + leaves(map.value().node());
        };
    }

    /**
     * @param there whether the field's parent is there; if not, nothing below it is
     * @param leaf the first leaf below it
     * @param repetition of the entry
     * @param depth how many repeated fields stand around it
     * @param definition of its parent
     */
    private void field(
            NestedData.Field field,
            @Nullable Object value,
            boolean there,
            int leaf,
            int repetition,
            int depth,
            int definition) {
        int level = definition + (there && value != null && field.nullable() ? 1 : 0);
        node(field.node(), value, leaf, repetition, depth, level);
    }

    @SuppressWarnings("unchecked")
    private void node(
            NestedData.Node node,
            @Nullable Object value,
            int leaf,
            int repetition,
            int depth,
            int definition) {
        switch (node) {
            case NestedData.Leaf _ ->
                    leaves.get(leaf).add(new Entry(repetition, definition, value));
            case NestedData.Struct(List<NestedData.Field> fields) -> {
                int at = leaf;
                for (int i = 0; i < fields.size(); i++) {
                    NestedData.Field f = fields.get(i);
                    Object v = value == null ? null : ((List<@Nullable Object>) value).get(i);
                    field(f, v, value != null, at, repetition, depth, definition);
                    at += leaves(f.node());
                }
            }
            case NestedData.Lists list -> {
                List<@Nullable Object> elements =
                        value == null ? List.of() : (List<@Nullable Object>) value;
                if (elements.isEmpty()) {
                    node(list.element().node(), null, leaf, repetition, depth + 1, definition);
                }
                int entry = repetition;
                for (Object v : elements) {
                    field(list.element(), v, true, leaf, entry, depth + 1, definition + 1);
                    entry = depth + 1;
                }
            }
            case NestedData.Maps map -> {
                List<List<@Nullable Object>> pairs =
                        value == null ? List.of() : (List<List<@Nullable Object>>) value;
                int values = leaf + leaves(map.key());
                NestedData.Field valueField = map.value();
                if (pairs.isEmpty()) {
                    node(map.key(), null, leaf, repetition, depth + 1, definition);
                    node(valueField.node(), null, values, repetition, depth + 1, definition);
                }
                int entry = repetition;
                for (List<@Nullable Object> pair : pairs) {
                    // A key that is declared optional, as in the older form, is one level higher.
                    int key = definition + (map.standard() ? 1 : 2);
                    node(map.key(), pair.get(0), leaf, entry, depth + 1, key);
                    field(valueField, pair.get(1), true, values, entry, depth + 1, definition + 1);
                    entry = depth + 1;
                }
            }
        }
    }
}
