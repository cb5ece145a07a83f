package io.spillway.catalog;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.scan.FileMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a file's columns are. Of thousands of files in a folder nearly all have the same.
 *
 * @param schema the columns that can be read
 * @param unreadable the other ones
 */
record FileShape(RowSchema schema, List<FileMetadata.UnreadableColumn> unreadable) {

    static FileShape of(FileMetadata metadata) {
        return new FileShape(metadata.schema(), metadata.unreadable());
    }

    /** The same with columns of other types: those that are named. */
    FileShape with(Map<String, ColumnType> types) {
        if (types.isEmpty()) {
            return this;
        }
        List<ColumnSchema> columns = new ArrayList<>();
        for (ColumnSchema column : schema.columns()) {
            ColumnType type = types.getOrDefault(column.name(), column.type());
            columns.add(new ColumnSchema(column.name(), type, column.nullable()));
        }
        return new FileShape(new RowSchema(columns), unreadable);
    }
}
