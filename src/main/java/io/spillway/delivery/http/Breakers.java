package io.spillway.delivery.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One circuit breaker for each scheme, host and port: an endpoint that fails time after time is
 * left alone for a while, then tried by few requests.
 */
public final class Breakers {

    /**
     * Asks for leave to send. A request that got it must be followed by {@link #record}.
     *
     * @return null for leave; else how long to wait before asking again
     */
    public @Nullable Duration admit(Endpoint endpoint) {
        return null;
    }

    /** Tells what came of a request that had leave. */
    public void record(Endpoint endpoint, Answer answer) {}
}
