package io.spillway.testing;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.jspecify.annotations.Nullable;

/**
 * Nested types, Java values of them, and vectors of these, at random. A list is a {@code List} of
 * its elements, a struct one of its fields' values, a map one of its pairs, and a pair a list of
 * key and value. What a leaf's values are is up to the caller.
 */
public final class NestedValues {

    private static final String[] NAMES = {
        "a",
        "A",
        "b_1",
        "",
        " ",
        "odd name",
        "\"",
        "a\"\"b",
        "list<int32>",
        "x,y",
        "é",
        "not null",
        ">"
    };

    /** Makes a value of a type that is not nested. */
    public interface LeafValue {
        Object of(ColumnType type, Random random);
    }

    /** Makes a vector of values of a type that is not nested. */
    public interface LeafVector {
        FieldVector of(ColumnType type, List<@Nullable Object> values, BufferAllocator allocator);
    }

    /** Reads a value of a type that is not nested, which is not null. */
    public interface LeafReader {
        Object read(ColumnType type, FieldVector vector, int row);
    }

    private NestedValues() {}

    /**
     * A nested type.
     *
     * @param depth how many levels it may have
     */
    public static ColumnType type(List<ColumnType> leaves, int depth, Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> new ColumnType.ListOf(any(leaves, depth - 1, random), random.nextBoolean());
            case 1 -> {
                List<ColumnSchema> fields = new ArrayList<>();
                int first = random.nextInt(NAMES.length);
                int count = random.nextInt(4);
                for (int i = 0; i < count; i++) {
                    fields.add(
                            new ColumnSchema(
                                    NAMES[(first + i) % NAMES.length],
                                    any(leaves, depth - 1, random),
                                    random.nextBoolean()));
                }
                yield new ColumnType.Struct(fields);
            }
            default ->
                    new ColumnType.MapOf(
                            random.nextBoolean()
                                    ? new ColumnType.Utf8()
                                    : any(leaves, depth - 1, random),
                            any(leaves, depth - 1, random),
                            random.nextBoolean());
        };
    }

    private static ColumnType any(List<ColumnType> leaves, int depth, Random random) {
        return depth > 0 && random.nextInt(3) > 0
                ? type(leaves, depth, random)
                : leaves.get(random.nextInt(leaves.size()));
    }

    /** A value of any type, nested or not. */
    public static Object value(ColumnType type, Random random, LeafValue leaf) {
        return switch (type) {
            case ColumnType.ListOf(ColumnType element, boolean nullable) -> {
                List<@Nullable Object> list = new ArrayList<>();
                int count = length(random);
                for (int i = 0; i < count; i++) {
                    list.add(valueOrNull(element, nullable, random, leaf));
                }
                yield list;
            }
            case ColumnType.Struct(List<ColumnSchema> fields) -> {
                List<@Nullable Object> struct = new ArrayList<>();
                for (ColumnSchema field : fields) {
                    struct.add(valueOrNull(field.type(), field.nullable(), random, leaf));
                }
                yield struct;
            }
            case ColumnType.MapOf(ColumnType key, ColumnType value, boolean nullable) -> {
                List<@Nullable Object> map = new ArrayList<>();
                int count = length(random);
                for (int i = 0; i < count; i++) {
                    List<@Nullable Object> pair = new ArrayList<>();
                    pair.add(value(key, random, leaf));
                    pair.add(valueOrNull(value, nullable, random, leaf));
                    map.add(pair);
                }
                yield map;
            }
            case ColumnType flat -> leaf.of(flat, random);
        };
    }

    private static @Nullable Object valueOrNull(
            ColumnType type, boolean nullable, Random random, LeafValue leaf) {
        return nullable && random.nextInt(4) == 0 ? null : value(type, random, leaf);
    }

    private static int length(Random random) {
        return random.nextInt(40) == 0 ? 30 : random.nextInt(4);
    }

    /**
     * A vector of values.
     *
     * @param hidden if not null, makes values that stand under nulls, where readers must not look
     */
    public static FieldVector vector(
            ColumnSchema column,
            List<? extends @Nullable Object> values,
            LeafVector leaf,
            @Nullable Hidden hidden,
            BufferAllocator allocator) {
        FieldVector vector = column.toArrow().createVector(allocator);
        fill(vector, column.type(), new ArrayList<>(values), leaf, hidden);
        return vector;
    }

    /** Values to stand where nobody may look. */
    public record Hidden(Random random, LeafValue leaf) {

        @Nullable Object value(ColumnType type) {
            return random.nextInt(3) == 0 ? null : NestedValues.value(type, random, leaf);
        }
    }

    private static void fill(
            FieldVector vector,
            ColumnType type,
            List<@Nullable Object> values,
            LeafVector leaf,
            @Nullable Hidden hidden) {
        switch (type) {
            case ColumnType.ListOf(ColumnType element, boolean _) -> {
                ListVector list = (ListVector) vector;
                List<@Nullable Object> elements = flat(list, type, values, hidden);
                fill(list.getDataVector(), element, elements, leaf, hidden);
                list.setValueCount(values.size());
            }
            case ColumnType.MapOf(ColumnType key, ColumnType value, boolean nullable) -> {
                ListVector map = (ListVector) vector;
                List<@Nullable Object> entries = flat(map, type, values, hidden);
                ColumnType entry =
                        new ColumnType.Struct(
                                List.of(
                                        new ColumnSchema("key", key, false),
                                        new ColumnSchema("value", value, nullable)));
                fill(map.getDataVector(), entry, entries, leaf, hidden);
                map.setValueCount(values.size());
            }
            case ColumnType.Struct(List<ColumnSchema> fields) -> {
                StructVector struct = (StructVector) vector;
                struct.setInitialCapacity(Math.max(1, values.size()));
                struct.allocateNew();
                for (int i = 0; i < values.size(); i++) {
                    if (values.get(i) != null) {
                        struct.setIndexDefined(i);
                    }
                }
                for (int f = 0; f < fields.size(); f++) {
                    List<@Nullable Object> column = new ArrayList<>();
                    for (Object value : values) {
                        column.add(
                                value instanceof List<?> of
                                        ? of.get(f)
                                        : hidden == null
                                                ? null
                                                : hidden.value(fields.get(f).type()));
                    }
                    fill(
                            struct.getChildrenFromFields().get(f),
                            fields.get(f).type(),
                            column,
                            leaf,
                            hidden);
                }
                struct.setValueCount(values.size());
            }
            case ColumnType flat -> {
                try (FieldVector made = leaf.of(flat, values, vector.getAllocator())) {
                    made.makeTransferPair(vector).transfer();
                }
            }
        }
    }

    /** Writes validity and offsets; gives the elements. */
    private static List<@Nullable Object> flat(
            ListVector list,
            ColumnType type,
            List<@Nullable Object> values,
            @Nullable Hidden hidden) {
        list.setInitialCapacity(values.size());
        list.allocateNew();
        List<@Nullable Object> elements = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            Object value = values.get(i);
            list.startNewValue(i);
            Object shown = value == null && hidden != null ? hidden.value(type) : value;
            if (shown instanceof List<?> of) {
                elements.addAll(of);
                list.endValue(i, of.size());
            }
            if (value == null) {
                BitVectorHelper.unsetBit(list.getValidityBuffer(), i);
            }
        }
        return elements;
    }

    /** A row of a vector; the reader is asked for leaves alone. */
    public static @Nullable Object read(
            ColumnType type, FieldVector vector, int row, LeafReader leaf) {
        if (vector.isNull(row)) {
            return null;
        }
        return switch (type) {
            case ColumnType.ListOf(ColumnType element, boolean _) ->
                    elements(element, (ListVector) vector, row, leaf);
            case ColumnType.MapOf(ColumnType key, ColumnType value, boolean nullable) ->
                    elements(
                            new ColumnType.Struct(
                                    List.of(
                                            new ColumnSchema("key", key, false),
                                            new ColumnSchema("value", value, nullable))),
                            (ListVector) vector,
                            row,
                            leaf);
            case ColumnType.Struct(List<ColumnSchema> fields) -> {
                List<@Nullable Object> struct = new ArrayList<>();
                for (int f = 0; f < fields.size(); f++) {
                    FieldVector child = vector.getChildrenFromFields().get(f);
                    struct.add(read(fields.get(f).type(), child, row, leaf));
                }
                yield struct;
            }
            case ColumnType flat -> leaf.read(flat, vector, row);
        };
    }

    private static List<@Nullable Object> elements(
            ColumnType element, ListVector vector, int row, LeafReader leaf) {
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = vector.getElementStartIndex(row); i < vector.getElementEndIndex(row); i++) {
            list.add(read(element, vector.getDataVector(), i, leaf));
        }
        return list;
    }
}
