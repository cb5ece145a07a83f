package io.spillway.plan.logical;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What the page on functions says about each: a line of the texts below, by section. */
final class FunctionEntries {

    /**
     * A function, or a form of expressions.
     *
     * @param name as the code has it; for a form, how it begins
     * @param signature how it is written
     * @param line what it gives
     * @param example an expression over the dataset of the page
     */
    record Entry(String name, String signature, String line, String example) {}

    private static final Pattern SEPARATOR = Pattern.compile(" ~ ");

    private static final String FORMS =
            """
            CASE ~ CASE WHEN condition THEN value … ELSE value END ~ the value of the first condition that is true; only that one is computed ~ CASE WHEN 1 > 2 THEN 'a' ELSE 'b' END
            CAST ~ CAST(value AS type) ~ the value as another type; an error if it has no counterpart there ~ CAST('12' AS INTEGER) + 1
            TRY_CAST ~ TRY_CAST(value AS type) ~ the same with null in place of the error; also SAFE_CAST ~ TRY_CAST('x' AS INTEGER)
            + ~ a + b, a - b, a * b, -a ~ integers and decimals are exact; what does not fit is an error ~ 2 + 3 * 4
            / ~ a / b, a % b ~ integers are cut towards zero, the remainder has the sign of a; division by zero is an error but for floats ~ -7 / 2
            || ~ a || b ~ texts put together; null if one is ~ 'a' || 'b'
            = ~ =, <>, !=, <, <=, >, >= ~ texts compare by code points; NaN is the greatest number and equals itself ~ 'a' < 'b'
            IS ~ IS [NOT] NULL, TRUE, FALSE, UNKNOWN, DISTINCT FROM b ~ never null ~ NULL IS DISTINCT FROM 1
            BETWEEN ~ a [NOT] BETWEEN low AND high ~ both ends included; with SYMMETRIC in either order ~ 2 BETWEEN 1 AND 3
            IN ~ a [NOT] IN (value, …) ~ is it one of them? ~ 2 IN (1, 2)
            LIKE ~ a [NOT] LIKE pattern [ESCAPE c] ~ % stands for any characters, _ for one; the pattern is a literal ~ 'abc' LIKE 'a%'
            ILIKE ~ a [NOT] ILIKE pattern [ESCAPE c] ~ the same, whatever the case ~ 'ABC' ILIKE 'a_c'
            AND ~ AND, OR, NOT ~ three-valued logic; the right side is computed only where the left one leaves it open ~ NULL OR TRUE
            INTERVAL ~ moment ± INTERVAL 'n' unit ~ a month later is the same day, or the last one of that month ~ DATE '2024-01-31' + INTERVAL '1' MONTH
            [] ~ list[n], struct.field ~ as ELEMENT_AT and STRUCT_EXTRACT; in a query, a field is reached by STRUCT_EXTRACT ~ tags[1]
            CURRENT_DATE ~ CURRENT_DATE, CURRENT_TIME, CURRENT_TIMESTAMP, LOCALTIME, LOCALTIMESTAMP ~ the moment of submission, in UTC ~ CURRENT_TIMESTAMP > TIMESTAMP '2020-01-01 00:00:00'
            """;

    private static final String CONDITIONAL =
            """
            COALESCE ~ COALESCE(a, b, …) ~ the first that is not null ~ COALESCE(NULL, 2, 3)
            NULLIF ~ NULLIF(a, b) ~ null if they are equal, else a ~ NULLIF(1, 1)
            GREATEST ~ GREATEST(a, b, …) ~ the greatest; null if one is null ~ GREATEST(1, 3, 2)
            LEAST ~ LEAST(a, b, …) ~ the least; null if one is null ~ LEAST('b', 'a')
            """;

    private static final String NUMBERS =
            """
            ABS ~ ABS(x) ~ without its sign ~ ABS(-1.5)
            SIGN ~ SIGN(x) ~ -1, 0 or 1 ~ SIGN(-2.5)
            CEIL ~ CEIL(x) ~ the smallest whole number not below ~ CEIL(1.2)
            FLOOR ~ FLOOR(x) ~ the largest whole number not above ~ FLOOR(-1.2)
            ROUND ~ ROUND(x [, digits]) ~ to the nearest, half away from zero ~ ROUND(2.345, 2)
            MOD ~ MOD(a, b) ~ the remainder, with the sign of a ~ MOD(-7, 3)
            SQRT ~ SQRT(x) ~ the root; of a negative number NaN ~ SQRT(2)
            CBRT ~ CBRT(x) ~ the cube root ~ CBRT(27)
            POWER ~ POWER(x, y) ~ x to the power of y, as float64 ~ POWER(2, 10)
            EXP ~ EXP(x) ~ e to the power of x ~ EXP(1)
            LN ~ LN(x) ~ the natural logarithm; of 0 -Infinity, below NaN ~ LN(10)
            LOG10 ~ LOG10(x) ~ the logarithm to base 10 ~ LOG10(1000)
            LOG2 ~ LOG2(x) ~ the logarithm to base 2 ~ LOG2(8)
            SIN ~ SIN(x) ~ of an angle in radians ~ SIN(1)
            COS ~ COS(x) ~ of an angle in radians ~ COS(0)
            TAN ~ TAN(x) ~ of an angle in radians ~ TAN(1)
            ASIN ~ ASIN(x) ~ the angle; beyond 1 and -1 NaN ~ ASIN(1)
            ACOS ~ ACOS(x) ~ the angle; beyond 1 and -1 NaN ~ ACOS(1)
            ATAN ~ ATAN(x) ~ the angle ~ ATAN(1)
            ATAN2 ~ ATAN2(y, x) ~ the angle of the point (x, y) ~ ATAN2(1, -1)
            SINH ~ SINH(x) ~ the hyperbolic sine ~ SINH(1)
            COSH ~ COSH(x) ~ the hyperbolic cosine ~ COSH(0)
            TANH ~ TANH(x) ~ the hyperbolic tangent ~ TANH(1)
            DEGREES ~ DEGREES(x) ~ radians as degrees ~ DEGREES(1)
            RADIANS ~ RADIANS(x) ~ degrees as radians ~ RADIANS(180)
            """;

    private static final String TEXTS =
            """
            UPPER ~ UPPER(text) ~ in capitals, code point by code point ~ UPPER('straße é')
            LOWER ~ LOWER(text) ~ in small letters ~ LOWER('ÀB')
            CHAR_LENGTH ~ CHAR_LENGTH(text) ~ number of code points ~ CHAR_LENGTH('é😀')
            OCTET_LENGTH ~ OCTET_LENGTH(text) ~ bytes in UTF-8 ~ OCTET_LENGTH('é😀')
            SUBSTRING ~ SUBSTRING(text FROM start [FOR length]), SUBSTRING(text, start [, length]) ~ code points from a place, the first is 1 ~ SUBSTRING('hello', 2, 3)
            LEFT ~ LEFT(text, n) ~ the first n code points; without the last ones if n is negative ~ LEFT('hello', 2)
            RIGHT ~ RIGHT(text, n) ~ the last n code points; without the first ones if n is negative ~ RIGHT('hello', -1)
            TRIM ~ TRIM([BOTH, LEADING or TRAILING] [characters FROM] text) ~ without spaces, or these characters, on its sides ~ TRIM(BOTH 'xy' FROM 'xaxby')
            LTRIM ~ LTRIM(text [, characters]) ~ the same in front ~ LTRIM('  a')
            RTRIM ~ RTRIM(text [, characters]) ~ the same at the end ~ RTRIM('a!?', '?!')
            LPAD ~ LPAD(text, length [, fill]) ~ filled up in front, or cut; at most 16 MiB ~ LPAD('7', 3, '0')
            RPAD ~ RPAD(text, length [, fill]) ~ filled up at the end, or cut; at most 16 MiB ~ RPAD('ab', 5, '.-')
            REPEAT ~ REPEAT(text, n) ~ n times; at most 16 MiB ~ REPEAT('ab', 3)
            REVERSE ~ REVERSE(text) ~ the code points from the last to the first ~ REVERSE('abc')
            CONCAT ~ CONCAT(a, b, …) ~ put together; null if one is null ~ CONCAT('a', 'b', 'c')
            REPLACE ~ REPLACE(text, wanted, replacement) ~ with all that is wanted replaced ~ REPLACE('banana', 'an', 'o')
            POSITION ~ POSITION(wanted IN text) ~ place of the first one, from 1; 0 if there is none ~ POSITION('na' IN 'banana')
            SPLIT_PART ~ SPLIT_PART(text, separator, n) ~ the part before the n-th separator; from the end if n is negative; empty if there is none ~ SPLIT_PART('a-b-c', '-', -1)
            STARTS_WITH ~ STARTS_WITH(text, start) ~ does it start so? ~ STARTS_WITH('abc', 'ab')
            ENDS_WITH ~ ENDS_WITH(text, end) ~ does it end so? ~ ENDS_WITH('abc', 'b')
            CONTAINS ~ CONTAINS(text, part) ~ is it in there? ~ CONTAINS('abc', 'b')
            REGEXP_LIKE ~ REGEXP_LIKE(text, pattern) ~ does some part of it match? ~ REGEXP_LIKE('abc', '^a.c$')
            REGEXP_EXTRACT ~ REGEXP_EXTRACT(text, pattern [, group]) ~ the first match, or a group of it; null if there is none ~ REGEXP_EXTRACT('k=v', '(\\w)=(\\w)', 2)
            REGEXP_REPLACE ~ REGEXP_REPLACE(text, pattern, replacement) ~ with all matches replaced; \\1 is a group of the match ~ REGEXP_REPLACE('Ann Lee', '(\\w+) (\\w+)', '\\2, \\1')
            JSON_VALUE ~ JSON_VALUE(text, path [RETURNING type]) ~ the scalar at a path of members and positions, as a text or as TRY_CAST makes it the type; else null ~ JSON_VALUE('{"a": [1, 2.50]}', '$.a[1]')
            MD5 ~ MD5(text) ~ of its UTF-8 bytes, in hexadecimal digits ~ MD5('abc')
            SHA256 ~ SHA256(text) ~ of its UTF-8 bytes, in hexadecimal digits ~ SHA256('abc')
            XXHASH64 ~ XXHASH64(text) ~ XXH64 of its UTF-8 bytes with seed 0, as int64 ~ XXHASH64('abc')
            """;

    private static final String MOMENTS =
            """
            EXTRACT ~ EXTRACT(part FROM moment) ~ MILLENNIUM, CENTURY, DECADE, YEAR, ISOYEAR, QUARTER, MONTH, WEEK (of ISO 8601), DAY, DOW (Sunday is 0), ISODOW (Sunday is 7), DOY, HOUR, MINUTE, SECOND, EPOCH; MILLISECOND, MICROSECOND and NANOSECOND are those of the minute ~ EXTRACT(WEEK FROM DATE '2024-12-30')
            DATE_PART ~ DATE_PART('part', moment) ~ the same ~ DATE_PART('dow', DATE '2024-12-29')
            YEAR ~ YEAR(moment) ~ the year ~ YEAR(DATE '2024-12-30')
            QUARTER ~ QUARTER(moment) ~ the quarter, from 1 ~ QUARTER(DATE '2024-12-30')
            MONTH ~ MONTH(moment) ~ the month, from 1 ~ MONTH(DATE '2024-12-30')
            HOUR ~ HOUR(moment) ~ the hour ~ HOUR(TIME '10:20:30')
            MINUTE ~ MINUTE(moment) ~ the minute ~ MINUTE(TIME '10:20:30')
            SECOND ~ SECOND(moment) ~ the whole second ~ SECOND(TIME '10:20:30.9')
            DATE_TRUNC ~ DATE_TRUNC('unit', moment) ~ the start of the unit it is in; weeks start on Monday ~ DATE_TRUNC('month', DATE '2024-02-29')
            DATE_BUCKET ~ DATE_BUCKET('unit', n, moment) ~ the start of the n units it is in, a tumbling window; they are counted from 1900-01-01, a Monday; n is a literal ~ DATE_BUCKET('minute', 15, TIMESTAMP '2024-02-29 10:50:00')
            DATE_ADD ~ DATE_ADD('unit', n, moment) ~ n units later ~ DATE_ADD('month', 1, DATE '2024-01-31')
            DATE_DIFF ~ DATE_DIFF('unit', from, to) ~ how often the unit changes on the way ~ DATE_DIFF('year', DATE '2023-12-31', DATE '2024-01-01')
            STRFTIME ~ STRFTIME(moment, pattern) ~ as a text; %Y %m %d %H %M %S and so on, see below ~ STRFTIME(DATE '2024-02-09', '%d/%m/%Y %A')
            STRPTIME ~ STRPTIME(text, pattern) ~ a text of that pattern as a timestamp in microseconds; else an error ~ STRPTIME('9 Feb 2024', '%d %b %Y')
            TRY_STRPTIME ~ TRY_STRPTIME(text, pattern) ~ the same with null in place of the error ~ TRY_STRPTIME('?', '%Y')
            """;

    private static final String NESTED =
            """
            CARDINALITY ~ CARDINALITY(list or map) ~ number of elements ~ CARDINALITY(tags)
            ELEMENT_AT ~ ELEMENT_AT(list, n) ~ the n-th element, from 1, or from the end if n is negative; null if there is none ~ ELEMENT_AT(tags, -1)
            ARRAY_CONTAINS ~ ARRAY_CONTAINS(list, value) ~ is one of its elements equal to the value? ~ ARRAY_CONTAINS(tags, 'red')
            STRUCT_EXTRACT ~ STRUCT_EXTRACT(struct, 'field') ~ the value of a field ~ STRUCT_EXTRACT(place, 'zip')
            NAMED_STRUCT ~ NAMED_STRUCT('name', value, …) ~ a struct of values of any type ~ NAMED_STRUCT('id', id, 'city', city)
            """;

    private static final String AGGREGATES =
            """
            COUNT ~ COUNT(*), COUNT([DISTINCT] a) ~ number of rows, or of those where a is not null ~ COUNT(city)
            SUM ~ SUM([DISTINCT] x) ~ the sum; exact for integers and decimals, an error if it does not fit ~ SUM(id)
            AVG ~ AVG([DISTINCT] x) ~ the mean, as float64 ~ AVG(price)
            MIN ~ MIN(a) ~ the least ~ MIN(city)
            MAX ~ MAX(a) ~ the greatest ~ MAX(price)
            STDDEV_SAMP ~ STDDEV_SAMP(x) ~ the standard deviation of a sample ~ STDDEV_SAMP(id)
            STDDEV_POP ~ STDDEV_POP(x) ~ that of all there is ~ STDDEV_POP(id)
            VAR_SAMP ~ VAR_SAMP(x) ~ the variance of a sample ~ VAR_SAMP(id)
            VAR_POP ~ VAR_POP(x) ~ that of all there is ~ VAR_POP(id)
            PERCENTILE_CONT ~ PERCENTILE_CONT(fraction) WITHIN GROUP (ORDER BY x) ~ the value below which the fraction lies, between two values if need be; MEDIAN(x) is that of 0.5 ~ PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY id)
            PERCENTILE_DISC ~ PERCENTILE_DISC(fraction) WITHIN GROUP (ORDER BY a) ~ the first value, of any type, that the fraction does not exceed ~ PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY id)
            ANY_VALUE ~ ANY_VALUE(a) ~ the first that is not null ~ ANY_VALUE(city)
            FIRST ~ FIRST(a) [WITHIN GROUP (ORDER BY …)] ~ the first, null or not ~ FIRST(city) WITHIN GROUP (ORDER BY id)
            LAST ~ LAST(a) [WITHIN GROUP (ORDER BY …)] ~ the last, null or not ~ LAST(city) WITHIN GROUP (ORDER BY id)
            ARRAY_AGG ~ ARRAY_AGG(a) [WITHIN GROUP (ORDER BY …)] ~ a list of all of them ~ ARRAY_AGG(id)
            BOOL_AND ~ BOOL_AND(condition) ~ is it true for all? ~ BOOL_AND(id >= 0)
            BOOL_OR ~ BOOL_OR(condition) ~ is it true for one? ~ BOOL_OR(id > 100)
            APPROX_COUNT_DISTINCT ~ APPROX_COUNT_DISTINCT(a) ~ about how many different ones there are, by a sketch ~ APPROX_COUNT_DISTINCT(city)
            """;

    private static final String WINDOWS =
            """
            ROW_NUMBER ~ ROW_NUMBER() ~ number of the row, from 1 ~ ROW_NUMBER() OVER (ORDER BY id DESC)
            RANK ~ RANK() ~ number of the first row that is equal in the order ~ RANK() OVER (ORDER BY id / 3)
            DENSE_RANK ~ DENSE_RANK() ~ number of different rows up to here ~ DENSE_RANK() OVER (ORDER BY id / 3)
            PERCENT_RANK ~ PERCENT_RANK() ~ the rank from 0 to 1 ~ PERCENT_RANK() OVER (ORDER BY id)
            CUME_DIST ~ CUME_DIST() ~ share of the rows up to here ~ CUME_DIST() OVER (ORDER BY id)
            NTILE ~ NTILE(n) ~ number of one of n parts of equal size ~ NTILE(2) OVER (ORDER BY id)
            LAG ~ LAG(a [, n [, otherwise]]) ~ the value n rows before, of 1 if not told ~ LAG(id) OVER (ORDER BY id)
            LEAD ~ LEAD(a [, n [, otherwise]]) ~ the value n rows behind ~ LEAD(id, 2, -1) OVER (ORDER BY id)
            FIRST_VALUE ~ FIRST_VALUE(a) ~ the first of the frame ~ FIRST_VALUE(id) OVER (ORDER BY id)
            LAST_VALUE ~ LAST_VALUE(a) ~ the last of the frame ~ LAST_VALUE(id) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING)
            NTH_VALUE ~ NTH_VALUE(a, n) ~ the n-th of the frame ~ NTH_VALUE(id, 2) OVER (ORDER BY id)
            """;

    private FunctionEntries() {}

    /** The sections of functions of a row. */
    static Map<String, List<Entry>> scalars() {
        Map<String, List<Entry>> sections = new LinkedHashMap<>();
        sections.put("Choices", entries(CONDITIONAL));
        sections.put("Numbers", entries(NUMBERS));
        sections.put("Texts", entries(TEXTS));
        sections.put("Dates and times", entries(MOMENTS));
        sections.put("Lists, maps and structs", entries(NESTED));
        return sections;
    }

    /** What has a syntax of its own. */
    static List<Entry> forms() {
        return entries(FORMS);
    }

    static List<Entry> aggregates() {
        return entries(AGGREGATES);
    }

    static List<Entry> windows() {
        return entries(WINDOWS);
    }

    private static List<Entry> entries(String lines) {
        List<Entry> entries = new ArrayList<>();
        for (String line : lines.lines().toList()) {
            List<String> parts = SEPARATOR.splitAsStream(line).toList();
            entries.add(new Entry(parts.get(0), parts.get(1), parts.get(2), parts.get(3)));
        }
        return entries;
    }
}
