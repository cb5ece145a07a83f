package io.spillway.oracle;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A judge that accepts everything would prove nothing. */
class RowComparisonTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    NUMBER | 1.50                | 1.50
                    NUMBER | 9007199254740993    | 9007199254740993
                    DOUBLE | 1e23                | 1.0E23
                    DOUBLE | -0.0                | -0.0
                    DOUBLE | nan                 | "NaN"
                    DOUBLE | -inf                | "-Infinity"
                    FLOAT  | 0.1                 | 0.1
                    BOOL   | true                | true
                    DATE   | -1                  | "1969-12-31"
                    MICROS | -1                  | "1969-12-31T23:59:59.999999"
                    NANOS  | 1                   | "1970-01-01T00:00:00.000000001"
                    """)
    void equalCellsPass(Expected.Kind kind, String judge, String json) {
        assertThatCode(() -> compare(kind, judge, json)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    NUMBER | 1.50                | 1.5
                    NUMBER | 1.50                | "1.50"
                    NUMBER | 9007199254740993    | 9007199254740992
                    DOUBLE | 0.30000000000000004 | 0.3
                    DOUBLE | -0.0                | 0.0
                    DOUBLE | nan                 | null
                    DOUBLE | 1.5                 | "1.5"
                    TEXT   | a                   | "A"
                    TEXT   | 1                   | 1
                    BOOL   | true                | false
                    MICROS | 0                   | "1970-01-01T00:00:00.000000Z"
                    MICROS | 0                   | "1970-01-01T00:00:00"
                    """)
    void otherCellsFail(Expected.Kind kind, String judge, String json) {
        assertThatThrownBy(() -> compare(kind, judge, json)).isInstanceOf(AssertionError.class);
    }

    @Test
    void missingRowsAndOtherNamesFail() {
        List<List<Expected>> one = List.of(List.of(new Expected.Null()));
        assertThatThrownBy(() -> RowComparison.assertExact(List.of(), List.of("a"), one))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(
                        () -> RowComparison.assertExact(List.of("{\"b\":null}"), List.of("a"), one))
                .isInstanceOf(AssertionError.class);
        assertThatCode(() -> RowComparison.assertExact(List.of("{\"a\":null}"), List.of("a"), one))
                .doesNotThrowAnyException();
    }

    private static void compare(Expected.Kind kind, String judge, String json) {
        RowComparison.assertExact(
                List.of("{\"a\":" + json + "}"),
                List.of("a"),
                List.of(List.of(kind.expect(judge))));
    }
}
