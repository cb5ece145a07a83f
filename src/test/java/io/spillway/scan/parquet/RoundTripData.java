package io.spillway.scan.parquet;

import io.spillway.scan.parquet.column.Shape;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.parquet.example.data.Group;
import org.jspecify.annotations.Nullable;

/**
 * Random columns of all types, nested ones too, and values of them, told to each writer in its own
 * way. A value is null, a flat value of its kind, or a list: of elements, of a struct's fields, or
 * of the keys and values of a map in turn. Lists and maps are written in the form that the format
 * asks for today.
 */
final class RoundTripData {

    /** What a column's values are, nulls aside. */
    sealed interface Shape {}

    record Flat(RoundTripKind kind) implements Shape {}

    record ListOf(Column element) implements Shape {}

    record Struct(List<Column> fields) implements Shape {}

    record MapOf(RoundTripKind key, Column value) implements Shape {}

    record Column(String name, Shape shape, boolean nullable) {}

    private final Random random;
    private final List<RoundTripKind> kinds;

    /**
     * @param kinds the flat types to draw from
     */
    RoundTripData(long seed, List<RoundTripKind> kinds) {
        this.random = new Random(seed);
        this.kinds = kinds;
    }

    /** A random column. */
    Column column(String name, int depth) {
        boolean nullable = random.nextInt(4) > 0;
        int choice = depth == 0 ? 3 : random.nextInt(6);
        return new Column(
                name,
                switch (choice) {
                    case 0 -> new ListOf(column("element", depth - 1));
                    case 1 ->
                            new Struct(
                                    IntStream.rangeClosed(0, random.nextInt(3))
                                            .mapToObj(i -> column("f" + i, depth - 1))
                                            .toList());
                    case 2 -> new MapOf(key(), column("value", depth - 1));
                    default -> new Flat(kinds.get(random.nextInt(kinds.size())));
                },
                nullable);
    }

    private static RoundTripKind key() {
        return RoundTripKind.TEXT;
    }

    /** Rows, drawn from so many different ones. */
    List<List<@Nullable Object>> rows(List<Column> columns, int count, int distinct) {
        List<List<@Nullable Object>> pool = new ArrayList<>();
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (i < distinct) {
                List<@Nullable Object> row = new ArrayList<>();
                columns.forEach(c -> row.add(value(c)));
                pool.add(row);
            }
            rows.add(i < distinct ? pool.get(i) : pool.get(random.nextInt(distinct)));
        }
        return rows;
    }

    private @Nullable Object value(Column column) {
        if (column.nullable() && random.nextInt(4) == 0) {
            return null;
        }
        List<@Nullable Object> inner = new ArrayList<>();
        return switch (column.shape()) {
            case Flat(RoundTripKind kind) -> kind.value(random);
            case ListOf(Column element) -> {
                for (int n = random.nextInt(5); n > 0; n--) {
                    inner.add(value(element));
                }
                yield inner;
            }
            case Struct(List<Column> fields) -> {
                fields.forEach(f -> inner.add(value(f)));
                yield inner;
            }
            case MapOf(RoundTripKind key, Column value) -> {
                for (int n = random.nextInt(4); n > 0; n--) {
                    inner.add(("key" + n).getBytes(StandardCharsets.UTF_8));
                    inner.add(value(value));
                }
                yield inner;
            }
        };
    }

    /** The message in Parquet's own syntax. */
    static String message(List<Column> columns) {
        return columns.stream()
                .map(RoundTripData::parquet)
                .collect(Collectors.joining(" ", "message m { ", " }"));
    }

    private static String parquet(Column column) {
        String repetition = column.nullable() ? "optional " : "required ";
        String name = column.name();
        return repetition
                + switch (column.shape()) {
                    case Flat(RoundTripKind kind) -> kind.parquet(name) + ";";
                    case ListOf(Column element) ->
                            "group "
                                    + name
                                    + " (LIST) { repeated group list { "
                                    + parquet(element)
                                    + " } }";
                    case Struct(List<Column> fields) ->
                            fields.stream()
                                    .map(RoundTripData::parquet)
                                    .collect(
                                            Collectors.joining(" ", "group " + name + " { ", " }"));
                    case MapOf(RoundTripKind key, Column value) ->
                            "group "
                                    + name
                                    + " (MAP) { repeated group key_value { required "
                                    + key.parquet("key")
                                    + "; "
                                    + parquet(value)
                                    + " } }";
                };
    }

    /** Adds a value to a row, or a group of one. */
    static void add(Group group, Column column, @Nullable Object value) {
        if (value == null) {
            return;
        }
        String name = column.name();
        switch (column.shape()) {
            case Flat _ -> RoundTripKind.add(group, name, value);
            case ListOf(Column element) -> {
                Group list = group.addGroup(name);
                for (Object e : (List<?>) value) {
                    add(list.addGroup("list"), element, e);
                }
            }
            case Struct(List<Column> fields) -> {
                Group struct = group.addGroup(name);
                for (int i = 0; i < fields.size(); i++) {
                    add(struct, fields.get(i), ((List<?>) value).get(i));
                }
            }
            case MapOf(RoundTripKind _, Column inner) -> {
                Group map = group.addGroup(name);
                List<?> entries = (List<?>) value;
                for (int i = 0; i < entries.size(); i += 2) {
                    Group entry = map.addGroup("key_value");
                    RoundTripKind.add(entry, "key", entries.get(i));
                    add(entry, inner, entries.get(i + 1));
                }
            }
        }
    }

    /** The type in DuckDB's syntax. */
    static String duckDb(Column column) {
        return switch (column.shape()) {
            case Flat(RoundTripKind kind) -> kind.duckDb();
            case ListOf(Column element) -> duckDb(element) + "[]";
            case Struct(List<Column> fields) ->
                    fields.stream()
                            .map(f -> f.name() + " " + duckDb(f))
                            .collect(Collectors.joining(", ", "STRUCT(", ")"));
            case MapOf(RoundTripKind key, Column value) ->
                    "MAP(" + key.duckDb() + ", " + duckDb(value) + ")";
        };
    }

    /** The value as a DuckDB expression of that type. */
    static String literal(Column column, @Nullable Object value) {
        return "CAST(" + expression(column, value) + " AS " + duckDb(column) + ")";
    }

    private static String expression(Column column, @Nullable Object value) {
        if (value == null) {
            return "NULL";
        }
        return switch (column.shape()) {
            case Flat(RoundTripKind kind) -> kind.literal(value);
            case ListOf(Column element) ->
                    ((List<?>) value)
                            .stream()
                                    .map(e -> expression(element, e))
                                    .collect(Collectors.joining(", ", "[", "]"));
            case Struct(List<Column> fields) ->
                    IntStream.range(0, fields.size())
                            .mapToObj(
                                    i ->
                                            fields.get(i).name()
                                                    + ": "
                                                    + expression(
                                                            fields.get(i),
                                                            ((List<?>) value).get(i)))
                            .collect(Collectors.joining(", ", "{", "}"));
            case MapOf(RoundTripKind key, Column inner) ->
                    entries((List<?>) value, key::literal, e -> expression(inner, e), "MAP {", "}");
        };
    }

    private interface Texts {
        String of(Object value);
    }

    private interface NullableTexts {
        String of(@Nullable Object value);
    }

    private static String entries(
            List<?> entries, Texts key, NullableTexts value, String open, String close) {
        return IntStream.range(0, entries.size() / 2)
                .mapToObj(
                        i ->
                                NestedValues.pair(
                                        key.of(entries.get(2 * i)),
                                        value.of(entries.get(2 * i + 1))))
                .collect(Collectors.joining(", ", open, close));
    }

    /** The value as {@link Values} gives it. */
    static @Nullable String text(Column column, @Nullable Object value) {
        return value != null && column.shape() instanceof Flat(RoundTripKind kind)
                ? kind.text(value)
                : value == null ? null : inner(column, value);
    }

    private static String inner(Column column, @Nullable Object value) {
        if (value == null) {
            return "null";
        }
        return switch (column.shape()) {
            case Flat(RoundTripKind kind) -> kind.quoted(value);
            case ListOf(Column element) -> {
                List<String> elements = new ArrayList<>();
                ((List<?>) value).forEach(e -> elements.add(inner(element, e)));
                yield NestedValues.list(elements);
            }
            case Struct(List<Column> fields) -> {
                List<String> texts = new ArrayList<>();
                for (int i = 0; i < fields.size(); i++) {
                    Column field = fields.get(i);
                    texts.add(
                            NestedValues.field(
                                    field.name(), inner(field, ((List<?>) value).get(i))));
                }
                yield NestedValues.struct(texts);
            }
            case MapOf(RoundTripKind key, Column inner) ->
                    entries((List<?>) value, key::quoted, e -> inner(inner, e), "<", ">");
        };
    }
}
