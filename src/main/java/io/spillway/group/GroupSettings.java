package io.spillway.group;

import java.time.Duration;

/**
 * What consumer groups get unless they ask otherwise, and what they may ask for.
 *
 * @param leaseTime how long a lease lasts
 * @param maxLeaseTime the longest that may be asked for
 * @param maxBatchRows the most rows of a batch
 * @param maxClaim the most batches of one claim
 * @param maxGroups the most groups of a job
 * @param maxAhead how many batches of a group may be out behind the first one that is not committed
 */
public record GroupSettings(
        Duration leaseTime,
        Duration maxLeaseTime,
        long maxBatchRows,
        int maxClaim,
        int maxGroups,
        long maxAhead) {}
