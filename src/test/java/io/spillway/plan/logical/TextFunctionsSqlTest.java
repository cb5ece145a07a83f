package io.spillway.plan.logical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.spillway.error.ErrorCode;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions of texts and numbers as they are written in SQL. */
class TextFunctionsSqlTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "NULL",
            quoteCharacter = '§',
            value = {
                "OCTET_LENGTH('é😀x') | 7",
                "LEFT('é😀xyz', 2) | é😀",
                "LEFT('é😀xyz', -2) | é😀x",
                "LEFT('abc', -5) | §§",
                "LEFT('abc', 0) | §§",
                "RIGHT('é😀xyz', 4) | 😀xyz",
                "RIGHT('é😀xyz', -1) | 😀xyz",
                "RIGHT('abc', 0) | §§",
                "RIGHT('abc', 2147483647) | abc",
                "RIGHT('abc', -2147483648) | §§",
                "LPAD('7', 3, '0') | 007",
                "LPAD('abc', 2, 'x') | ab",
                "LPAD('é', 4, '😀b') | 😀b😀é",
                "RPAD('é', 4, '😀b') | é😀b😀",
                "RPAD('a', 3) | §a  §",
                "LPAD('abc', -1, 'x') | §§",
                "LPAD('abc', 5, '') | abc",
                "LPAD(CAST(NULL AS VARCHAR), 5, 'x') | NULL",
                "REPEAT('ab', 3) | ababab",
                "REPEAT('ab', -1) | §§",
                "REPEAT('', 2147483647) | §§",
                "REPEAT('ab', CAST(NULL AS INTEGER)) | NULL",
                "REVERSE('a😀é') | é😀a",
                "REVERSE('') | §§",
                "SPLIT_PART('a-b-c', '-', 2) | b",
                "SPLIT_PART('a-b-c', '-', -1) | c",
                "SPLIT_PART('a-b-c', '-', -3) | a",
                "SPLIT_PART('a-b-c', '-', -4) | §§",
                "SPLIT_PART('a-b-c', '-', 4) | §§",
                "SPLIT_PART('a-b-c', '-', 0) | §§",
                "SPLIT_PART('a--b', '-', 2) | §§",
                "SPLIT_PART('abc', '', 1) | abc",
                "SPLIT_PART('abc', '', 2) | §§",
                "STARTS_WITH('abc', 'ab') | true",
                "STARTS_WITH('a', 'ab') | false",
                "ENDS_WITH('abc', 'bc') | true",
                "ENDS_WITH('abc', '') | true",
                "ENDS_WITH('c', 'bc') | false",
                "CONTAINS('abc', 'b') | true",
                "contains('a😀c', '😀') | true",
                "CONTAINS('abc', CAST(NULL AS VARCHAR)) | NULL",
                "TRIM(BOTH 'xy' FROM 'xyaxbyx') | axb",
                "TRIM(LEADING '😀' FROM '😀😀a😀') | a😀",
                "LTRIM('xxay', 'xy') | ay",
                "RTRIM('axyx', 'xy') | a",
                "LTRIM('  a ') | §a §",
                "'ABC' ILIKE 'a_c' | true",
                "'ÄBC' ILIKE 'ä%' | true",
                "'abc' NOT ILIKE 'A%' | false",
                "'a%c' ILIKE 'Ax%C' ESCAPE 'x' | true",
                "'abc' ILIKE 'Ax%C' ESCAPE 'x' | false",
                "'a\\C' ILIKE 'A\\c' | true",
                "'abc' LIKE 'A%' | false",
                "MD5('abc') | 900150983cd24fb0d6963f7d28e17f72",
                "SHA256('abc') | ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "MD5('') | d41d8cd98f00b204e9800998ecf8427e",
                "XXHASH64('') | -1205034819632174695",
                "XXHASH64('abc') | 4952883123889572249",
                "GREATEST('a', 'b', 'ab') | b",
                "LEAST(3, 1, 2) | 1",
                "GREATEST(1, 2.5) | 2.5",
                "GREATEST(1, CAST(NULL AS INTEGER)) | NULL",
                "LEAST(CAST(NULL AS VARCHAR), 'a') | NULL",
                "GREATEST(DATE '2024-01-02', DATE '2024-01-01') | 2024-01-02",
                "GREATEST(CAST('NaN' AS DOUBLE), 1e0) | NaN"
            })
    void values(String sql, String expected) {
        assertThat(SqlConstants.value(sql)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "NULL",
            quoteCharacter = '§',
            value = {
                "REGEXP_LIKE('abc', 'b') | true",
                "REGEXP_LIKE('abc', '^b') | false",
                "REGEXP_MATCHES('ABC', '(?i)b.$') | true",
                "REGEXP_LIKE('é😀', '^..$') | true",
                "REGEXP_LIKE('😀1', '^.$') | false",
                "REGEXP_EXTRACT('é1', '^\\d') | NULL",
                "REGEXP_LIKE('', '') | true",
                "REGEXP_LIKE('abc', CAST(NULL AS VARCHAR)) | NULL",
                "REGEXP_LIKE(CAST(NULL AS VARCHAR), 'a') | NULL",
                "REGEXP_EXTRACT('a12b345', '[0-9]+') | 12",
                "REGEXP_EXTRACT('k=é😀;', '(.)=(.*);', 2) | é😀",
                "REGEXP_EXTRACT('abc', 'x') | NULL",
                "REGEXP_EXTRACT('ac', 'a(b)?c', 1) | NULL",
                "REGEXP_REPLACE('a1b22', '[0-9]+', '#') | a#b#",
                "REGEXP_REPLACE('John Smith', '(\\w+) (\\w+)', '\\2, \\1') | Smith, John",
                "REGEXP_REPLACE('abc', '', '-') | -a-b-c-",
                "REGEXP_REPLACE('a😀', '', '-') | -a-😀-",
                "REGEXP_REPLACE('baaac', 'a*', 'x') | xbxcx",
                "REGEXP_REPLACE('abc', 'x', 'y') | abc",
                "REGEXP_REPLACE('a.b', '\\.', '\\\\') | a\\b",
                "REGEXP_REPLACE('aaa', '^a', 'b') | baa"
            })
    void regularExpressions(String sql, String expected) {
        assertThat(SqlConstants.value(sql)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "NULL",
            quoteCharacter = '§',
            value = {
                "JSON_VALUE('{\"a\": {\"b\": [1, 2.50, \"é😀\"]}}', '$.a.b[2]') | é😀",
                "JSON_VALUE('{\"a\": {\"b\": [1, 2.50]}}', 'lax $.a.b[1]') | 2.50",
                "JSON_VALUE('{\"a b\": true}', 'strict $.\"a b\"') | true",
                "JSON_VALUE('{\"a\": 1e400}', '$.a') | 1e400",
                "JSON_VALUE('{\"x\": [{}], \"a\": 12345678901234567890}', '$.a')"
                        + " | 12345678901234567890",
                "JSON_VALUE('[1]', '$[1]') | NULL",
                "JSON_VALUE('[[1], [2, 3]]', '$[1][1]') | 3",
                "JSON_VALUE('{\"a\": null}', '$.a') | NULL",
                "JSON_VALUE('{\"a\": {}}', '$.a') | NULL",
                "JSON_VALUE('{\"a\"', '$.a') | NULL",
                "JSON_VALUE('', '$') | NULL",
                "JSON_VALUE('7', '$') | 7",
                "JSON_VALUE('7', '$.a') | NULL",
                "JSON_VALUE(CAST(NULL AS VARCHAR), '$.a') | NULL",
                "JSON_VALUE('{\"a\": 41}', '$.a' RETURNING BIGINT) + 1 | 42",
                "JSON_VALUE('{\"a\": \"2024-05-01\"}', '$.a' RETURNING DATE) | 2024-05-01",
                "JSON_VALUE('{\"a\": true}', '$.a' RETURNING BOOLEAN) | true",
                "JSON_VALUE('{\"a\": 1.5}', '$.a' RETURNING VARCHAR) | 1.5",
                "JSON_VALUE('{\"a\": \"x\"}', '$.a' RETURNING INTEGER) | NULL",
                "JSON_VALUE('{\"a\": 1}', '$.b' RETURNING INTEGER) | NULL"
            })
    void jsonValues(String sql, String expected) {
        assertThat(SqlConstants.value(sql)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "JSON_VALUE('{}', 'a')",
                "JSON_VALUE('{}', '$.')",
                "JSON_VALUE('{}', '$[*]')",
                "JSON_VALUE('{}', '$..a')",
                "JSON_VALUE('{}', '$.a?(@ > 1)')",
                "JSON_VALUE('{}', '$.\"a')",
                "JSON_VALUE('{}', '$[9999999999]')",
                "REGEXP_LIKE('a', '(')",
                "REGEXP_LIKE('a', '(?=a)')",
                "REGEXP_LIKE('a', '(a)\\1')",
                "REGEXP_LIKE('a', 'a{1000}{1000}')",
                "REGEXP_LIKE('a', '((a{100}){100}){100}')",
                "REGEXP_LIKE('a', '(x{1000}){500}')",
                "REGEXP_EXTRACT('a', '(a)', 2)",
                "REGEXP_EXTRACT('a', '(a)', -1)",
                "REGEXP_REPLACE('a', 'a', '\\1')",
                "REGEXP_REPLACE('a', 'a', '\\x')",
                "REGEXP_REPLACE('a', 'a', '\\')",
                "'a' ILIKE 'ax' ESCAPE 'x'",
                "'a' ILIKE 'a' ESCAPE 'xy'"
            })
    void whatIsNoPatternIsAnErrorOfTheExpression(String sql) {
        SqlConstants.raises(ErrorCode.INVALID_EXPRESSION, sql);
    }

    @Test
    void aPatternTooLongOrTooDeepIsAnError() {
        SqlConstants.raises(
                ErrorCode.INVALID_EXPRESSION,
                "REGEXP_LIKE('a', '%s')".formatted("a".repeat(4_001)));
        SqlConstants.raises(
                ErrorCode.INVALID_EXPRESSION,
                "REGEXP_LIKE('a', '%s')".formatted("(".repeat(1_900) + ")".repeat(1_900)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "REPEAT('ab', 2147483647)",
                "LPAD('a', 2147483647, 'x')",
                "RPAD('a', 20000000, '😀')"
            })
    void whatGrowsBeyondItsBoundIsAnError(String sql) {
        SqlConstants.raises(ErrorCode.ARITHMETIC_OVERFLOW, sql);
    }

    @Test
    void patternsMadeToBeSlowAreNot() {
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> {
                    String text = "REPEAT('a', 30000)";
                    assertThat(SqlConstants.value("REGEXP_LIKE(" + text + ", '^(a+)+$')"))
                            .isEqualTo("true");
                    assertThat(SqlConstants.value("REGEXP_LIKE(" + text + ", '^(a|aa)+b$')"))
                            .isEqualTo("false");
                    assertThat(
                                    SqlConstants.value(
                                            text + " || 'b' LIKE '" + "%a".repeat(100) + "c'"))
                            .isEqualTo("false");
                    assertThat(SqlConstants.value(text + " ILIKE '" + "%A".repeat(100) + "c'"))
                            .isEqualTo("false");
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "LOG10(1000) | 3.0",
                "LOG2(8) | 3.0",
                "LOG10(0) | -Infinity",
                "LN(-1) | NaN",
                "SQRT(-1e0) | NaN",
                "CBRT(27) | 3.0",
                "SIN(0) | 0.0",
                "COS(0e0) | 1.0",
                "ASIN(2) | NaN",
                "ATAN2(1, 1) | 0.7853981633974483",
                "DEGREES(0) | 0.0",
                "RADIANS(180) | 3.141592653589793",
                "TANH(0) | 0.0",
                "SIGN(-5) | -1",
                "SIGN(-0.5) | -1",
                "SIGN(CAST(0 AS DECIMAL(38,10))) | 0",
                "SIGN(1e300) | 1.0"
            })
    void numbers(String sql, String expected) {
        assertThat(SqlConstants.value(sql)).isEqualTo(expected);
    }
}
