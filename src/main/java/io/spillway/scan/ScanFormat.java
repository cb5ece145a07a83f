package io.spillway.scan;

import io.spillway.batch.BatchStream;
import io.spillway.memory.MemoryPool;
import io.spillway.storage.FileStatus;

/** A file format that can be scanned. Thread-safe. */
public interface ScanFormat {

    /** Its name in plans, for example {@code parquet}. */
    String name();

    /**
     * What a file says of itself; reads metadata only. May wait for disk or network.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT}, {@code FILE_NOT_SUPPORTED},
     *     naming the file
     */
    FileMetadata metadata(FileStatus file);

    /**
     * Bytes that a stream over the task holds at most, its batches under way included, judged from
     * metadata that is already cached or read now.
     */
    long estimateBytes(ScanTask task, int batchRows);

    /**
     * Rows of the task as batches of {@code batchRows} rows, the last perhaps shorter. Does not
     * wait, not even for disk: the stream opens the file in the background, and is {@code Blocked}
     * while bytes are under way. Buffers, also those of the batches, are allocated from the pool.
     * Checks before the first batch that the file is still in its pinned state ({@code
     * SOURCE_CHANGED}). The stream supports {@link BatchStream#release()}.
     *
     * @param metrics told of what the stream reads, in the threads that read
     */
    BatchStream open(ScanTask task, int batchRows, MemoryPool pool, ScanMetrics metrics);
}
