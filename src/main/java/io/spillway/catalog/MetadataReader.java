package io.spillway.catalog;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.ScanFormat;
import io.spillway.storage.FileStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Reads the metadata of many files side by side. */
final class MetadataReader {

    /** Files that one call has open at once: enough to hide a disk's or a network's latency. */
    private static final int FILES_AT_ONCE = 32;

    private MetadataReader() {}

    /**
     * The files' metadata, in their order. If files are bad, the first in order is the one
     * reported, however the reads are timed; the rest is given up.
     *
     * @throws SpillwayException as {@link ScanFormat#metadata}; {@code CANCELED} if the calling
     *     thread is interrupted
     */
    static List<FileMetadata> read(ScanFormat format, List<FileStatus> files) {
        ExecutorService readers =
                Executors.newFixedThreadPool(
                        Math.clamp(files.size(), 1, FILES_AT_ONCE),
                        Thread.ofVirtual().name("metadata-", 0).factory());
        try {
            List<Future<FileMetadata>> reads = new ArrayList<>(files.size());
            for (FileStatus file : files) {
                reads.add(readers.submit(() -> format.metadata(file)));
            }
            List<FileMetadata> all = new ArrayList<>(files.size());
            for (int i = 0; i < reads.size(); i++) {
                all.add(result(reads.get(i), files.get(i)));
            }
            return all;
        } finally {
            readers.shutdownNow();
        }
    }

    private static FileMetadata result(Future<FileMetadata> read, FileStatus file) {
        try {
            return read.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SpillwayException(ErrorCode.CANCELED, "Reading metadata was canceled", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SpillwayException known) {
                throw known.with(SpillwayException.FILE, file.uri());
            }
            throw new SpillwayException(
                            ErrorCode.INTERNAL, "The metadata of a file could not be read", e)
                    .with(SpillwayException.FILE, file.uri());
        }
    }
}
