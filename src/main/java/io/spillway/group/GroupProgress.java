package io.spillway.group;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How far a group is.
 *
 * @param group as it is
 * @param committedRows how many rows are committed, also beyond others that are not
 * @param committedBatches the same of the batches that were cut since the last reset
 * @param leased how many batches somebody has whose time is not over
 * @param free how many batches were given back or are overdue, and wait for the next claim
 * @param nextEnd when the time of the first of those leases is over, from now on; null if there is
 *     none
 */
public record GroupProgress(
        Group group,
        long committedRows,
        long committedBatches,
        long leased,
        long free,
        @Nullable Duration nextEnd) {}
