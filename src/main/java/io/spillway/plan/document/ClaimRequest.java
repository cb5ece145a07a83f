package io.spillway.plan.document;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What somebody claims of a consumer group.
 *
 * @param reader what it calls itself; for people
 * @param batches how many batches at most, ≥ 1
 * @param leaseTime how long the leases last; null for the group's own time
 */
public record ClaimRequest(String reader, long batches, @Nullable Duration leaseTime) {}
