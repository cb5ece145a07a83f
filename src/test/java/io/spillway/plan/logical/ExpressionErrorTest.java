package io.spillway.plan.logical;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every error in an expression has its code, its place, and the nearest name. */
class ExpressionErrorTest {

    private static SpillwayException failure(String where) {
        return Plans.failure("t", Plans.filter(where));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            nullValues = "-",
            value = {
                "cty = 'x' | UNKNOWN_COLUMN | 0 | city",
                "I = 1 | UNKNOWN_COLUMN | 0 | i",
                "t.i = 1 | UNKNOWN_COLUMN | 0 | -",
                "uppr(city) = 'X' | INVALID_EXPRESSION | 0 | UPPER",
                "1 < frobnicate(2) | INVALID_EXPRESSION | 4 | -",
                "i + | INVALID_EXPRESSION | 3 | -",
                "i i | INVALID_EXPRESSION | 2 | -",
                "(i = 1 | INVALID_EXPRESSION | 6 | -",
                "i = 1) | INVALID_EXPRESSION | 5 | -",
                "CASE WHEN b THEN 1 | INVALID_EXPRESSION | 18 | -",
                "value = 'a' | INVALID_EXPRESSION | 0 | \"value\"",
                "city = 'abc | INVALID_EXPRESSION | 7 | -",
                "* | INVALID_EXPRESSION | 0 | -",
                "d > '2024-02-30' | INVALID_EXPRESSION | 4 | -",
                "d = DATE '2024-02-30' | INVALID_EXPRESSION | 4 | -",
                "ts > '2024-01-01 00:00:00.1234567891' | INVALID_EXPRESSION | 5 | -",
                "ts > TIMESTAMP '2024-01-01 00:00:00.1234567891' | INVALID_EXPRESSION | 5 | -",
                "city > 5 | TYPE_MISMATCH | 0 | -",
                "b OR city + 1 = 2 | TYPE_MISMATCH | 5 | -",
                "b > 5 | TYPE_MISMATCH | 0 | -",
                "city IN (1, 2) | TYPE_MISMATCH | 9 | -",
                "city > d | TYPE_MISMATCH | 0 | -",
                "NOT i | TYPE_MISMATCH | 0 | -",
                "i AND b | TYPE_MISMATCH | 0 | -",
                "CASE WHEN b THEN 1 ELSE 'x' END = 1 | TYPE_MISMATCH | 0 | -",
                "CAST(i AS DATE) = d | TYPE_MISMATCH | 0 | -",
                "SUM(i) > 1 | INVALID_EXPRESSION | 0 | -",
                "COUNT(*) > 1 | INVALID_EXPRESSION | 0 | -",
                "ROW_NUMBER() OVER (ORDER BY i) = 1 | INVALID_EXPRESSION | 0 | -",
                "i IN (SELECT 1) | NOT_SUPPORTED | 6 | -",
                "EXISTS (SELECT 1) | NOT_SUPPORTED | 0 | -",
                "RAND() > 0.5 | NOT_SUPPORTED | 0 | -",
                "SOUNDEX(city) = city | NOT_SUPPORTED | 0 | -",
                "city SIMILAR TO 'a' | NOT_SUPPORTED | 0 | -",
                "ts + INTERVAL '0.0001' SECOND > ts | NOT_SUPPORTED | 5 | -",
                "INTERVAL '1' DAY > INTERVAL '2' HOUR | TYPE_MISMATCH | 0 | -",
                "ts * INTERVAL '1' DAY > ts | TYPE_MISMATCH | 0 | -",
                "d + INTERVAL '1.5' DAY > d | INVALID_EXPRESSION | 4 | -",
                "d + INTERVAL 'x' DAY > d | INVALID_EXPRESSION | 4 | -",
                "d + 1 > d | TYPE_MISMATCH | 0 | -",
                "EXTRACT(MINUTES FROM d) = 1 | NOT_SUPPORTED | 8 | -",
                "FLOOR(ts TO DAY) = ts | NOT_SUPPORTED | 0 | -",
                "CAST(city AS VARCHAR(3)) = 'x' | NOT_SUPPORTED | 13 | VARCHAR",
                "CAST(city AS TIMESTAMP(4)) = ts | NOT_SUPPORTED | 13 | -",
                "CAST(city AS DOUBEL) = 1 | NOT_SUPPORTED | 13 | DOUBLE",
                "ARRAY[1] = 1 | NOT_SUPPORTED | 0 | -",
                "i = ? | NOT_SUPPORTED | 4 | -",
                "i = 1 AND REGEXP_LIKE(city, city) | TYPE_MISMATCH | 10 | -",
                "i + CHAR_LENGTH(REGEXP_EXTRACT(city, city)) > 1 | TYPE_MISMATCH | 16 | -",
                "i = 1 AND NOT city LIKE city | NOT_SUPPORTED | 14 | -"
            })
    void hasCodePlaceAndNearestName(String where, ErrorCode code, int position, String suggestion) {
        SpillwayException e = failure(where);
        assertThat(e.code()).as(e.toString()).isEqualTo(code);
        assertThat(e.context())
                .containsEntry("pointer", "/plan/steps/0/where")
                .containsEntry("position", position);
        if (suggestion == null) {
            assertThat(e.context()).doesNotContainKey("suggestion");
        } else {
            assertThat(e.context()).containsEntry("suggestion", suggestion);
        }
    }

    @Test
    void countsPositionsOverLines() {
        for (String newline : List.of("\n", "\r\n", "\n\n")) {
            String text = "i > 1 AND" + newline + "  prise < 2";
            assertThat(failure(text).context()).containsEntry("position", text.indexOf("prise"));
        }
    }

    @Test
    void saysWhatItFoundAndWhatItExpected() {
        assertThat(failure("i = 1 i").context())
                .containsEntry("found", "i")
                .hasEntrySatisfying(
                        "expected",
                        e ->
                                assertThat(e)
                                        .asInstanceOf(InstanceOfAssertFactories.LIST)
                                        .contains("AND", "OR", "the end of the text"));
        assertThat(failure("i + ").context())
                .containsEntry("found", "the end of the text")
                .hasEntrySatisfying(
                        "expected",
                        e ->
                                assertThat(e)
                                        .asInstanceOf(InstanceOfAssertFactories.LIST)
                                        .contains("a name", "a number"));
        assertThat(failure("").context()).containsEntry("expected", List.of("an expression"));
        assertThat(failure("city + 1 = 2").context())
                .hasEntrySatisfying(
                        "expected",
                        e ->
                                assertThat(e)
                                        .asInstanceOf(InstanceOfAssertFactories.LIST)
                                        .contains("<NUMERIC> + <NUMERIC>"));
    }

    @Test
    void aFilterMustBeTrueOrFalse() {
        SpillwayException e = failure("i + 1");
        assertThat(e.code()).isEqualTo(ErrorCode.TYPE_MISMATCH);
        assertThat(e.context())
                .containsEntry("pointer", "/plan/steps/0/where")
                .containsEntry("found", "int32")
                .containsEntry("expected", List.of("bool"));
    }

    @Test
    void whatCannotBeExecutedHasItsPlaceToo() {
        SpillwayException pattern = failure("city LIKE city");
        assertThat(pattern.code()).isEqualTo(ErrorCode.NOT_SUPPORTED);
        assertThat(pattern.context()).containsEntry("pointer", "/plan/steps/0/where");
        SpillwayException digits = failure("big > 1.12345678901234567891");
        assertThat(digits.code()).isEqualTo(ErrorCode.TYPE_MISMATCH);
        assertThat(digits).hasMessageContaining("decimal(38,10)");
        SpillwayException months = failure("tm + INTERVAL '1' MONTH > tm");
        assertThat(months.code()).isEqualTo(ErrorCode.TYPE_MISMATCH);
        SpillwayException hours = failure("d + INTERVAL '1' HOUR > d");
        assertThat(hours.code()).isEqualTo(ErrorCode.TYPE_MISMATCH);
        assertThat(hours.context())
                .containsEntry("pointer", "/plan/steps/0/where")
                .containsEntry("expected", List.of("a cast to a finer type"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1e1000000000",
                "1e400",
                "1e-1000000000",
                "123456789012345678901234567890123456789",
                "0.1234567890123456789012345678901234567890"
            })
    void numbersOutOfRangeAreRefusedAtOnce(String number) {
        SpillwayException e = failure("price > " + number);
        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_EXPRESSION);
        assertThat(e.context()).containsEntry("position", 8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--",
                "/*",
                "''''",
                "\"\"",
                "'",
                "$",
                "::",
                "i::int",
                "{",
                "}",
                "[",
                "]",
                "{fn UPPER(city)}",
                "i = 'a' 'b'",
                "U&'\\'",
                "E'\\'",
                "X'0'",
                "_nosuch'a' = city",
                "\\u0000",
                "i;",
                "1 2",
                "SELECT 1",
                "i IN ()",
                "BETWEEN",
                "i BETWEEN 1",
                "NOT",
                "AND AND",
                "OR",
                "CASE END",
                "CAST(i)",
                "CAST(i AS)",
                "EXTRACT(i)",
                "TRIM()",
                "POSITION(i)",
                "LIKE",
                "city LIKE 1",
                "city LIKE 'a' ESCAPE 'ab'",
                "city LIKE 'a!' ESCAPE '!'",
                "i = ALL (1)",
                "i OVERLAPS i",
                "ROW(i) = ROW(1)",
                "(i, 1) = (1, 2)",
                "MULTISET[1]",
                "i.*",
                "DATE 'x'",
                "TIME 'x'",
                "INTERVAL '1' DAY",
                "CURRENT_TIMESTAMP(3) > ts",
                "NEXT VALUE FOR s",
                "COLLATE",
                "i FORMAT JSON",
                "JSON_VALUE(city, '$')",
                "UPPER()",
                "UPPER(city, city)",
                "MOD(1)",
                "ROUND(i, city)",
                "NULLIF(1)",
                "COALESCE()",
                "CONCAT()",
                "ABS(DISTINCT i)",
                "SUBSTRING(city)",
                "x -> 1",
                "TABLE t",
                "VALUES 1"
            })
    void nonsenseNeverEndsInAnInternalError(String where) {
        SpillwayException e = failure(where);
        assertThat(e.code())
                .isIn(
                        ErrorCode.INVALID_EXPRESSION,
                        ErrorCode.TYPE_MISMATCH,
                        ErrorCode.NOT_SUPPORTED,
                        ErrorCode.UNKNOWN_COLUMN);
        assertThat(e.context()).containsEntry("pointer", "/plan/steps/0/where");
    }
}
