package io.spillway.plan.physical;

import io.spillway.batch.RowSchema;
import io.spillway.operator.aggregate.AggregateCall;
import io.spillway.operator.join.JoinKey;
import io.spillway.operator.key.SortKey;
import io.spillway.operator.window.WindowCall;
import io.spillway.operator.window.WindowFrame;
import java.util.ArrayList;
import java.util.List;

/** Keys and calls of operators as text that reads like SQL, for people. */
final class KeyText {

    private static final int MAX_KEYS = 50;

    private KeyText() {}

    /** Columns by name, as {@code a, b}. */
    static String columns(List<Integer> columns, RowSchema schema) {
        return list(columns.stream().map(c -> name(c, schema)).toList(), ", ");
    }

    /** An order, as {@code a DESC NULLS LAST, b}: NULLS LAST is not said of an ascending key. */
    static String order(List<SortKey> keys, RowSchema schema) {
        return list(keys.stream().map(k -> order(k, schema)).toList(), ", ");
    }

    private static String order(SortKey key, RowSchema schema) {
        return name(key.column(), schema)
                + (key.descending() ? " DESC" : "")
                + (key.nullsFirst() ? " NULLS FIRST" : key.descending() ? " NULLS LAST" : "");
    }

    /** What must be equal, as {@code a = b AND c IS NOT DISTINCT FROM d}. */
    static String keys(List<JoinKey> keys, RowSchema left, RowSchema right) {
        return list(
                keys.stream()
                        .map(
                                k ->
                                        name(k.left(), left)
                                                + (k.nullSafe() ? " IS NOT DISTINCT FROM " : " = ")
                                                + name(k.right(), right))
                        .toList(),
                " AND ");
    }

    /** As {@code SUM(DISTINCT a) FILTER (WHERE b)}. */
    static String call(AggregateCall call, RowSchema input) {
        StringBuilder text = new StringBuilder(call.function().name()).append('(');
        text.append(call.distinct() ? "DISTINCT " : "");
        List<String> arguments = new ArrayList<>();
        call.arguments().forEach(a -> arguments.add(name(a, input)));
        call.parameters().forEach(p -> arguments.add(ExpressionText.of(p, input)));
        text.append(String.join(", ", arguments));
        if (!call.order().isEmpty()) {
            text.append(" ORDER BY ").append(order(call.order(), input));
        }
        text.append(')');
        Integer filter = call.filter();
        if (filter != null) {
            text.append(" FILTER (WHERE ").append(name(filter, input)).append(')');
        }
        return text.toString();
    }

    /** As {@code LAG(a, 1)}, with the frame behind it where that matters. */
    static String call(WindowCall call, RowSchema input) {
        List<String> arguments = new ArrayList<>();
        call.arguments().forEach(a -> arguments.add(name(a, input)));
        call.parameters().forEach(p -> arguments.add(ExpressionText.of(p, input)));
        String text = call.function().name() + "(" + String.join(", ", arguments) + ")";
        return call.function().usesFrame() ? text + " " + frame(call.frame(), input) : text;
    }

    private static String frame(WindowFrame frame, RowSchema input) {
        return frame.unit()
                + " BETWEEN "
                + bound(frame.start(), input)
                + " AND "
                + bound(frame.end(), input);
    }

    private static String bound(WindowFrame.Bound bound, RowSchema input) {
        String kind = bound.kind().name().replace('_', ' ');
        return bound.offset() == null
                ? kind
                : ExpressionText.of(bound.offset(), input) + " " + kind;
    }

    private static String name(int column, RowSchema schema) {
        return ExpressionText.name(schema.column(column).name());
    }

    private static String list(List<String> items, String separator) {
        return items.size() <= MAX_KEYS
                ? String.join(separator, items)
                : String.join(separator, items.subList(0, MAX_KEYS))
                        + "%s… %,d more".formatted(separator, items.size() - MAX_KEYS);
    }
}
