package io.spillway.catalog;

import io.spillway.batch.RowSchema;
import io.spillway.scan.FileMetadata;
import java.util.List;

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
}
