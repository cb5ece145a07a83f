package io.spillway.catalog;

import io.spillway.batch.RowSchema;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.ScanFile;
import java.util.List;

/**
 * The input files of one {@code from}, pinned: what is scanned, in what state, in what order.
 *
 * @param format name of the scan format
 * @param schema columns that all files have, in the first file's order
 * @param unreadable columns that cannot be read, and why
 * @param files in scan order
 */
public record Snapshot(
        String format,
        RowSchema schema,
        List<FileMetadata.UnreadableColumn> unreadable,
        List<ScanFile> files) {

    public Snapshot {
        unreadable = List.copyOf(unreadable);
        files = List.copyOf(files);
    }

    public long rows() {
        return files.stream().mapToLong(ScanFile::rows).sum();
    }

    public long bytes() {
        return files.stream().mapToLong(f -> f.status().size()).sum();
    }
}
