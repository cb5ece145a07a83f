package io.spillway.job;

import io.spillway.cursor.Split;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a job that somebody reads, numbered from 0 on: all of them, or those of a split.
 *
 * @param split null for all
 * @param digest tells these rows from all others, in cursors and ids of events: SHA-256 in
 *     lower-case hex
 */
public record JobPart(Job job, @Nullable Split split, String digest) {

    /** All rows of a job. */
    public static JobPart all(Job job) {
        return new JobPart(job, null, job.digest());
    }
}
