package io.spillway.plan.document;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a plan is to be run. What is null was left to the service.
 *
 * @param engine what runs it
 * @param name a label of the caller's choice
 * @param ttl how long the job lives after its last use; positive
 * @param memoryLimit bytes that the job's readers together may hold; positive
 * @param batchRows rows a batch while executing, from 1 to {@link #MAX_BATCH_ROWS}
 */
public record PlanOptions(
        Engine engine,
        @Nullable String name,
        @Nullable Duration ttl,
        @Nullable Long memoryLimit,
        @Nullable Integer batchRows) {

    /** The most rows that a batch may be asked to have. */
    public static final int MAX_BATCH_ROWS = 1 << 20;

    /** Options of a request that has none. */
    public static PlanOptions none() {
        return new PlanOptions(Engine.LOCAL, null, null, null, null);
    }

    /** What runs a plan. */
    public enum Engine {
        /** The process itself. */
        LOCAL
    }
}
