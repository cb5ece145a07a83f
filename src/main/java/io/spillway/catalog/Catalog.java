package io.spillway.catalog;

import io.spillway.batch.RowSchema;
import io.spillway.scan.pruning.PruningPredicate;
import io.spillway.storage.FileStatus;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/** What can be scanned. Thread-safe. Methods may wait for disk or network. */
public interface Catalog {

    /** Names of the datasets, sorted. */
    List<String> datasetNames();

    /** The same for one caller, who has its own datasets beside those of all. */
    default Catalog of(String owner) {
        return this;
    }

    /**
     * Pins the files of a dataset as they are now; reads metadata only.
     *
     * @throws io.spillway.error.SpillwayException {@code UNKNOWN_DATASET} with the nearest name as
     *     suggestion, and as {@link #files}
     */
    Snapshot dataset(String name);

    /**
     * Pins files as they are now; reads metadata only. Paths are absolute paths, URIs or globs
     * below an allowed root; the order is that of the paths as written, and by URI within one; a
     * file named twice is scanned twice only if it is named by two paths.
     *
     * @throws io.spillway.error.SpillwayException {@code PATH_NOT_ALLOWED} (also for a file that
     *     exists but stands outside, so that nobody learns what exists there), {@code
     *     FILE_NOT_FOUND}, {@code FILE_CORRUPT}, {@code FILE_NOT_SUPPORTED}, {@code
     *     SCHEMA_MISMATCH} naming file and column, {@code NOT_SUPPORTED} for an unknown format or
     *     option
     */
    Snapshot files(String format, List<String> paths, Map<String, Object> options);

    /**
     * Partitions of a pinned file that cannot match a filter, as {@link
     * io.spillway.scan.ScanFormat#prune} of the format; does not wait.
     */
    default BitSet prune(
            String format, FileStatus file, RowSchema columns, PruningPredicate filter) {
        return new BitSet();
    }
}
