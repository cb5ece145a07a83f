package io.spillway.delivery.http;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.core.IntervalFunction;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One circuit breaker for each scheme, host and port: an endpoint that fails time after time is
 * left alone for a while, then tried by a few requests at a time. A failure is an exchange without
 * answer or with a server's error; an endpoint that refuses or throttles is well.
 */
public final class Breakers {

    private static final int MOST_KEPT = 10_000;

    /** Exchanges that are looked at, and that there must have been before anything is concluded. */
    private static final int WINDOW = 20;

    private static final int FEWEST = 10;
    private static final float FAILURES_PERCENT = 80;
    private static final int PROBES = 3;
    private static final int SERVER_ERROR = 500;

    /** How long an endpoint is left alone, by the number of such breaks in a row. */
    private static final IntervalFunction BREAK_MILLIS =
            IntervalFunction.ofExponentialBackoff(Duration.ofSeconds(1), 2, Duration.ofSeconds(30));

    /** Longer than any exchange: probes whose end nobody told are not waited for for ever. */
    private static final Duration LONGEST_PROBE = Duration.ofMinutes(10);

    /** How soon to ask again where probes are under way. */
    private static final Duration WHILE_PROBING = Duration.ofMillis(500);

    private final CircuitBreakerConfig config;
    private final Clock clock;
    private final Map<String, Breaker> breakers =
            new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Breaker> eldest) {
                    return size() > MOST_KEPT;
                }
            };

    public Breakers() {
        this(Clock.systemUTC());
    }

    Breakers(Clock clock) {
        this.clock = clock;
        this.config =
                CircuitBreakerConfig.custom()
                        .slidingWindow(
                                WINDOW, FEWEST, CircuitBreakerConfig.SlidingWindowType.COUNT_BASED)
                        .failureRateThreshold(FAILURES_PERCENT)
                        .permittedNumberOfCallsInHalfOpenState(PROBES)
                        .maxWaitDurationInHalfOpenState(LONGEST_PROBE)
                        .waitIntervalFunctionInOpenState(BREAK_MILLIS)
                        .recordResult(Boolean.FALSE::equals)
                        .clock(clock)
                        .build();
    }

    /**
     * Asks for leave to send. Whoever has got it must tell by {@link #record} what came of it.
     *
     * @return null for leave; else how long to wait before asking again
     */
    public @Nullable Duration admit(Endpoint endpoint) {
        return breaker(endpoint).admit();
    }

    /** Tells what came of a request that had leave. */
    public void record(Endpoint endpoint, Answer answer) {
        breaker(endpoint).record(answer);
    }

    private Breaker breaker(Endpoint endpoint) {
        synchronized (breakers) {
            return breakers.computeIfAbsent(endpoint.origin(), Breaker::new);
        }
    }

    private final class Breaker {

        private final CircuitBreaker circuit;
        private int breaks;
        private Instant endOfBreak = Instant.MIN;

        Breaker(String origin) {
            circuit = CircuitBreaker.of(origin, config);
            circuit.getEventPublisher()
                    .onStateTransition(event -> enter(event.getStateTransition().getToState()));
        }

        @Nullable Duration admit() {
            return circuit.tryAcquirePermission() ? null : untilNextTry();
        }

        void record(Answer answer) {
            long nanos = answer.latency().toNanos();
            switch (answer) {
                case Answer.Response response ->
                        circuit.onResult(nanos, TimeUnit.NANOSECONDS, isWell(response));
                case Answer.Failure failure -> {
                    if (isEndpoints(failure.kind())) {
                        circuit.onResult(nanos, TimeUnit.NANOSECONDS, false);
                    } else {
                        circuit.releasePermission();
                    }
                }
            }
        }

        /** Counts breaks in a row, as the circuit itself does for the length of the next one. */
        private synchronized void enter(CircuitBreaker.State state) {
            if (state == CircuitBreaker.State.OPEN) {
                breaks++;
                endOfBreak = clock.instant().plusMillis(BREAK_MILLIS.apply(breaks));
            } else if (state == CircuitBreaker.State.CLOSED) {
                breaks = 0;
            }
        }

        private synchronized Duration untilNextTry() {
            Duration left = Duration.between(clock.instant(), endOfBreak);
            return left.isPositive() ? left : WHILE_PROBING;
        }
    }

    private static boolean isWell(Answer.Response response) {
        return response.status() < SERVER_ERROR;
    }

    /** Whether it is the endpoint that failed, and not what stands before it. */
    private static boolean isEndpoints(Answer.Kind kind) {
        return switch (kind) {
            case TIMEOUT, CONNECT, RESET, TLS, NAME, PROTOCOL -> true;
            case NOT_ALLOWED, CREDENTIALS, ABORTED -> false;
        };
    }
}
