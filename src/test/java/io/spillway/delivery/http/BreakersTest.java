package io.spillway.delivery.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class BreakersTest {

    private static final Endpoint BAD = Posts.endpoint(URI.create("https://a.example/one"));
    private static final Endpoint SAME = Posts.endpoint(URI.create("https://a.example/two"));
    private static final Endpoint OTHER = Posts.endpoint(URI.create("https://a.example:8443/one"));

    private final HandClock clock = new HandClock();
    private final Breakers breakers = new Breakers(clock);

    @Test
    void leavesAnEndpointAloneThatFailsTimeAfterTime() {
        fail(9);
        assertThat(breakers.admit(BAD)).as("after nine failures").isNull();
        breakers.record(BAD, status(503));

        assertThat(breakers.admit(BAD)).isEqualTo(Duration.ofSeconds(1));
        assertThat(breakers.admit(SAME)).as("the same server").isNotNull();
        assertThat(breakers.admit(OTHER)).as("another port").isNull();
    }

    @Test
    void triesItByAFewRequestsAndGoesOnWhenTheyAreAnswered() {
        fail(10);
        clock.now = clock.now.plusSeconds(2);

        for (int i = 0; i < 3; i++) {
            assertThat(breakers.admit(BAD)).as("probe %d", i).isNull();
        }
        assertThat(breakers.admit(BAD)).as("no more than that").isEqualTo(Duration.ofMillis(500));
        for (int i = 0; i < 3; i++) {
            breakers.record(BAD, status(200));
        }

        for (int i = 0; i < 30; i++) {
            assertThat(breakers.admit(BAD)).isNull();
        }
    }

    @Test
    void waitsLongerEachTimeUpToALimit() {
        fail(10);
        for (long seconds : new long[] {1, 2, 4, 8, 16, 30, 30}) {
            assertThat(breakers.admit(BAD)).isEqualTo(Duration.ofSeconds(seconds));
            clock.now = clock.now.plusSeconds(seconds).plusMillis(1);
            fail(3);
        }
    }

    @Test
    void whatIsNotTheEndpointsFaultIsNotCounted() {
        for (int i = 0; i < 50; i++) {
            assertThat(breakers.admit(BAD)).isNull();
            breakers.record(
                    BAD,
                    switch (i % 4) {
                        case 0 -> status(429);
                        case 1 -> status(400);
                        case 2 -> failure(Answer.Kind.CREDENTIALS);
                        default -> failure(Answer.Kind.ABORTED);
                    });
        }
        assertThat(breakers.admit(BAD)).isNull();
    }

    @Test
    void aProbeThatWasGivenUpMakesRoomForAnother() {
        fail(10);
        clock.now = clock.now.plusSeconds(2);

        for (int i = 0; i < 10; i++) {
            assertThat(breakers.admit(BAD)).isNull();
            breakers.record(BAD, failure(Answer.Kind.ABORTED));
        }
    }

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            assertThat(breakers.admit(BAD)).isNull();
            breakers.record(BAD, failure(Answer.Kind.TIMEOUT));
        }
    }

    private static Answer failure(Answer.Kind kind) {
        return new Answer.Failure(kind, "", Duration.ofMillis(5));
    }

    private static Answer status(int status) {
        return new Answer.Response(status, null, null, new byte[0], false, Duration.ofMillis(5));
    }

    private static final class HandClock extends Clock {

        private Instant now = Instant.parse("2026-01-01T00:00:00Z");

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Instant instant() {
            return now;
        }
    }
}
