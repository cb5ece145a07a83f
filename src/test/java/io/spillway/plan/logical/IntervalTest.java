package io.spillway.plan.logical;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.plan.physical.Explain;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Intervals become months, or units of the moment that they are added to. */
class IntervalTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "d > DATE '1998-12-01' - INTERVAL '90' DAY | d > DATE '1998-09-02'",
                "d > INTERVAL '1-2' YEAR TO MONTH + DATE '2023-12-31' | d > DATE '2025-02-28'",
                "d + INTERVAL '3' MONTH > d | ADD_MONTHS(d, 3) > d",
                "d - INTERVAL '2' YEAR > d | ADD_MONTHS(d, -24) > d",
                "d + INTERVAL '1000' DAY > d | ADD_UNITS(d, 1000) > d",
                "d - i * INTERVAL '2' DAY > d | ADD_UNITS(d, -(2 * CAST(i AS int64))) > d",
                "d + (INTERVAL '1' DAY + INTERVAL '2' DAY) > d | ADD_UNITS(d, 3) > d",
                "CAST(d AS TIMESTAMP) + INTERVAL '1' HOUR > ts | ADD_UNITS(CAST(d AS"
                        + " timestamp(us)), 3600000000) > ts",
                "ts + INTERVAL '1 02:03' DAY TO MINUTE > ts | ADD_UNITS(ts, 93780000000) > ts",
                "tz - INTERVAL '0.5' SECOND > tz | ADD_UNITS(tz, -500) > tz",
                "tm + INTERVAL '1' MINUTE > tm | ADD_UNITS(tm, 60000000) > tm"
            })
    void areCounted(String where, String expected) {
        assertThat(Explain.text(Plans.compile("t", Plans.filter(where)).plan()))
                .startsWith("Filter " + expected + "\n");
    }
}
