package io.spillway.scan.parquet;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.jspecify.annotations.Nullable;

/**
 * Nested values as exact, comparable text: {@code [1, null]}, {@code {"x": 1, "y": "text"}}, and
 * maps as the pairs they are, {@code <"k": 1, "k": 2>}. Texts and bytes in them stand in quotes, so
 * that an empty text, a null and the text "null" are three things.
 */
final class NestedValues {

    private NestedValues() {}

    static String list(ListVector v, ColumnType.ListOf type, int row) {
        List<String> elements = new ArrayList<>();
        for (int i = v.getElementStartIndex(row); i < v.getElementEndIndex(row); i++) {
            elements.add(inner(v.getDataVector(), type.element(), i));
        }
        return list(elements);
    }

    static String map(MapVector v, ColumnType.MapOf type, int row) {
        StructVector entries = (StructVector) v.getDataVector();
        FieldVector keys = entries.getChildrenFromFields().get(0);
        FieldVector values = entries.getChildrenFromFields().get(1);
        List<String> pairs = new ArrayList<>();
        for (int i = v.getElementStartIndex(row); i < v.getElementEndIndex(row); i++) {
            pairs.add(pair(inner(keys, type.key(), i), inner(values, type.value(), i)));
        }
        return map(pairs);
    }

    static String struct(StructVector v, ColumnType.Struct type, int row) {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < type.fields().size(); i++) {
            ColumnSchema field = type.fields().get(i);
            fields.add(
                    field(
                            field.name(),
                            inner(v.getChildrenFromFields().get(i), field.type(), row)));
        }
        return struct(fields);
    }

    private static String inner(FieldVector v, ColumnType type, int row) {
        return quoted(v.isNull(row) ? null : Values.text(v, type, row), type);
    }

    /** A value inside another one. */
    static String quoted(@Nullable String text, ColumnType type) {
        if (text == null) {
            return "null";
        }
        return switch (type) {
            case ColumnType.Utf8 _, ColumnType.Binary _, ColumnType.FixedBinary _ -> quote(text);
            case ColumnType _ -> text;
        };
    }

    static String list(List<String> elements) {
        return "[" + String.join(", ", elements) + "]";
    }

    static String map(List<String> pairs) {
        return "<" + String.join(", ", pairs) + ">";
    }

    static String pair(String key, String value) {
        return key + ": " + value;
    }

    static String struct(List<String> fields) {
        return "{" + String.join(", ", fields) + "}";
    }

    static String field(String name, String value) {
        return quote(name) + ": " + value;
    }

    static String quote(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
