package io.spillway.plan.document;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a consumer group is to be.
 *
 * @param batch how rows are cut into the batches that are leased
 * @param leaseTime how long a lease lasts unless a claim says otherwise; null for the usual time
 */
public record GroupRequest(BatchShape batch, @Nullable Duration leaseTime) {}
