package io.spillway.catalog;

import io.spillway.batch.RowSchema;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.ScanFile;
import io.spillway.scan.SkippedFile;
import java.util.List;
import java.util.Map;

/**
 * The input files of one {@code from}, pinned: what is scanned, in what state, in what order.
 *
 * @param format name of the scan format
 * @param options of the format, by name, as text
 * @param schema the columns that the files have between them, in the order in which they appear,
 *     then those that their folders' names tell
 * @param unreadable columns that cannot be read in all files that have them, and why
 * @param files in scan order, each with what tells it from the schema
 * @param skipped files that were found but left out, in scan order
 */
public record Snapshot(
        String format,
        Map<String, String> options,
        RowSchema schema,
        List<FileMetadata.UnreadableColumn> unreadable,
        List<ScanFile> files,
        List<SkippedFile> skipped) {

    public Snapshot {
        options = Map.copyOf(options);
        unreadable = List.copyOf(unreadable);
        files = List.copyOf(files);
        skipped = List.copyOf(skipped);
    }

    public long rows() {
        return files.stream().mapToLong(ScanFile::rows).sum();
    }

    public long bytes() {
        return files.stream().mapToLong(f -> f.status().size()).sum();
    }
}
