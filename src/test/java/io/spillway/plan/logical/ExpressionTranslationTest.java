package io.spillway.plan.logical;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.plan.physical.ExpressionText;
import io.spillway.plan.physical.PhysicalPlan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What SQL text becomes: every coercion explicit, every literal of its column's type. */
class ExpressionTranslationTest {

    private static String translated(String expression) {
        PhysicalPlan.Project project =
                (PhysicalPlan.Project)
                        Plans.compile("t", Plans.select(expression + " AS result")).plan();
        return ExpressionText.of(project.expressions().getFirst(), project.input().schema())
                + " : "
                + project.schema().column(0).type()
                + (project.schema().column(0).nullable() ? "?" : "");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "id % 2 = 1 | CAST(id % 2 AS int32) = 1 : bool",
                "id > 5 | id > 5 : bool",
                "id = 1.0 | id = 1 : bool",
                "i > 5000000000 | CAST(i AS int64) > 5000000000 : bool?",
                "i + id | CAST(i AS int64) + id : int64?",
                "t8 + 1 | CAST(t8 AS int32) + 1 : int32?",
                "price > 1.5 | price > 1.5 : bool?",
                "r = 0.1 | r = 0.1 : bool?",
                "r = price | CAST(r AS float64) = price : bool?",
                "amount * amount | amount * amount : decimal(20,4)?",
                "amount + i | amount + CAST(i AS decimal(10,0)) : decimal(13,2)?",
                "amount = 1.500000000000 | amount = 1.50 : bool?",
                "amount > 1.005 | CAST(amount AS decimal(11,3)) > 1.005 : bool?",
                "big = amount | big = CAST(amount AS decimal(38,10)) : bool?",
                "-9223372036854775808 | -9223372036854775808 : int64",
                "9223372036854775808 | 9223372036854775808 : decimal(19,0)",
                "1e5 | 100000.0 : float64",
                "1.50 | 1.50 : decimal(3,2)"
            })
    void numbers(String expression, String expected) {
        assertThat(translated(expression)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "ts >= TIMESTAMP '2024-01-01 00:00:00.12' | ts >= TIMESTAMP"
                        + " '2024-01-01T00:00:00.120' : bool?",
                "ts >= '2024-01-01' | ts >= TIMESTAMP '2024-01-01T00:00:00' : bool?",
                "tz >= '2024-01-01T01:00:00+01:00' | tz >= TIMESTAMP '2024-01-01T00:00:00Z' :"
                        + " bool?",
                "tz >= TIMESTAMP '2024-01-01 00:00:00' | tz >= TIMESTAMP '2024-01-01T00:00:00Z' :"
                        + " bool?",
                "tz = ts | CAST(tz AS timestamp(us,UTC)) = CAST(ts AS timestamp(us,UTC)) : bool?",
                "ts > d | ts > CAST(d AS timestamp(us)) : bool?",
                "d IN ('2024-01-01', '2024-02-01') | d IN (DATE '2024-01-01', DATE '2024-02-01') :"
                        + " bool?",
                "d BETWEEN '2024-01-01' AND '2024-02-01'"
                        + " | (d >= DATE '2024-01-01') AND (d <= DATE '2024-02-01') : bool?",
                "tm > TIME '10:00:00' | tm > TIME '10:00' : bool?",
                "EXTRACT(YEAR FROM ts) | EXTRACT_YEAR(ts) : int64?",
                "MONTH(d) | EXTRACT_MONTH(d) : int64?",
                "EXTRACT(DOW FROM d) | EXTRACT_DAY_OF_WEEK(d) : int64?",
                "CAST(ts AS TIME) | CAST(ts AS time(us)) : time(us)?",
                "CAST(city AS TIMESTAMP(3)) | CAST(city AS timestamp(ms)) : timestamp(ms)?",
                "CURRENT_TIMESTAMP | TIMESTAMP '2026-11-29T12:34:56.123456Z' : timestamp(us,UTC)",
                "LOCALTIMESTAMP | TIMESTAMP '2026-11-29T12:34:56.123456' : timestamp(us)",
                "current_date | DATE '2026-11-29' : date",
                "LOCALTIME | TIME '12:34:56.123456' : time(us)"
            })
    void datesAndTimes(String expression, String expected) {
        assertThat(translated(expression)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "city = '日本語😀' | city = '日本語😀' : bool?",
                "CASE WHEN b THEN 'a' ELSE 'zz ' END | CASE WHEN b THEN 'a' ELSE 'zz ' END : utf8",
                "U&'\\00e9' = city | 'é' = city : bool?",
                "_latin1'é' = city | 'é' = city : bool?",
                "TRIM(city) | TRIM(city) : utf8?",
                "LTRIM(city) | LTRIM(city) : utf8?",
                "TRIM(TRAILING FROM city) | RTRIM(city) : utf8?",
                "SUBSTRING(city FROM 2 FOR 3) | SUBSTRING(city, 2, 3) : utf8?",
                "substr(city, id) | SUBSTRING(city, CAST(id AS int32)) : utf8?",
                "POSITION('a' IN city) | POSITION(city, 'a') : int32?",
                "LENGTH(city) | CHAR_LENGTH(city) : int32?",
                "REPLACE(city, 'a', 'b') | REPLACE(city, 'a', 'b') : utf8?",
                "city NOT LIKE 'a!%' ESCAPE '!' | NOT (city LIKE 'a!%' ESCAPE '!') : bool?",
                "x'00ff' = bin | X'00ff' = bin : bool?",
                "fixed = x'00ff00ff' | CAST(fixed AS binary) = X'00ff00ff' : bool?"
            })
    void textsAndBytes(String expression, String expected) {
        assertThat(translated(expression)).isEqualTo(expected);
    }

    @Test
    void concatenationIsFlat() {
        assertThat(translated("UPPER(city) || 'x' || lower(city)"))
                .isEqualTo("UPPER(city) || 'x' || LOWER(city) : utf8?");
        assertThat(translated("CONCAT(city, 'x', city || 'y')"))
                .isEqualTo("city || 'x' || city || 'y' : utf8?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "NOT (price > 5) | NOT (price > 5.0) : bool?",
                "id NOT IN (1, 2, 3) | NOT (id IN (1, 2, 3)) : bool",
                "id IN (1, NULL, 3) | (id = 1) OR (id = NULL) OR (id = 3) : bool?",
                "id = 1 OR id = 2 OR city = 'x' OR id = 3 | (id IN (1, 2)) OR (city = 'x') OR (id ="
                        + " 3) : bool?",
                "i IN (1, 2.5) | (i = 1) OR (CAST(i AS decimal(11,1)) = 2.5) : bool?",
                "i BETWEEN SYMMETRIC 3 AND 1 | ((i >= 3) AND (i <= 1)) OR ((i >= 1) AND (i <= 3)) :"
                        + " bool?",
                "i NOT BETWEEN 1 AND 2 | NOT ((i >= 1) AND (i <= 2)) : bool?",
                "b IS UNKNOWN | b IS NULL : bool",
                "b IS NOT TRUE | b IS NOT TRUE : bool",
                "i IS DISTINCT FROM id | CAST(i AS int64) IS DISTINCT FROM id : bool",
                "i IS NOT DISTINCT FROM NULL | i IS NOT DISTINCT FROM NULL : bool",
                "i = NULL | i = NULL : bool?",
                "b AND NULL | b AND NULL : bool?",
                "i != 5 | i <> 5 : bool?",
                "COALESCE(i, 0) | CASE WHEN i IS NOT NULL THEN i ELSE 0 END : int32",
                "NULLIF(i, 0) | CASE WHEN i = 0 THEN NULL ELSE i END : int32?",
                "CASE i WHEN 1 THEN 2 END | CASE WHEN i = 1 THEN 2 ELSE NULL END : int32?",
                "CAST(NULL AS INTEGER) | NULL : int32?"
            })
    void logic(String expression, String expected) {
        assertThat(translated(expression)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "CAST(300 AS TINYINT) | CAST(300 AS int8) : int8",
                "CAST(2.5 AS INTEGER) | CAST(2.5 AS int32) : int32",
                "TRY_CAST(city AS INTEGER) | TRY_CAST(city AS int32) : int32?",
                "CAST(city AS DECIMAL) | CAST(city AS decimal(38,0)) : decimal(38,0)?",
                "CAST(i AS FLOAT) | CAST(i AS float64) : float64?",
                "1 / 0 | 1 / 0 : int32",
                "2147483647 + 1 | 2147483647 + 1 : int32",
                "SQRT(i) | SQRT(CAST(i AS float64)) : float64?",
                "POWER(i, 2) | POWER(CAST(i AS float64), 2.0) : float64?",
                "FLOOR(amount) | FLOOR(amount) : decimal(10,0)?",
                "FLOOR(i) | i : int32?",
                "ROUND(amount, 1) | ROUND(amount, 1) : decimal(10,2)?",
                "MOD(id, i) | CAST(id % CAST(i AS int64) AS int32) : int32?"
            })
    void nothingIsFoldedThatAKernelWouldCompute(String expression, String expected) {
        assertThat(translated(expression)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "u8 | u8 : uint8?",
                "u8 + 1 | CAST(CAST(u8 AS int16) AS int32) + 1 : int32?",
                "u64 > 5 | CAST(u64 AS decimal(20,0)) > 5 : bool?",
                "f16 * 2 | CAST(f16 AS float32) * 2.0 : float32?",
                "A + a | A + a : int32",
                "\"odd name\" + 1 | \"odd name\" + 1 : int32",
                "\"value\" | value : utf8?"
            })
    void columns(String expression, String expected) {
        assertThat(translated(expression)).isEqualTo(expected);
    }
}
