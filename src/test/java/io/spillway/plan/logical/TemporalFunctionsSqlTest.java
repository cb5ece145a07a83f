package io.spillway.plan.logical;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.error.ErrorCode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Functions of dates and times as they are written in SQL. */
class TemporalFunctionsSqlTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "NULL",
            quoteCharacter = '§',
            value = {
                "EXTRACT(WEEK FROM DATE '2021-01-03') | 53",
                "EXTRACT(WEEK FROM DATE '2024-12-30') | 1",
                "EXTRACT(ISOYEAR FROM DATE '2024-12-30') | 2025",
                "EXTRACT(ISODOW FROM DATE '2024-12-29') | 7",
                "EXTRACT(CENTURY FROM DATE '2000-12-31') | 20",
                "EXTRACT(CENTURY FROM DATE '2001-01-01') | 21",
                "EXTRACT(MILLENNIUM FROM DATE '2000-12-31') | 2",
                "EXTRACT(DECADE FROM DATE '1999-12-31') | 199",
                "EXTRACT(EPOCH FROM DATE '1970-01-02') | 86400",
                "EXTRACT(EPOCH FROM TIMESTAMP '1969-12-31 23:59:59.5') | -1",
                "EXTRACT(MILLISECOND FROM TIMESTAMP '2024-01-01 00:00:07.123456') | 7123",
                "EXTRACT(MICROSECOND FROM TIMESTAMP '2024-01-01 00:00:07.123456') | 7123456",
                "EXTRACT(NANOSECOND FROM TIMESTAMP '2024-01-01 00:01:07.123456') | 7123456000",
                "EXTRACT(MILLISECOND FROM DATE '2024-01-01') | 0",
                "EXTRACT(MICROSECOND FROM TIMESTAMP '1969-12-31 23:59:59.999999') | 59999999",
                "DATE_PART('dow', DATE '2024-12-29') | 0",
                "DATE_PART('days', DATE '2024-12-29') | 29",
                "DATE_TRUNC('month', DATE '2024-02-29') | 2024-02-01",
                "DATE_TRUNC('week', DATE '2024-12-29') | 2024-12-23",
                "DATE_TRUNC('hour', DATE '2024-12-29') | 2024-12-29",
                "date_trunc('quarter', TIMESTAMP '2024-12-29 10:11:12') | 2024-10-01 00:00:00",
                "DATE_TRUNC('century', DATE '2000-12-29') | 1901-01-01",
                "DATE_TRUNC('decade', DATE '2009-12-29') | 2000-01-01",
                "DATE_TRUNC('millennium', DATE '2001-12-29') | 2001-01-01",
                "DATE_TRUNC('minute', TIMESTAMP '1969-12-31 23:59:59') | 1969-12-31 23:59:00",
                "DATE_TRUNC('millisecond', TIMESTAMP '2024-01-01 00:00:00.123456')"
                        + " | 2024-01-01 00:00:00.123",
                "DATE_TRUNC('hour', TIME '10:20:30') | 10:00:00",
                "DATE_TRUNC('day', CAST(NULL AS DATE)) | NULL",
                "DATE_BUCKET('minute', 15, TIMESTAMP '2024-02-29 10:50:01') | 2024-02-29 10:45:00",
                "DATE_BUCKET('minute', 7, TIMESTAMP '1900-01-01 00:06:59') | 1900-01-01 00:00:00",
                "DATE_BUCKET('minute', 7, TIMESTAMP '1899-12-31 23:59:59') | 1899-12-31 23:53:00",
                "DATE_BUCKET('hour', 36, TIMESTAMP '1900-01-02 13:00:00') | 1900-01-02 12:00:00",
                "DATE_BUCKET('day', 10, DATE '1900-01-20') | 1900-01-11",
                "DATE_BUCKET('week', 2, DATE '1900-01-14') | 1900-01-01",
                "DATE_BUCKET('week', 2, DATE '1900-01-15') | 1900-01-15",
                "DATE_BUCKET('week', 1, DATE '2024-12-29') | 2024-12-23",
                "DATE_BUCKET('month', 5, TIMESTAMP '1900-06-01 00:00:00') | 1900-06-01 00:00:00",
                "DATE_BUCKET('month', 5, DATE '1900-05-31') | 1900-01-01",
                "DATE_BUCKET('quarter', 2, DATE '2024-12-29') | 2024-07-01",
                "DATE_BUCKET('year', 5, DATE '1899-06-06') | 1895-01-01",
                "DATE_BUCKET('minute', 20, TIME '10:59:00') | 10:40:00",
                "DATE_BUCKET('day', 2, CAST(NULL AS DATE)) | NULL",
                "DATE_BUCKET('day', CAST(NULL AS BIGINT), DATE '2024-01-01') | NULL",
                "DATE_DIFF('year', DATE '2023-12-31', DATE '2024-01-01') | 1",
                "DATE_DIFF('month', DATE '2024-03-01', DATE '2024-01-31') | -2",
                "DATE_DIFF('week', DATE '2024-12-29', DATE '2024-12-30') | 1",
                "DATE_DIFF('hour', DATE '2024-12-29', DATE '2024-12-30') | 24",
                "DATE_DIFF('day', DATE '2024-12-29', TIMESTAMP '2024-12-30 01:00:00') | 1",
                "DATE_DIFF('minute', TIMESTAMP '2024-12-30 01:00:59', TIMESTAMP '2024-12-30"
                        + " 01:01:00') | 1",
                "DATE_DIFF('nanosecond', TIMESTAMP '2024-12-30 01:00:59', TIMESTAMP '2024-12-30"
                        + " 01:01:00') | 1000000000",
                "DATE_ADD('month', 1, DATE '2024-01-31') | 2024-02-29",
                "DATE_ADD('week', -1, DATE '2024-01-31') | 2024-01-24",
                "DATE_ADD('year', 1, TIMESTAMP '2024-02-29 01:02:03') | 2025-02-28 01:02:03",
                "DATE_ADD('hour', 25, TIMESTAMP '2024-02-29 01:02:03') | 2024-03-01 02:02:03",
                "DATE_ADD('minute', 61, TIME '23:00:00') | 00:01:00",
                "STRFTIME(DATE '2024-02-09', '%d/%m/%Y %A %j %-d') | 09/02/2024 Friday 040 9",
                "STRFTIME(TIMESTAMP '2024-02-09 15:04:05.006', '%I:%M:%S.%g %p %b %B %f')"
                        + " | 03:04:05.006 PM Feb February 006000",
                "STRFTIME(DATE '2021-01-03', '%G-W%V-%u %w %y%%') | 2020-W53-7 0 21%",
                "STRFTIME(CAST(NULL AS DATE), '%Y') | NULL",
                "STRPTIME('09/02/2024', '%d/%m/%Y') | 2024-02-09 00:00:00",
                "STRPTIME('Fri, 9 feb 2024 03:04:05 pm', '%a, %d %b %Y %I:%M:%S %p')"
                        + " | 2024-02-09 15:04:05",
                "STRPTIME('2024年3月8日', '%Y年%m月%d日') | 2024-03-08 00:00:00",
                "STRFTIME(DATE '2024-03-08', '%-m月%-d日') | 3月8日",
                "STRPTIME('2024-060', '%Y-%j') | 2024-02-29 00:00:00",
                "STRPTIME('12:30:00.25', '%H:%M:%S.%f') | 1900-01-01 12:30:00.25",
                "TRY_STRPTIME('2023-02-29', '%Y-%m-%d') | NULL",
                "TRY_STRPTIME('x', '%Y') | NULL",
                "CAST(STRPTIME('20240229', '%Y%m%d') AS DATE) | 2024-02-29"
            })
    void values(String sql, String expected) {
        assertThat(SqlConstants.value(sql)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DATE_BUCKET('fortnight', 1, DATE '2024-01-01') | INVALID_EXPRESSION",
                "DATE_BUCKET('day', 0, DATE '2024-01-01') | INVALID_EXPRESSION",
                "DATE_BUCKET('hour', 2, DATE '2024-01-01') | TYPE_MISMATCH",
                "DATE_BUCKET('day', 2, TIME '10:00:00') | TYPE_MISMATCH",
                "DATE_BUCKET('hour', 9223372036854775807, TIMESTAMP '2024-01-01 00:00:00')"
                        + " | TYPE_MISMATCH",
                "DATE_TRUNC('fortnight', DATE '2024-01-01') | INVALID_EXPRESSION",
                "DATE_DIFF('fortnight', DATE '2024-01-01', DATE '2024-01-01') | INVALID_EXPRESSION",
                "DATE_ADD('fortnight', 1, DATE '2024-01-01') | INVALID_EXPRESSION",
                "DATE_PART('fortnight', DATE '2024-01-01') | INVALID_EXPRESSION",
                "DATE_ADD('hour', 1, DATE '2024-01-01') | TYPE_MISMATCH",
                "DATE_ADD('microsecond', 1, CAST('2024-01-01' AS TIMESTAMP(3))) | TYPE_MISMATCH",
                "DATE_TRUNC('day', TIME '10:00:00') | TYPE_MISMATCH",
                "DATE_ADD('year', 9223372036854775807, DATE '2024-01-01') | ARITHMETIC_OVERFLOW",
                "DATE_ADD('day', 9223372036854775807, DATE '2024-01-01') | ARITHMETIC_OVERFLOW",
                "DATE_DIFF('nanosecond', DATE '0001-01-01', DATE '2024-01-01')"
                        + " | ARITHMETIC_OVERFLOW",
                "STRFTIME(DATE '2024-01-01', '%Q') | INVALID_EXPRESSION",
                "STRFTIME(DATE '2024-01-01', '100%') | INVALID_EXPRESSION",
                "STRPTIME('2024-W01', '%G-W%V') | NOT_SUPPORTED",
                "STRPTIME('2023-02-29', '%Y-%m-%d') | INVALID_CAST",
                "STRPTIME('2023-02-28x', '%Y-%m-%d') | INVALID_CAST",
                "STRPTIME('', '%Y-%m-%d') | INVALID_CAST"
            })
    void errors(String sql, ErrorCode code) {
        SqlConstants.raises(code, sql);
    }
}
