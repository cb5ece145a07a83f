package io.spillway.catalog;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.FileMetadata.UnreadableColumn;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds files to the columns of the first one: the same names with the same types, in any order;
 * whether values may be null may differ.
 */
final class SameSchema {

    private static final String UNREADABLE = "a column that cannot be read";

    private final String firstFile;
    private final Map<String, String> expected;

    SameSchema(String firstFile, FileShape first) {
        this.firstFile = firstFile;
        this.expected = columns(first);
    }

    /**
     * Checks a shape.
     *
     * @param file the first file that has it
     * @throws SpillwayException {@code SCHEMA_MISMATCH} naming the file and the column
     */
    void check(String file, FileShape shape) {
        Map<String, String> found = columns(shape);
        expected.forEach(
                (name, type) -> {
                    String theirs = found.remove(name);
                    if (!type.equals(theirs)) {
                        throw mismatch(file, name, type, theirs);
                    }
                });
        found.forEach(
                (name, type) -> {
                    throw mismatch(file, name, null, type);
                });
    }

    /** What each column is, in words. */
    private static Map<String, String> columns(FileShape shape) {
        Map<String, String> columns = new LinkedHashMap<>();
        for (ColumnSchema column : shape.schema().columns()) {
            columns.put(column.name(), withoutNulls(column.type()).toString());
        }
        for (UnreadableColumn column : shape.unreadable()) {
            columns.put(column.name(), UNREADABLE);
        }
        return columns;
    }

    /** The type as if every value in it could be null. */
    private static ColumnType withoutNulls(ColumnType type) {
        return switch (type) {
            case ColumnType.ListOf(var element, boolean _) ->
                    new ColumnType.ListOf(withoutNulls(element), true);
            case ColumnType.Struct(var fields) ->
                    new ColumnType.Struct(
                            fields.stream()
                                    .map(
                                            f ->
                                                    new ColumnSchema(
                                                            f.name(), withoutNulls(f.type()), true))
                                    .toList());
            case ColumnType.MapOf(var key, var value, boolean _) ->
                    new ColumnType.MapOf(withoutNulls(key), withoutNulls(value), true);
            case ColumnType.Bool _,
                    ColumnType.Int _,
                    ColumnType.FloatingPoint _,
                    ColumnType.Decimal _,
                    ColumnType.Utf8 _,
                    ColumnType.Binary _,
                    ColumnType.FixedBinary _,
                    ColumnType.Date _,
                    ColumnType.Time _,
                    ColumnType.Timestamp _ ->
                    type;
        };
    }

    private SpillwayException mismatch(
            String file, String column, @Nullable String type, @Nullable String found) {
        String what =
                type == null
                        ? "is not in the first file"
                        : found == null
                                ? "is missing"
                                : "is %s instead of %s".formatted(found, type);
        return new SpillwayException(
                        ErrorCode.SCHEMA_MISMATCH,
                        "Column '%s' of %s %s; the first file is %s"
                                .formatted(column, file, what, firstFile))
                .with(SpillwayException.FILE, file)
                .with(SpillwayException.COLUMN, column)
                .with(SpillwayException.EXPECTED, type)
                .with(SpillwayException.FOUND, found);
    }
}
