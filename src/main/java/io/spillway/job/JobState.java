package io.spillway.job;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The state of a job as clients see it. */
public enum JobState {
    /** Planned, nothing runs. */
    READY,
    /** Somebody reads, or the rows are counted. */
    RUNNING,
    /**
     * Some of its rows cannot be made, and never will be: its snapshot is gone, or a value cannot
     * be computed. Other rows can still be read.
     */
    FAILED,
    /** Ended by its owner. */
    CANCELED,
    /** Its life came to its end. */
    EXPIRED;

    private static final Set<ErrorCode> LASTING =
            Set.of(
                    ErrorCode.SOURCE_CHANGED,
                    ErrorCode.FILE_NOT_FOUND,
                    ErrorCode.FILE_CORRUPT,
                    ErrorCode.FILE_NOT_SUPPORTED,
                    ErrorCode.SCHEMA_MISMATCH,
                    ErrorCode.ARITHMETIC_OVERFLOW,
                    ErrorCode.DIVISION_BY_ZERO,
                    ErrorCode.INVALID_CAST);

    /** What a job is, given the clock and whether anything works for it. */
    public static JobState of(Job job, Instant now, boolean active) {
        return switch (job.state()) {
            case CANCELED -> CANCELED;
            case READY, FAILED -> {
                if (job.expired(now)) {
                    yield EXPIRED;
                }
                yield job.state() == Job.StoredState.FAILED ? FAILED : active ? RUNNING : READY;
            }
        };
    }

    /** Has the job's life come to its end, so that none of its rows can be read any more? */
    public boolean isEnd() {
        return switch (this) {
            case READY, RUNNING, FAILED -> false;
            case CANCELED, EXPIRED -> true;
        };
    }

    /**
     * Whether work that failed so will fail again for this job, whoever reads, whenever. Faults of
     * the machine pass, limits depend on what else goes on, text that is not valid can be asked to
     * be replaced, and what may not be read now may be allowed later.
     */
    static boolean isLasting(ErrorCode code) {
        return LASTING.contains(code);
    }

    /** Why no rows can be read from the job any more, or null if they can. */
    static @Nullable SpillwayException ended(Job job, Instant now) {
        return switch (job.state()) {
            case CANCELED -> new SpillwayException(ErrorCode.JOB_CANCELED, "The job was canceled");
            case READY, FAILED ->
                    job.expired(now)
                            ? new SpillwayException(
                                    ErrorCode.JOB_EXPIRED, "The job expired at " + job.expiresAt())
                            : null;
        };
    }
}
