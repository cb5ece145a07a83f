package io.spillway.catalog;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.FileMetadata;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The schema that files share: the same columns by name, with the same types, in any order. Order
 * is the first file's; a column is nullable if it is in any file.
 */
final class CommonSchema {

    private static final String UNREADABLE = "a column that cannot be read";

    private final String firstFile;

    /** Readable columns by name, in order; nullability as far as files have been seen. */
    private final Map<String, ColumnSchema> columns = new LinkedHashMap<>();

    private final Map<String, FileMetadata.UnreadableColumn> unreadable = new LinkedHashMap<>();

    CommonSchema(String file, FileMetadata first) {
        firstFile = file;
        first.schema().columns().forEach(c -> columns.put(c.name(), c));
        first.unreadable().forEach(c -> unreadable.put(c.name(), c));
    }

    /**
     * Takes in one more file.
     *
     * @throws SpillwayException {@code SCHEMA_MISMATCH} naming the file and the column
     */
    void add(String file, FileMetadata metadata) {
        Map<String, ColumnSchema> theirs = new HashMap<>();
        metadata.schema().columns().forEach(c -> theirs.put(c.name(), c));
        Map<String, FileMetadata.UnreadableColumn> theirUnreadable = new HashMap<>();
        metadata.unreadable().forEach(c -> theirUnreadable.put(c.name(), c));

        for (ColumnSchema column : List.copyOf(columns.values())) {
            ColumnSchema other = theirs.remove(column.name());
            if (other == null) {
                String found = theirUnreadable.containsKey(column.name()) ? UNREADABLE : null;
                throw mismatch(file, column.name(), column.type().toString(), found);
            }
            if (!other.type().equals(column.type())) {
                throw mismatch(
                        file, column.name(), column.type().toString(), other.type().toString());
            }
            if (other.nullable() && !column.nullable()) {
                columns.put(column.name(), other);
            }
        }
        for (String name : unreadable.keySet()) {
            if (theirUnreadable.remove(name) == null) {
                ColumnSchema other = theirs.get(name);
                throw mismatch(
                        file, name, UNREADABLE, other == null ? null : other.type().toString());
            }
        }
        for (ColumnSchema column : metadata.schema().columns()) {
            if (theirs.containsKey(column.name())) {
                throw mismatch(file, column.name(), null, column.type().toString());
            }
        }
        if (!theirUnreadable.isEmpty()) {
            throw mismatch(file, theirUnreadable.keySet().iterator().next(), null, UNREADABLE);
        }
    }

    RowSchema schema() {
        return new RowSchema(new ArrayList<>(columns.values()));
    }

    List<FileMetadata.UnreadableColumn> unreadable() {
        return List.copyOf(unreadable.values());
    }

    private SpillwayException mismatch(
            String file, String column, @Nullable String expected, @Nullable String found) {
        String what =
                expected == null
                        ? "is not in the first file"
                        : found == null
                                ? "is missing"
                                : "is %s instead of %s".formatted(found, expected);
        return new SpillwayException(
                        ErrorCode.SCHEMA_MISMATCH,
                        "Column '%s' of %s %s; the first file is %s"
                                .formatted(column, file, what, firstFile))
                .with(SpillwayException.FILE, file)
                .with(SpillwayException.COLUMN, column)
                .with(SpillwayException.EXPECTED, expected)
                .with(SpillwayException.FOUND, found);
    }
}
