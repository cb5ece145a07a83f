package io.spillway.delivery.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.retries.api.BackoffStrategy;

/**
 * When a batch is tried again: after as long as the endpoint asked for, else after a random time
 * below a limit that doubles with each failure ("full jitter").
 *
 * @param maxAttempts failed attempts after which a batch is given up, at least 1
 * @param initialDelay limit of the wait after the first failure
 * @param maxDelay limit of all waits that the endpoint did not ask for
 * @param maxRetryAfter limit of those that it did
 */
public record RetrySchedule(
        int maxAttempts, Duration initialDelay, Duration maxDelay, Duration maxRetryAfter) {

    /** Waits at the endpoint's wish that are granted for each attempt that may fail. */
    private static final int WAITS_AN_ATTEMPT = 10;

    /** The strategy counts attempts, of which the first one waits for nothing. */
    private static final int FIRST_ATTEMPT = 1;

    /** The wait after so many failures, at least 1, of which the last one asked for this. */
    public Duration delay(int failures, @Nullable Duration retryAfter) {
        if (retryAfter != null) {
            return retryAfter.compareTo(maxRetryAfter) > 0 ? maxRetryAfter : retryAfter;
        }
        return BackoffStrategy.exponentialDelay(initialDelay, maxDelay)
                .computeDelay(Math.max(1, failures) + FIRST_ATTEMPT);
    }

    /**
     * Whether a batch is given up.
     *
     * @param failures {@link Outcome#RETRY} so far
     * @param throttled {@link Outcome#THROTTLED} so far: they are free, up to ten times as many as
     *     attempts may fail
     */
    public boolean exhausted(int failures, int throttled) {
        return failures >= maxAttempts || throttled >= (long) maxAttempts * WAITS_AN_ATTEMPT;
    }
}
