package io.spillway.delivery.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.DoubleSummaryStatistics;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryScheduleTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final RetrySchedule SCHEDULE =
            new RetrySchedule(
                    10, Duration.ofSeconds(1), Duration.ofMinutes(5), Duration.ofHours(1));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3 | 3",
                " 3  | 3",
                "86400 | 86400",
                "99999999999999999999999 | 999999999999999999",
                "Sun, 01 Mar 2026 12:00:03 GMT | 3",
                "Mon, 02 Mar 2026 12:00:00 GMT | 86400"
            })
    void understandsSecondsAndDates(String header, long seconds) {
        assertThat(RetryAfter.parse(header, NOW)).isEqualTo(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-1",
                "soon",
                "",
                "1.5",
                "3 seconds",
                "٣",
                "Sun, 01 Mar 2026 12:00:00 GMT",
                "Sun, 01 Mar 2026 11:59:59 GMT",
                "Mon, 01 Mar 2026 12:00:03 GMT",
                "2026-03-01T12:00:03Z"
            })
    void whatAsksForNoWaitIsNone(String header) {
        assertThat(RetryAfter.parse(header, NOW)).isNull();
    }

    @Test
    void noHeaderIsNoWait() {
        assertThat(RetryAfter.parse(null, NOW)).isNull();
    }

    @Test
    void waitsAsLongAsAskedUpToALimit() {
        assertThat(SCHEDULE.delay(1, Duration.ofSeconds(3))).isEqualTo(Duration.ofSeconds(3));
        assertThat(SCHEDULE.delay(9, Duration.ofSeconds(3))).isEqualTo(Duration.ofSeconds(3));
        assertThat(SCHEDULE.delay(1, Duration.ofDays(1))).isEqualTo(Duration.ofHours(1));
        assertThat(SCHEDULE.delay(1, Duration.ofSeconds(999_999_999_999_999_999L)))
                .isEqualTo(Duration.ofHours(1));
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "2, 2", "5, 16", "9, 256", "10, 300", "31, 300", "1000, 300"})
    void elseWaitsForARandomTimeBelowALimitThatDoubles(int failures, long limitSeconds) {
        DoubleSummaryStatistics seconds =
                IntStream.range(0, 2_000)
                        .mapToDouble(_ -> SCHEDULE.delay(failures, null).toMillis() / 1000.0)
                        .summaryStatistics();

        assertThat(seconds.getMin()).isBetween(0.0, limitSeconds * 0.05);
        assertThat(seconds.getMax()).isBetween(limitSeconds * 0.95, (double) limitSeconds);
        assertThat(seconds.getAverage()).isBetween(limitSeconds * 0.45, limitSeconds * 0.55);
    }

    @Test
    void givesUpAfterItsAttemptsAndAfterManyMoreWaits() {
        assertThat(SCHEDULE.exhausted(9, 99)).isFalse();
        assertThat(SCHEDULE.exhausted(10, 0)).isTrue();
        assertThat(SCHEDULE.exhausted(0, 100)).isTrue();
    }
}
