package io.spillway.plan.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnType.TimeUnit;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TemporalTextTest {

    @Test
    void readsDates() {
        assertThat(TemporalText.date("1970-01-02")).isEqualTo(1);
        assertThat(TemporalText.date("0001-01-01")).isEqualTo(-719_162);
        assertThat(TemporalText.date("+10000-01-01")).isEqualTo(2_932_897);
        assertThat(TemporalText.date("2023-02-29")).isNull();
        assertThat(TemporalText.date("+999999999-01-01")).isNull();
        assertThat(TemporalText.date("")).isNull();
    }

    @Test
    void readsTimestampsExactlyOrNotAtAll() {
        assertThat(TemporalText.timestamp("1970-01-01T00:00:00.123", TimeUnit.MILLI, false))
                .isEqualTo(123);
        assertThat(TemporalText.timestamp("1969-12-31 23:59:59.999", TimeUnit.MILLI, false))
                .isEqualTo(-1);
        assertThat(TemporalText.timestamp("1970-01-02", TimeUnit.SECOND, false)).isEqualTo(86_400);
        assertThat(TemporalText.timestamp("1970-01-01T00:00:00.1234", TimeUnit.MILLI, false))
                .isNull();
        assertThat(TemporalText.timestamp("1970-01-01T02:00:00+02:00", TimeUnit.SECOND, true))
                .isEqualTo(0);
        assertThat(TemporalText.timestamp("1970-01-01T02:00:00Z", TimeUnit.SECOND, false)).isNull();
        assertThat(TemporalText.timestamp("3000-01-01", TimeUnit.NANO, false)).isNull();
        assertThat(TemporalText.timestamp("no time", TimeUnit.NANO, true)).isNull();
    }

    @Test
    void readsTimes() {
        assertThat(TemporalText.time("00:00:01.5", TimeUnit.MILLI)).isEqualTo(1_500);
        assertThat(TemporalText.time("23:59", TimeUnit.SECOND)).isEqualTo(86_340);
        assertThat(TemporalText.time("00:00:00.5", TimeUnit.SECOND)).isNull();
        assertThat(TemporalText.time("24:00", TimeUnit.SECOND)).isNull();
    }

    @Test
    void roundsInstantsDown() {
        assertThat(
                        TemporalText.instant(
                                Instant.parse("1969-12-31T23:59:59.9999999Z"), TimeUnit.MICRO))
                .isEqualTo(-1);
        assertThat(
                        TemporalText.instant(
                                Instant.parse("1970-01-01T00:00:00.0000019Z"), TimeUnit.MICRO))
                .isEqualTo(1);
    }
}
