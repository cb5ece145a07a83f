package io.spillway.job;

import org.jspecify.annotations.Nullable;

/**
 * What a job is doing in this process.
 *
 * @param partitions partitions that a full stream reads
 * @param activeReaders open readers
 * @param rowsOut rows handed out since the job was first read here
 * @param bytesRead bytes that came from files for it, since then
 * @param memory bytes that its readers hold
 * @param rowCount total number of rows, if known
 */
public record JobActivity(
        int partitions,
        int activeReaders,
        long rowsOut,
        long bytesRead,
        long memory,
        @Nullable Long rowCount) {}
