package io.spillway.scan.arrow;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A field of a file's schema: how its values lie in a record batch, and what they are to Spillway.
 *
 * @param layout of its values; of a dictionary's indices if there is one
 * @param type null if the field cannot be read
 * @param unreadable why not, else null
 * @param children as the layout has them; none where there is a dictionary
 * @param dictionary where its values are, if a record batch has indices only
 */
record ArrowField(
        String name,
        boolean nullable,
        Layout layout,
        @Nullable ColumnType type,
        @Nullable String unreadable,
        List<ArrowField> children,
        @Nullable DictionaryRef dictionary) {

    /**
     * A dictionary.
     *
     * @param id its number
     * @param signed whether the indices are
     * @param values a field of the dictionary's entries
     */
    record DictionaryRef(long id, boolean signed, ArrowField values) {}

    ArrowField {
        children = List.copyOf(children);
    }

    /** The column that its values make; the field must be readable. */
    ColumnSchema column() {
        if (type == null) {
            throw new IllegalStateException(name + " cannot be read");
        }
        return new ColumnSchema(name, type, nullable);
    }
}
