package io.spillway.job;

import io.spillway.plan.physical.PhysicalPlan;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A submitted plan, bound to a snapshot of its inputs. Everything but its life, and what is known
 * of its rows, is immutable.
 *
 * @param id public identifier
 * @param owner name of the caller that made it; to anybody else it does not exist
 * @param name a label of the owner's choice
 * @param createdAt when it was submitted
 * @param ttl how long it lives after its last use
 * @param expiresAt when it ends unless renewed
 * @param state the stored part of its state
 * @param failure what failed, as a sentence, if the state is FAILED
 * @param request the request body as it came (plan and options)
 * @param logicalPlan the validated plan, as text
 * @param optimizedPlan the optimised plan, as text
 * @param plan what is executed
 * @param digest SHA-256, in hex, of the plan with its snapshot: what its tokens are bound to
 * @param batchRows rows a batch while executing
 * @param memoryLimit bytes that its readers together may hold
 * @param rowCount how many rows it has, if that is known by now
 */
public record Job(
        String id,
        String owner,
        @Nullable String name,
        Instant createdAt,
        Duration ttl,
        Instant expiresAt,
        StoredState state,
        @Nullable String failure,
        String request,
        String logicalPlan,
        String optimizedPlan,
        PhysicalPlan plan,
        String digest,
        int batchRows,
        long memoryLimit,
        @Nullable Long rowCount) {

    /**
     * What the store knows of a job's state; that it runs or has expired follows from readers and
     * clock.
     */
    public enum StoredState {
        READY,
        FAILED,
        CANCELED
    }

    public boolean expired(Instant now) {
        return !now.isBefore(expiresAt);
    }

    /**
     * The part of a job that changes.
     *
     * @param owner as of the job
     * @param expiresAt when it ends unless renewed
     * @param state the stored part of its state
     * @param failure what failed, if something that holds for the job did
     * @param rowCount as of the job
     */
    public record Life(
            String owner,
            Instant expiresAt,
            StoredState state,
            @Nullable String failure,
            @Nullable Long rowCount) {}

    /** The same job at another time of its life. */
    Job at(Life life) {
        return new Job(
                id,
                owner,
                name,
                createdAt,
                ttl,
                life.expiresAt(),
                life.state(),
                life.failure(),
                request,
                logicalPlan,
                optimizedPlan,
                plan,
                digest,
                batchRows,
                memoryLimit,
                life.rowCount());
    }
}
