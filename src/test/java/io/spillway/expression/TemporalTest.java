package io.spillway.expression;

import static io.spillway.expression.ExpressionTesting.LONG;
import static io.spillway.expression.ExpressionTesting.call;
import static io.spillway.expression.ExpressionTesting.constant;
import static io.spillway.expression.ExpressionTesting.literal;
import static io.spillway.expression.ExpressionTesting.raises;
import static io.spillway.expression.ExpressionTesting.type;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.error.ErrorCode;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemporalTest {

    @Test
    void theCalendarAgreesWithJavaOverFourMillionDays() {
        Civil civil = new Civil();
        for (long day = -2_000_000; day < 2_000_000; day += 17) {
            LocalDate expected = LocalDate.ofEpochDay(day);
            civil.set(day);
            assertThat(civil.year()).isEqualTo(expected.getYear());
            assertThat(civil.month()).isEqualTo(expected.getMonthValue());
            assertThat(civil.day()).isEqualTo(expected.getDayOfMonth());
            assertThat(civil.dayOfYear()).isEqualTo(expected.getDayOfYear());
            assertThat(Civil.epochDay(civil.year(), civil.month(), civil.day())).isEqualTo(day);
            assertThat(Civil.daysOf(civil.year(), civil.month()))
                    .isEqualTo(expected.lengthOfMonth());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "EXTRACT_YEAR, date, -1, 1969",
        "EXTRACT_QUARTER, date, -1, 4",
        "EXTRACT_MONTH, date, -1, 12",
        "EXTRACT_DAY, date, -1, 31",
        "EXTRACT_DAY_OF_WEEK, date, -1, 3",
        "EXTRACT_DAY_OF_WEEK, date, 3, 0",
        "EXTRACT_DAY_OF_YEAR, date, -1, 365",
        "EXTRACT_DAY_OF_YEAR, date, 1095, 366",
        "EXTRACT_YEAR, date, -719529, -1",
        "EXTRACT_YEAR, date, 2147483647, 5881580",
        "EXTRACT_HOUR, date, -1, 0",
        "EXTRACT_SECOND, timestamp(us), -1, 59",
        "EXTRACT_MINUTE, timestamp(us), -1, 59",
        "EXTRACT_HOUR, timestamp(us), -1, 23",
        "EXTRACT_DAY, timestamp(us), -1, 31",
        "EXTRACT_YEAR, timestamp(s), 9223372036854775807, 292277026596",
        "EXTRACT_YEAR, timestamp(s), -9223372036854775808, -292277022657",
        "EXTRACT_HOUR, 'timestamp(ns,UTC)', 3600000000000, 1",
        "EXTRACT_MINUTE, time(ms), 86399999, 59"
    })
    void extracts(Function part, String type, String value, String expected) {
        assertThat(constant(call(part, LONG, literal(type(type), value)))).isEqualTo(expected);
    }

    @Test
    void aTimeOfDayHasNoYear() {
        raises(
                ErrorCode.TYPE_MISMATCH,
                call(Function.EXTRACT_YEAR, LONG, literal(type("time(us)"), 0)));
    }

    @ParameterizedTest
    @CsvSource({
        "ADD_MONTHS, 2024-01-31, 1, 2024-02-29",
        "ADD_MONTHS, 2023-01-31, 1, 2023-02-28",
        "ADD_MONTHS, 2024-02-29, 12, 2025-02-28",
        "ADD_MONTHS, 2024-03-31, -1, 2024-02-29",
        "ADD_MONTHS, 1970-01-01, -1, 1969-12-01",
        "ADD_MONTHS, 2024-12-15, 1, 2025-01-15",
        "ADD_MONTHS, 0001-01-01, -13, -0001-12-01",
        "ADD_UNITS, 2024-02-28, 1, 2024-02-29",
        "ADD_UNITS, 1970-01-01, -1, 1969-12-31"
    })
    void movesDates(Function function, LocalDate date, long by, LocalDate expected) {
        Expression moved =
                call(
                        function,
                        type("date"),
                        literal(type("date"), date.toEpochDay()),
                        literal(LONG, by));
        assertThat(constant(moved)).isEqualTo(Long.toString(expected.toEpochDay()));
    }

    @ParameterizedTest
    @CsvSource({
        "ADD_UNITS, time(us), 1, -2, 86399999999",
        "ADD_UNITS, time(ms), 86399999, 1, 0",
        "ADD_UNITS, time(ns), 1, 9223372036854775807, 85636854775808",
        "ADD_UNITS, timestamp(us), -1, 2, 1",
        "ADD_MONTHS, timestamp(us), -1, 1, 2678399999999",
        "ADD_MONTHS, 'timestamp(s,UTC)', 86399, 1, 2764799"
    })
    void movesMoments(Function function, String type, String value, long by, String expected) {
        Expression moved =
                call(function, type(type), literal(type(type), value), literal(LONG, by));
        assertThat(constant(moved)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "ADD_UNITS, date, 2147483647, 1",
        "ADD_UNITS, date, 0, 9223372036854775807",
        "ADD_MONTHS, date, 2147483647, 1",
        "ADD_MONTHS, date, 0, 9223372036854775807",
        "ADD_MONTHS, date, 0, -9223372036854775808",
        "ADD_UNITS, timestamp(ns), 9223372036854775807, 1",
        "ADD_MONTHS, timestamp(ns), 0, 12000"
    })
    void whatMovesOutOfItsTypeIsAnOverflow(Function function, String type, String value, long by) {
        raises(
                ErrorCode.ARITHMETIC_OVERFLOW,
                call(function, type(type), literal(type(type), value), literal(LONG, by)));
    }

    @Test
    void aTimeOfDayHasNoMonths() {
        raises(
                ErrorCode.TYPE_MISMATCH,
                call(
                        Function.ADD_MONTHS,
                        type("time(us)"),
                        literal(type("time(us)"), 0),
                        literal(LONG, 1)));
    }
}
