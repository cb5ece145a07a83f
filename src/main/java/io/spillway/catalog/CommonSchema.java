package io.spillway.catalog;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.FileMetadata.UnreadableColumn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The columns that files of several shapes have between them: by exact name, each of the narrowest
 * type that holds all its values unchanged ({@link Widening}), in the order in which they appear. A
 * column that a shape does not have, or that may be null in one, may be null. A column that cannot
 * be read in one file that has it cannot be read.
 */
final class CommonSchema {

    private final Map<String, Column> columns = new LinkedHashMap<>();
    private final Map<String, UnreadableColumn> unreadable = new LinkedHashMap<>();
    private int shapes;

    /** A column as far as shapes have been seen. */
    private static final class Column {

        final String firstFile;
        final Set<ColumnType> types = new LinkedHashSet<>();
        ColumnType common;
        boolean nullable;
        int shapes;

        Column(String file, ColumnType type) {
            firstFile = file;
            types.add(type);
            common = type;
        }
    }

    /**
     * Takes in a shape that is not among those before.
     *
     * @param file the first file that has it
     * @throws SpillwayException {@code SCHEMA_MISMATCH} naming file, column and both types
     */
    void add(String file, FileShape shape) {
        shapes++;
        shape.unreadable().forEach(c -> unreadable.putIfAbsent(c.name(), c));
        for (ColumnSchema theirs : shape.schema().columns()) {
            Column column =
                    columns.computeIfAbsent(theirs.name(), _ -> new Column(file, theirs.type()));
            if (column.types.add(theirs.type())) {
                ColumnType common = Widening.common(column.types);
                if (common == null) {
                    throw mismatch(file, theirs, column);
                }
                column.common = common;
            }
            column.nullable |= theirs.nullable();
            column.shapes++;
        }
    }

    /** The columns that can be read. */
    RowSchema schema() {
        List<ColumnSchema> schema = new ArrayList<>();
        columns.forEach(
                (name, column) -> {
                    if (!unreadable.containsKey(name)) {
                        boolean nullable = column.nullable || column.shapes < shapes;
                        schema.add(new ColumnSchema(name, column.common, nullable));
                    }
                });
        return new RowSchema(schema);
    }

    List<UnreadableColumn> unreadable() {
        return List.copyOf(unreadable.values());
    }

    private static SpillwayException mismatch(String file, ColumnSchema theirs, Column column) {
        return new SpillwayException(
                        ErrorCode.SCHEMA_MISMATCH,
                        "Column '%s' is %s in %s but %s in %s, and no type holds both"
                                .formatted(
                                        theirs.name(),
                                        theirs.type(),
                                        file,
                                        column.common,
                                        column.firstFile))
                .with(SpillwayException.FILE, file)
                .with(SpillwayException.COLUMN, theirs.name())
                .with(SpillwayException.EXPECTED, column.common.toString())
                .with(SpillwayException.FOUND, theirs.type().toString());
    }
}
