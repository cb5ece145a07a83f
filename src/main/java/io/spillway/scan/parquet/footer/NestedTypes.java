package io.spillway.scan.parquet.footer;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.ListLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapKeyValueTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * The tree of one column, by the format's rules for lists and maps, those for files of older
 * writers included:
 *
 * <ul>
 *   <li>A repeated field that is no part of a list or map is a list that is never null, of elements
 *       that are never null.
 *   <li>A group annotated as LIST whose one field is repeated is a list. Its elements are the
 *       repeated field itself if that is no group, has several fields, has one that is repeated, or
 *       is named {@code array} or as the list with {@code _tuple}; else they are that one field.
 *   <li>A group annotated as MAP or MAP_KEY_VALUE whose one field is a repeated group of two fields
 *       is a map: the first is the key, the second the value, whatever their names. A key that is
 *       declared optional is read as one that is never null; a null among them is an error. With
 *       one field only, the key, it is the list of the keys.
 *   <li>A group that is annotated so but has another form is a struct, as a group without
 *       annotation is.
 * </ul>
 *
 * @see <a href="https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#nested-types">
 *     Parquet's nested types</a>
 */
public final class NestedTypes {

    /** Types that are nested deeper are not read; the text form of types has the same limit. */
    static final int MAX_DEPTH = 64;

    static final String TOO_DEEP = "it is nested deeper than " + MAX_DEPTH + " levels";

    private static final String ELEMENT = "element";

    private int nextLeaf;

    private NestedTypes(int firstLeaf) {
        this.nextLeaf = firstLeaf;
    }

    /**
     * @param type a column that is not {@link #unreadable}
     * @param firstLeaf the position of its first leaf among all leaves of the file
     */
    public static ColumnNode of(Type type, int firstLeaf) {
        return new NestedTypes(firstLeaf).field(type.getName(), type, 0, 0);
    }

    /** Why a column cannot be read, or null if it can. */
    static @Nullable String unreadable(Type type) {
        return unreadable(type, "");
    }

    /** Why a column cannot be read of which one leaf cannot be. */
    static String ofLeaf(String path, String why) {
        return "its leaf '" + path + "' cannot be: " + why;
    }

    /** Levels of nesting of a type, 0 for a flat one. */
    static int depth(ColumnType type) {
        return switch (type) {
            case ColumnType.ListOf(ColumnType element, boolean _) -> 1 + depth(element);
            case ColumnType.MapOf(ColumnType key, ColumnType value, boolean _) ->
                    1 + Math.max(depth(key), depth(value));
            case ColumnType.Struct(List<ColumnSchema> fields) -> {
                int deepest = 0;
                for (ColumnSchema field : fields) {
                    deepest = Math.max(deepest, depth(field.type()));
                }
                yield 1 + deepest;
            }
            case ColumnType _ -> 0;
        };
    }

    private static @Nullable String unreadable(Type type, String parents) {
        if (type.isPrimitive()) {
            String why = ParquetTypes.unreadable(type.asPrimitiveType());
            return why == null || parents.isEmpty() ? why : ofLeaf(parents + type.getName(), why);
        }
        Set<String> names = new HashSet<>();
        String path = parents + type.getName() + ".";
        for (Type field : type.asGroupType().getFields()) {
            String why =
                    names.add(field.getName())
                            ? unreadable(field, path)
                            : "two of its fields have the name '" + path + field.getName() + "'";
            if (why != null) {
                return why;
            }
        }
        return null;
    }

    /**
     * A field with its repetition.
     *
     * @param repetition the highest repetition level around it
     * @param definition the definition level from which on its parent is there
     */
    private ColumnNode field(String name, Type type, int repetition, int definition) {
        return switch (type.getRepetition()) {
            case REQUIRED -> value(name, type, false, repetition, definition);
            case OPTIONAL -> value(name, type, true, repetition, definition + 1);
            case REPEATED -> {
                int level = repetition + 1;
                int elementAt = definition + 1;
                ColumnNode element = value(ELEMENT, type, false, level, elementAt);
                yield list(name, false, definition, level, elementAt, element);
            }
        };
    }

    /** A field without its repetition, there from a definition level on. */
    private ColumnNode value(
            String name, Type type, boolean nullable, int repetition, int presentAt) {
        if (type.isPrimitive()) {
            return leaf(name, type.asPrimitiveType(), nullable, repetition, presentAt);
        }
        GroupType group = type.asGroupType();
        int level = repetition + 1;
        int elementAt = presentAt + 1;
        LogicalTypeAnnotation logical = group.getLogicalTypeAnnotation();
        if (logical instanceof ListLogicalTypeAnnotation && isOneRepeated(group)) {
            Type repeated = group.getType(0);
            ColumnNode element =
                    isElement(repeated, group.getName())
                            ? value(ELEMENT, repeated, false, level, elementAt)
                            : field(ELEMENT, only(repeated), level, elementAt);
            return list(name, nullable, presentAt, level, elementAt, element);
        }
        if (isMap(logical) && isOneRepeated(group) && isEntry(group.getType(0))) {
            GroupType entry = group.getType(0).asGroupType();
            if (entry.getFieldCount() == 1) {
                ColumnNode key = field(ELEMENT, entry.getType(0), level, elementAt);
                return list(name, nullable, presentAt, level, elementAt, key);
            }
            return map(name, nullable, presentAt, level, elementAt, entry);
        }
        return struct(name, group, nullable, repetition, presentAt);
    }

    private ColumnNode leaf(
            String name, PrimitiveType type, boolean nullable, int repetition, int presentAt) {
        return new ColumnNode.Leaf(
                new ColumnSchema(name, ParquetTypes.columnType(type), nullable),
                presentAt,
                repetition,
                type.getPrimitiveTypeName(),
                type.getTypeLength(),
                nextLeaf++);
    }

    private ColumnNode struct(
            String name, GroupType group, boolean nullable, int repetition, int presentAt) {
        List<ColumnNode> fields = new ArrayList<>();
        for (Type child : group.getFields()) {
            fields.add(field(child.getName(), child, repetition, presentAt));
        }
        return struct(name, nullable, presentAt, fields);
    }

    private static ColumnNode struct(
            String name, boolean nullable, int presentAt, List<ColumnNode> fields) {
        ColumnType type = new ColumnType.Struct(fields.stream().map(ColumnNode::field).toList());
        return new ColumnNode.Struct(new ColumnSchema(name, type, nullable), presentAt, fields);
    }

    private static ColumnNode list(
            String name,
            boolean nullable,
            int presentAt,
            int level,
            int elementAt,
            ColumnNode element) {
        ColumnType type = new ColumnType.ListOf(element.field().type(), element.field().nullable());
        return new ColumnNode.Repeated(
                new ColumnSchema(name, type, nullable), presentAt, level, elementAt, element);
    }

    private ColumnNode map(
            String name,
            boolean nullable,
            int presentAt,
            int level,
            int elementAt,
            GroupType entry) {
        Type keyType = entry.getType(0);
        int keyAt = keyType.isRepetition(Type.Repetition.OPTIONAL) ? elementAt + 1 : elementAt;
        ColumnNode key = value(MapVector.KEY_NAME, keyType, false, level, keyAt);
        ColumnNode value = field(MapVector.VALUE_NAME, entry.getType(1), level, elementAt);
        ColumnType type =
                new ColumnType.MapOf(
                        key.field().type(), value.field().type(), value.field().nullable());
        ColumnNode entries =
                struct(MapVector.DATA_VECTOR_NAME, false, elementAt, List.of(key, value));
        return new ColumnNode.Repeated(
                new ColumnSchema(name, type, nullable), presentAt, level, elementAt, entries);
    }

    private static boolean isOneRepeated(GroupType group) {
        return group.getFieldCount() == 1
                && group.getType(0).isRepetition(Type.Repetition.REPEATED);
    }

    private static Type only(Type group) {
        return group.asGroupType().getType(0);
    }

    /** Whether the repeated field of a list is the element itself. */
    private static boolean isElement(Type repeated, String list) {
        return repeated.isPrimitive()
                || repeated.asGroupType().getFieldCount() != 1
                || only(repeated).isRepetition(Type.Repetition.REPEATED)
                || repeated.getName().equals("array")
                || repeated.getName().equals(list + "_tuple");
    }

    private static boolean isMap(@Nullable LogicalTypeAnnotation logical) {
        return logical instanceof MapLogicalTypeAnnotation
                || logical instanceof MapKeyValueTypeAnnotation;
    }

    private static boolean isEntry(Type repeated) {
        return !repeated.isPrimitive()
                && repeated.asGroupType().getFieldCount() <= 2
                && !only(repeated).isRepetition(Type.Repetition.REPEATED);
    }
}
