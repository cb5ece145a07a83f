package io.spillway.delivery.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {

    @Test
    void spacesRequestsEvenly() {
        Pace pace = new Pace(50);

        for (int i = 0; i < 1_000; i++) {
            assertThat(pace.take(-5L)).isEqualTo(Duration.ofMillis(20L * i));
        }
    }

    @Test
    void savesNothingUp() {
        Pace pace = new Pace(10);
        long start = Long.MAX_VALUE - 50_000_000; // the clock's numbers may wrap around

        assertThat(pace.take(start)).isZero();
        assertThat(pace.take(start + 1_000_000_000)).as("a second later").isZero();
        assertThat(pace.take(start + 1_000_000_000)).isEqualTo(Duration.ofMillis(100));
        assertThat(pace.take(start + 1_050_000_000)).isEqualTo(Duration.ofMillis(150));
    }

    @Test
    void slowerThanOnceASecond() {
        Pace pace = new Pace(0.1);

        assertThat(pace.take(0)).isZero();
        assertThat(pace.take(0)).isEqualTo(Duration.ofSeconds(10));
    }
}
