package io.spillway.scan.text;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.InferredColumns;
import io.spillway.scan.PartitionRange;
import io.spillway.scan.bytes.Failures;
import io.spillway.storage.FileStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** What a look at all records of a file gives, partition by partition. */
final class Survey {

    /**
     * One partition, as far as it was looked at.
     *
     * @param offset of its first record in the file
     * @param lines line ends in it
     */
    record Part(long offset, long rows, long lines, InferredColumns columns) {}

    private final FileStatus file;
    private final List<Long> rows = new ArrayList<>();
    private final List<PartitionRange.Start> starts = new ArrayList<>();
    private InferredColumns columns;
    private long line;

    /**
     * @param none what a file without records tells
     * @param line number of the first record's line
     */
    Survey(FileStatus file, InferredColumns none, long line) {
        this.file = file;
        this.columns = none;
        this.line = line;
    }

    /** Takes in the next partition. */
    void add(Part part) {
        if (part.rows() > 0) {
            rows.add(part.rows());
            starts.add(new PartitionRange.Start(part.offset(), line));
            columns = columns.and(part.columns());
        }
        line += part.lines();
    }

    /** The number of the line behind all partitions so far. */
    long line() {
        return line;
    }

    FileMetadata metadata() {
        return new FileMetadata(columns.schema(), List.of(), rows, file.size(), starts, columns);
    }

    /** Waits until memory may be used. */
    static MemoryReservation admitted(MemoryPool pool, long bytes) {
        return await(pool.admit(bytes));
    }

    /** Waits; an interruption ends the wait. */
    static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            future.cancel(false);
            Thread.currentThread().interrupt();
            throw new SpillwayException(ErrorCode.CANCELED, "Looking at files was canceled", e);
        } catch (ExecutionException e) {
            throw Failures.typed(e.getCause() == null ? e : e.getCause());
        }
    }
}
