package io.spillway.config;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How readers share the batches of a job.
 *
 * @param lease how long a batch is leased, unless a group or a claim says so itself
 * @param maxLease the longest that they may ask for
 * @param maxClaim batches of one claim
 * @param maxPerJob groups of a job
 * @param maxAhead batches of a group that may be out behind the first one that is not committed
 */
public record GroupProperties(
        @DefaultValue("60s") Duration lease,
        @DefaultValue("24h") Duration maxLease,
        @DefaultValue("1000") int maxClaim,
        @DefaultValue("100") int maxPerJob,
        @DefaultValue("100000") int maxAhead) {

    /** What the store's databases take as an interval of milliseconds. */
    private static final Duration LONGEST = Duration.ofDays(24);

    public GroupProperties {
        Require.that(
                lease.compareTo(Duration.ofSeconds(1)) >= 0,
                "spillway.groups.lease must not be under 1s");
        Require.that(
                lease.compareTo(maxLease) <= 0,
                "spillway.groups.lease must not be over spillway.groups.max-lease");
        Require.that(
                maxLease.compareTo(LONGEST) <= 0, "spillway.groups.max-lease must not be over 24d");
        Require.positive("spillway.groups.max-claim", maxClaim);
        Require.positive("spillway.groups.max-per-job", maxPerJob);
        Require.positive("spillway.groups.max-ahead", maxAhead);
    }
}
