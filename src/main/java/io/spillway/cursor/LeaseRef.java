package io.spillway.cursor;

/**
 * One holder's claim to a batch of a consumer group: what it has to show when it renews, commits or
 * gives it back.
 *
 * @param jobId the job's public identifier
 * @param group identifier of the group, which no other one has or had
 * @param generation counts how often the group was reset; of an older one nothing counts any more
 * @param firstRow number of the batch's first row
 * @param epoch counts the claims to the batch in this generation, from 1 on; of a lower one nothing
 *     counts any more
 */
public record LeaseRef(
        String jobId, String group, long generation, long firstRow, long epoch) {}
