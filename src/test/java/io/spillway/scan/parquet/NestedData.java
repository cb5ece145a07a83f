package io.spillway.scan.parquet;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;
import org.jspecify.annotations.Nullable;

/**
 * Random nested columns: what they mean, how one of the forms that writers use says it in Parquet's
 * schema, and values. A value is null, a leaf's object, or a list: of elements, of the values of a
 * struct's fields, or of a map's entries, each a list of key and value.
 */
public final class NestedData {

    /** What a column's values are, nulls aside. */
    public sealed interface Node {}

    public record Leaf(PrimitiveTypeName type) implements Node {}

    public record Struct(List<Field> fields) implements Node {}

    public record Lists(Form form, Field element) implements Node {}

    public record Maps(Node key, Field value, boolean standard) implements Node {}

    public record Field(String name, Node node, boolean nullable) {}

    /** How a list is written. */
    enum Form {
        THREE_LEVELS,
        /** The repeated field is the element, which is never null. */
        TWO_LEVELS,
        /** A repeated field that nothing is said of; neither list nor elements are ever null. */
        REPEATED,
        /** A map that has keys only. */
        KEYS
    }

    private static final List<PrimitiveTypeName> LEAVES =
            List.of(
                    PrimitiveTypeName.INT32,
                    PrimitiveTypeName.INT64,
                    PrimitiveTypeName.DOUBLE,
                    PrimitiveTypeName.BOOLEAN,
                    PrimitiveTypeName.BINARY,
                    PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY);

    private static final int FIXED = 3;

    private final Random random;
    private final List<PrimitiveTypeName> leaves;

    /** Values are drawn from so many. */
    private final int distinct;

    public NestedData(long seed) {
        this(seed, LEAVES);
    }

    /** With leaves of these types only. */
    public NestedData(long seed, List<PrimitiveTypeName> leaves) {
        this.leaves = leaves;
        this.random = new Random(seed);
        this.distinct = random.nextBoolean() ? 5 : 100_000;
    }

    /** A random column. */
    public Field column(String name, int depth) {
        Node node = node(depth, true);
        return new Field(name, node, !isRepeated(node) && random.nextInt(3) > 0);
    }

    private static boolean isRepeated(Node node) {
        return node instanceof Lists list && list.form() == Form.REPEATED;
    }

    private Node node(int depth, boolean mayRepeat) {
        if (depth == 0 || random.nextInt(6) == 0) {
            return leaf();
        }
        return switch (random.nextInt(mayRepeat ? 5 : 4)) {
            case 0 -> struct(depth);
            case 1 ->
                    new Maps(
                            random.nextInt(4) == 0 ? node(depth - 1, false) : leaf(),
                            column("value", depth - 1),
                            random.nextBoolean());
            case 2 -> {
                Node element = node(depth - 1, false);
                yield new Lists(Form.TWO_LEVELS, new Field("element", element, false));
            }
            case 3 -> {
                Node element = node(depth - 1, false);
                Form form = random.nextInt(4) == 0 ? Form.KEYS : Form.THREE_LEVELS;
                yield new Lists(form, new Field("element", element, random.nextBoolean()));
            }
            default ->
                    new Lists(Form.REPEATED, new Field("element", node(depth - 1, false), false));
        };
    }

    private Struct struct(int depth) {
        int fields = 1 + random.nextInt(3);
        return new Struct(
                IntStream.range(0, fields).mapToObj(i -> column("f" + i, depth - 1)).toList());
    }

    private Leaf leaf() {
        return new Leaf(leaves.get(random.nextInt(leaves.size())));
    }

    /** What Spillway should call it. */
    static ColumnSchema schema(Field field) {
        return new ColumnSchema(field.name(), type(field.node()), field.nullable());
    }

    private static ColumnType type(Node node) {
        return switch (node) {
            case Leaf(PrimitiveTypeName type) ->
                    switch (type) {
                        case INT32 -> new ColumnType.Int(32, true);
                        case INT64 -> new ColumnType.Int(64, true);
                        case DOUBLE -> new ColumnType.FloatingPoint(64);
                        case BOOLEAN -> new ColumnType.Bool();
                        case BINARY -> new ColumnType.Utf8();
                        default -> new ColumnType.FixedBinary(FIXED);
                    };
            case Struct(List<Field> fields) ->
                    new ColumnType.Struct(fields.stream().map(NestedData::schema).toList());
            case Lists(Form _, Field element) ->
                    new ColumnType.ListOf(type(element.node()), element.nullable());
            case Maps(Node key, Field value, boolean _) ->
                    new ColumnType.MapOf(type(key), type(value.node()), value.nullable());
        };
    }

    /** How it is written. */
    public static Type parquet(Field field) {
        return parquet(field.name(), field.node(), field.nullable());
    }

    private static Type parquet(String name, Node node, boolean nullable) {
        if (node instanceof Lists list && list.form() == Form.REPEATED) {
            return parquet(name, list.element().node(), Repetition.REPEATED);
        }
        return parquet(name, node, nullable ? Repetition.OPTIONAL : Repetition.REQUIRED);
    }

    private static Type parquet(String name, Node node, Repetition repetition) {
        return switch (node) {
            case Leaf(PrimitiveTypeName type) ->
                    switch (type) {
                        case BINARY ->
                                Types.primitive(type, repetition)
                                        .as(LogicalTypeAnnotation.stringType())
                                        .named(name);
                        case FIXED_LEN_BYTE_ARRAY ->
                                Types.primitive(type, repetition).length(FIXED).named(name);
                        default -> Types.primitive(type, repetition).named(name);
                    };
            case Struct(List<Field> fields) ->
                    new GroupType(
                            repetition, name, fields.stream().map(NestedData::parquet).toList());
            case Lists(Form form, Field element) -> list(name, form, element, repetition);
            case Maps(Node key, Field value, boolean standard) ->
                    Types.buildGroup(repetition)
                            .as(
                                    standard
                                            ? LogicalTypeAnnotation.mapType()
                                            : LogicalTypeAnnotation.MapKeyValueTypeAnnotation
                                                    .getInstance())
                            .addField(
                                    new GroupType(
                                            Repetition.REPEATED,
                                            standard ? "key_value" : "map",
                                            parquet(standard ? "key" : "k", key, !standard),
                                            parquet(value)))
                            .named(name);
        };
    }

    private static Type list(String name, Form form, Field element, Repetition repetition) {
        Type inner =
                switch (form) {
                    case THREE_LEVELS ->
                            new GroupType(Repetition.REPEATED, "list", parquet(element));
                    case KEYS -> new GroupType(Repetition.REPEATED, "keys", parquet(element));
                    default -> {
                        boolean tuple = name.length() % 2 == 0;
                        yield parquet(
                                tuple ? name + "_tuple" : "array",
                                element.node(),
                                Repetition.REPEATED);
                    }
                };
        return Types.buildGroup(repetition)
                .as(
                        form == Form.KEYS
                                ? LogicalTypeAnnotation.mapType()
                                : LogicalTypeAnnotation.listType())
                .addField(inner)
                .named(name);
    }

    /** A random value. */
    public @Nullable Object value(Field field) {
        return field.nullable() && random.nextInt(4) == 0 ? null : value(field.node());
    }

    private Object value(Node node) {
        return switch (node) {
            case Leaf(PrimitiveTypeName type) -> {
                int n = random.nextInt(distinct);
                yield switch (type) {
                    case INT32 -> n;
                    case INT64 -> (long) n << 20;
                    case DOUBLE -> n / 8.0;
                    case BOOLEAN -> n % 2 == 0;
                    case BINARY -> "t" + "x".repeat(n % 30) + n;
                    default -> new byte[] {(byte) n, (byte) (n >> 8), 1};
                };
            }
            case Struct(List<Field> fields) -> {
                List<@Nullable Object> values = new ArrayList<>();
                fields.forEach(f -> values.add(value(f)));
                yield values;
            }
            case Lists(Form _, Field element) -> {
                List<@Nullable Object> values = new ArrayList<>();
                for (int n = length(); n > 0; n--) {
                    values.add(value(element));
                }
                yield values;
            }
            case Maps(Node key, Field value, boolean _) -> {
                List<@Nullable Object> entries = new ArrayList<>();
                for (int n = length(); n > 0; n--) {
                    List<@Nullable Object> entry = new ArrayList<>();
                    entry.add(value(key));
                    entry.add(value(value));
                    entries.add(entry);
                }
                yield entries;
            }
        };
    }

    private int length() {
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> 0;
            case 3, 4, 5 -> 1;
            case 6 -> random.nextInt(30);
            default -> random.nextInt(5);
        };
    }

    /** Adds a value to what parquet-java writes. */
    @SuppressWarnings("unchecked")
    static void add(Group parent, Field field, @Nullable Object value) {
        if (value == null) {
            return;
        }
        if (field.node() instanceof Lists list && list.form() == Form.REPEATED) {
            Field each = new Field(field.name(), list.element().node(), false);
            ((List<Object>) value).forEach(v -> add(parent, each, v));
            return;
        }
        String name = field.name();
        switch (field.node()) {
            case Leaf _ -> addLeaf(parent, name, value);
            case Struct(List<Field> fields) -> {
                Group group = parent.addGroup(name);
                for (int i = 0; i < fields.size(); i++) {
                    add(group, fields.get(i), ((List<@Nullable Object>) value).get(i));
                }
            }
            case Lists(Form form, Field element) -> {
                Group group = parent.addGroup(name);
                String inner = group.getType().getFieldName(0);
                for (Object v : (List<@Nullable Object>) value) {
                    if (form == Form.TWO_LEVELS) {
                        add(group, new Field(inner, element.node(), false), v);
                    } else {
                        add(group.addGroup(inner), element, v);
                    }
                }
            }
            case Maps(Node key, Field mapValue, boolean standard) -> {
                Group group = parent.addGroup(name);
                for (Object e : (List<Object>) value) {
                    List<@Nullable Object> entry = (List<@Nullable Object>) e;
                    Group pair = group.addGroup(0);
                    add(pair, new Field(standard ? "key" : "k", key, false), entry.get(0));
                    add(pair, mapValue, entry.get(1));
                }
            }
        }
    }

    private static void addLeaf(Group parent, String name, Object value) {
        switch (value) {
            case Integer v -> parent.add(name, v);
            case Long v -> parent.add(name, v);
            case Double v -> parent.add(name, v);
            case Boolean v -> parent.add(name, v);
            case String v -> parent.add(name, v);
            default -> parent.add(name, Binary.fromConstantByteArray((byte[]) value));
        }
    }

    /** A value in the form of {@link Values}. */
    public static @Nullable String text(Field field, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        return text(field.node(), value);
    }

    private static String inner(Node node, @Nullable Object value) {
        return NestedValues.quoted(value == null ? null : text(node, value), type(node));
    }

    @SuppressWarnings("unchecked")
    private static String text(Node node, Object value) {
        return switch (node) {
            case Leaf _ ->
                    value instanceof byte[] b ? HexFormat.of().formatHex(b) : value.toString();
            case Struct(List<Field> fields) -> {
                List<String> texts = new ArrayList<>();
                for (int i = 0; i < fields.size(); i++) {
                    Field f = fields.get(i);
                    Object v = ((List<@Nullable Object>) value).get(i);
                    texts.add(NestedValues.field(f.name(), inner(f.node(), v)));
                }
                yield NestedValues.struct(texts);
            }
            case Lists(Form _, Field element) -> {
                List<String> texts = new ArrayList<>();
                for (Object v : (List<@Nullable Object>) value) {
                    texts.add(inner(element.node(), v));
                }
                yield NestedValues.list(texts);
            }
            case Maps(Node key, Field mapValue, boolean _) -> {
                List<String> texts = new ArrayList<>();
                for (Object e : (List<Object>) value) {
                    List<@Nullable Object> entry = (List<@Nullable Object>) e;
                    texts.add(
                            NestedValues.pair(
                                    inner(key, entry.get(0)),
                                    inner(mapValue.node(), entry.get(1))));
                }
                yield NestedValues.map(texts);
            }
        };
    }
}
