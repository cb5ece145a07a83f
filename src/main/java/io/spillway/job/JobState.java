package io.spillway.job;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The state of a job as clients see it. */
public enum JobState {
    READY,
    RUNNING,
    FAILED,
    CANCELED,
    EXPIRED;

    /** What a job is, given the clock and whether anybody reads it. */
    public static JobState of(Job job, Instant now, boolean active) {
        return switch (job.state()) {
            case FAILED -> FAILED;
            case CANCELED -> CANCELED;
            case READY -> job.expired(now) ? EXPIRED : active ? RUNNING : READY;
        };
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
