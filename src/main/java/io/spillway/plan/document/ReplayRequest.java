package io.spillway.plan.document;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters are to be sent once more.
 *
 * @param batches numbers of their first rows; null for all
 */
public record ReplayRequest(@Nullable List<Long> batches) {

    public ReplayRequest {
        batches = batches == null ? null : List.copyOf(batches);
    }
}
