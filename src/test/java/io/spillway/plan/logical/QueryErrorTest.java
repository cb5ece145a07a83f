package io.spillway.plan.logical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a query cannot be is refused where it stands in the text. */
class QueryErrorTest {

    private static SpillwayException failure(String sql) {
        SpillwayException e =
                catchThrowableOfType(
                        SpillwayException.class,
                        () ->
                                Plans.compileBody(
                                        EnumSet.allOf(OptimizerRule.class),
                                        "{`plan`: {`from`: {`sql`: " + Plans.quote(sql) + "}}}"));
        assertThat(e).as("a failure of " + sql).isNotNull();
        assertThat(e.context()).containsEntry("pointer", "/plan/from/sql");
        return e;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "SELECT id FROM t TABLESAMPLE SYSTEM(10) | 15 | t",
                "SELECT id FROM t FOR SYSTEM_TIME AS OF TIMESTAMP '2020-01-01 00:00:00' | 15 | t",
                "SELECT id FROM TABLE(f(1)) | 15 | TABLE",
                "WITH RECURSIVE x AS (SELECT 1 AS y) SELECT * FROM x | 15 | x",
                "SELECT STREAM id FROM t | 7 | STREAM",
                "SELECT /*+ fast */ id FROM t | 7 | /*+",
                "INSERT INTO t VALUES (1) | 0 | INSERT",
                "SELECT e FROM shapes, UNNEST(l) WITH ORDINALITY AS u(e, n) | 22 | UNNEST",
                "SELECT e FROM shapes RIGHT JOIN UNNEST(l) AS e ON TRUE | 27 | JOIN",
                "SELECT e FROM shapes LEFT JOIN UNNEST(l) AS e ON e > 1 | 26 | JOIN",
                "SELECT id FROM UNNEST(ARRAY[1]) AS id | 22 | ARRAY",
                "SELECT RAND() AS x FROM t | 7 | RAND",
                "SELECT LAG(i) IGNORE NULLS OVER (ORDER BY id) AS x FROM t | 14 | IGNORE",
                "SELECT FIRST(i) IGNORE NULLS AS x FROM t | 16 | IGNORE",
                "SELECT COUNT(DISTINCT i) OVER (ORDER BY id) AS x FROM t | 7 | COUNT",
                "SELECT MEDIAN(i) OVER (ORDER BY id) AS x FROM t | 7 | MEDIAN",
                "SELECT SUM(i) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE"
                        + " CURRENT ROW) AS x FROM t | 89 | ROW)",
                "SELECT COUNT(*) AS n FROM t GROUP BY DISTINCT ROLLUP(city) | 28 | GROUP",
                "SELECT INTERVAL '1' DAY * 2 AS x FROM t | 7 | INTERVAL",
                "SELECT ? AS x FROM t | 7 | ?",
                "SELECT id FROM t WHERE b AND city LIKE city | 29 | city",
                "SELECT id FROM t WHERE b AND city ILIKE city | 29 | city",
                "SELECT id, JSON_VALUE(city, '$.a' NULL ON EMPTY) AS x FROM t | 11 | JSON_VALUE",
                "SELECT JSON_VALUE(city, '$' RETURNING INTEGER ERROR ON ERROR) AS x FROM t | 7 |"
                        + " JSON_VALUE"
            })
    void whatNoQueryCanHaveIsNotSupported(String sql, int position, String found) {
        SpillwayException e = failure(sql);
        assertThat(e.code()).as(e.toString()).isEqualTo(ErrorCode.NOT_SUPPORTED);
        assertThat(e.context()).as(e.toString()).containsEntry("position", position);
        assertThat(sql.substring(position)).startsWith(found);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            nullValues = "-",
            value = {
                " | INVALID_EXPRESSION | 0 | -",
                "-- nothing | INVALID_EXPRESSION | 0 | -",
                "SELECT | INVALID_EXPRESSION | 6 | -",
                "SELECT FROM t | INVALID_EXPRESSION | 7 | -",
                "SELECT id FROM | INVALID_EXPRESSION | 14 | -",
                "SELECT id FRM t | INVALID_EXPRESSION | 14 | -",
                "SELECT value FROM t | INVALID_EXPRESSION | 7 | \"value\"",
                "SELECT id FROM t; | INVALID_EXPRESSION | 16 | -",
                "SELECT id FROM (t) | INVALID_EXPRESSION | 16 | -",
                "SELECT id FROM nosuch | UNKNOWN_DATASET | 15 | -",
                "SELECT id FROM nestd | UNKNOWN_DATASET | 15 | nested",
                "SELECT id FROM T | UNKNOWN_DATASET | 15 | t",
                "WITH table1 AS (SELECT 1 AS x) SELECT * FROM tabel1 | UNKNOWN_DATASET | 45 |"
                        + " table1",
                "WITH a AS (SELECT * FROM b), b AS (SELECT 1 AS x) SELECT * FROM a |"
                        + " UNKNOWN_DATASET | 25 | t",
                "SELECT id FROM main.t | UNKNOWN_DATASET | 15 | -",
                "SELECT idd FROM t | UNKNOWN_COLUMN | 7 | id",
                "SELECT Id FROM t | UNKNOWN_COLUMN | 7 | id",
                "SELECT id FROM t WHERE cty = 'x' | UNKNOWN_COLUMN | 23 | city",
                "SELECT n FROM (SELECT id AS m FROM t) WHERE id = 1 | UNKNOWN_COLUMN | 44 | -",
                "SELECT id AS same FROM t WHERE same = 1 | UNKNOWN_COLUMN | 31 | -",
                "SELECT t.idd FROM t | UNKNOWN_COLUMN | 7 | id",
                "SELECT t.id FROM t AS other | UNKNOWN_COLUMN | 7 | -",
                "SELECT tx.id FROM t AS txx | UNKNOWN_COLUMN | 7 | txx",
                "SELECT other.* FROM t | INVALID_EXPRESSION | 7 | -",
                "SELECT id, i AS id FROM t | DUPLICATE_COLUMN | 11 | -",
                "SELECT *, id FROM t | DUPLICATE_COLUMN | 10 | -",
                "SELECT * FROM shapes, UNNEST(l) AS id | DUPLICATE_COLUMN | 7 | -",
                "SELECT * FROM t JOIN shapes AS s ON t.id = s.id | DUPLICATE_COLUMN | 7 | -",
                "SELECT id FROM t JOIN shapes AS s ON t.id = s.id | INVALID_EXPRESSION | 7 | -",
                "SELECT t.id FROM t JOIN shapes AS s ON t.id = s.xy | UNKNOWN_COLUMN | 46 | -",
                "SELECT i FROM t GROUP BY city | INVALID_EXPRESSION | 7 | -",
                "SELECT id FROM t WHERE SUM(i) > 1 | INVALID_EXPRESSION | 23 | -",
                "SELECT SUM(city) AS s FROM t | TYPE_MISMATCH | 7 | -",
                "SELECT CUONT(*) AS n FROM t | INVALID_EXPRESSION | 7 | COUNT",
                "SELECT ROW_NUMBER() AS n FROM t | INVALID_EXPRESSION | 7 | -",
                "SELECT LAG(i, id) OVER (ORDER BY id) AS n FROM t | INVALID_EXPRESSION | 7 | -",
                "SELECT id FROM t ORDER BY cty | UNKNOWN_COLUMN | 26 | -",
                "SELECT city, COUNT(*) AS n FROM t GROUP BY cty | UNKNOWN_COLUMN | 43 | city",
                "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM nested WHERE nme = t.city) |"
                        + " UNKNOWN_COLUMN | 58 | name",
                "SELECT DISTINCT ON (city) id FROM t | INVALID_EXPRESSION | 16 | -",
                "SELECT id FROM t ORDER BY 3 | INVALID_EXPRESSION | 26 | -",
                "SELECT city, SUM(i) AS s FROM t GROUP BY 3 | INVALID_EXPRESSION | 41 | -",
                "SELECT id FROM t HAVING id > 1 | INVALID_EXPRESSION | 7 | -",
                "SELECT SUM(SUM(i)) AS s FROM t | INVALID_EXPRESSION | 7 | -",
                "SELECT id FROM t INTERSECT SELECT id, i FROM t | INVALID_EXPRESSION | 27 | -",
                "SELECT id FROM t JOIN nested USING (i) | UNKNOWN_COLUMN | 36 | id",
                "SELECT t.id FROM t JOIN nested n ON t.id | TYPE_MISMATCH | 36 | -",
                "SELECT d + INTERVAL '1' HOUR AS x FROM t | TYPE_MISMATCH | 7 | -",
                "SELECT tm - INTERVAL '1' MONTH AS x FROM t | TYPE_MISMATCH | 7 | -",
                "SELECT id FROM t QUALIFY id > 1 | INVALID_EXPRESSION | 7 | -",
                "SELECT NULL AS x FROM t | TYPE_MISMATCH | 7 | -",
                "SELECT id FROM t WHERE i | TYPE_MISMATCH | 23 | -",
                "SELECT id FROM t WHERE city > 5 | TYPE_MISMATCH | 23 | -",
                "SELECT city + 1 AS x FROM t | TYPE_MISMATCH | 7 | -",
                "SELECT e FROM t, UNNEST(id) AS e | TYPE_MISMATCH | 24 | -",
                "SELECT e FROM shapes, UNNEST(s) AS e | TYPE_MISMATCH | 29 | -",
                "SELECT * FROM shapes, UNNEST(l) | INVALID_EXPRESSION | 22 | -",
                "SELECT * FROM nested | FILE_NOT_SUPPORTED | 7 | -",
                "SELECT tags FROM nested | FILE_NOT_SUPPORTED | 7 | -",
                "SELECT id FROM t UNION ALL SELECT id, i FROM t | INVALID_EXPRESSION | 27 | -",
                "SELECT id FROM t UNION ALL SELECT city FROM t | TYPE_MISMATCH | 27 | -",
                "SELECT id FROM t UNION ALL SELECT price FROM t | TYPE_MISMATCH | 27 | -",
                "SELECT * FROM t AS x(a, b) | INVALID_EXPRESSION | 21 | -",
                "SELECT * FROM (SELECT id, i FROM t) AS x(a, a) | DUPLICATE_COLUMN | 44 | -",
                "WITH x AS (SELECT 1 AS y), x AS (SELECT 2 AS y) SELECT * FROM x |"
                        + " INVALID_EXPRESSION | 27 | -",
                "SELECT id FROM t LIMIT 1.5 | INVALID_EXPRESSION | 23 | -",
                "SELECT id FROM t LIMIT 9223372036854775808 | INVALID_EXPRESSION | 23 | -",
                "SELECT id FROM t LIMIT -1 | INVALID_EXPRESSION | 23 | -",
                "SELECT id FROM t LIMIT 5 OFFSET id | INVALID_EXPRESSION | 32 | -",
                "SELECT id FROM t TABLESAMPLE BERNOULLI(101) | INVALID_EXPRESSION | 15 | -",
                "VALUES (1, 2), (3) | INVALID_EXPRESSION | 15 | -",
                "VALUES (1), ('a') | TYPE_MISMATCH | 13 | -",
                "VALUES (NULL), (NULL) | TYPE_MISMATCH | 8 | -",
                "VALUES (id) | UNKNOWN_COLUMN | 8 | -",
                "VALUES (1), (1 / 0) | DIVISION_BY_ZERO | 13 | -",
                "SELECT 'abc FROM t | INVALID_EXPRESSION | 7 | -",
                "SELECT (id FROM t | INVALID_EXPRESSION | 17 | -",
                "SELECT frobnicate(id) AS x FROM t | INVALID_EXPRESSION | 7 | -",
                "SELECT m['a'] AS x FROM shapes | TYPE_MISMATCH | 7 | -",
                "SELECT 1 + CARDINALITY(ELEMENT_AT(m, 'a')) AS x FROM shapes | TYPE_MISMATCH | 23 |"
                        + " -",
                "SELECT id FROM t WHERE id = 1 AND (b OR REGEXP_LIKE(city, city)) | TYPE_MISMATCH |"
                        + " 40 | -",
                "SELECT CASE WHEN b THEN JSON_VALUE(city, city) END AS x FROM t | TYPE_MISMATCH |"
                        + " 24 | -",
                "SELECT id FROM t ORDER BY id, REGEXP_EXTRACT(city, city) | TYPE_MISMATCH | 30 | -",
                "SELECT MAX(STRPTIME(city, city)) AS x FROM t | TYPE_MISMATCH | 11 | -",
                "SELECT t.id FROM t JOIN nested n ON t.id = n.id AND REGEXP_LIKE(city, name) |"
                        + " TYPE_MISMATCH | 52 | -",
                "SELECT PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY city, id) AS x FROM t |"
                        + " INVALID_EXPRESSION | 42 | -",
                "SELECT PERCENTILE_CONT(0.5) AS x FROM t | INVALID_EXPRESSION | 7 | -",
                "SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY d) AS x FROM t | TYPE_MISMATCH"
                        + " | 7 | -"
            })
    void hasCodePlaceAndNearestName(String sql, ErrorCode code, int position, String suggestion) {
        SpillwayException e = failure(sql == null ? "" : sql);
        assertThat(e.code()).as(e.toString()).isEqualTo(code);
        assertThat(e.context()).as(e.toString()).containsEntry("position", position);
        assertThat(e.context().get("suggestion")).isEqualTo(suggestion);
    }

    @Test
    void positionsAreThoseOfTheTextAsWritten() {
        // Brackets are put into long chains before the text is parsed.
        StringBuilder chain = new StringBuilder("id = 0");
        for (int i = 1; i < 100; i++) {
            chain.append(" OR\n id = ").append(i);
        }
        String sql = "SELECT id\nFROM t\nWHERE " + chain + "\n GROUP BY idd";
        assertThat(failure(sql).context()).containsEntry("position", sql.indexOf("idd"));
        String wrong = "SELECT id\nFROM t\nWHERE " + chain + " OR cty = 'x' LIMIT 5";
        assertThat(failure(wrong).context())
                .containsEntry("position", wrong.indexOf("cty"))
                .containsEntry("suggestion", "city");
    }

    @Test
    void saysWhatElseCouldStandThere() {
        assertThat(failure("").context()).containsEntry("expected", List.of("SELECT"));
        assertThat(failure("SELECT id FROM t UNION ALL SELECT city FROM t"))
                .hasMessageContaining("'id' is utf8 here and int64 before");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "id",
                "SELECT *",
                "SELECT t.*",
                "SELECT * EXCEPT(id) FROM t",
                "SELECT * FROM t AS t(id)",
                "SELECT * FROM t PIVOT (SUM(i) FOR city IN ('a'))",
                "SELECT * FROM t MATCH_RECOGNIZE (PATTERN (a) DEFINE a AS TRUE)",
                "SELECT * FROM t, UNNEST(l, l2) AS e",
                "SELECT * FROM shapes, UNNEST(l) AS e(a, b)",
                "SELECT * FROM shapes, UNNEST(nosuch) AS e",
                "SELECT id FROM t FETCH FIRST 5 PERCENT ROWS ONLY",
                "SELECT id FROM t LIMIT ?",
                "SELECT id FROM t LIMIT ALL OFFSET 'x'",
                "SELECT id AS \"\" FROM t",
                "SELECT id.x AS y FROM t",
                "SELECT t.id.x AS y FROM t",
                "SELECT {fn NOW()} AS x",
                "SELECT INTERVAL '1' DAY AS x",
                "SELECT ROW(1, 2) AS x",
                "SELECT ARRAY[1] AS x",
                "SELECT CAST(id AS INTEGER ARRAY) AS x FROM t",
                "SELECT id FROM t WHERE",
                "SELECT id WHERE id = 1",
                "VALUES",
                "VALUES ()",
                "TABLE",
                "TABLE nosuch",
                "WITH x AS () SELECT 1",
                "WITH x SELECT 1",
                "WITH x(a, b) AS (SELECT 1) SELECT 1",
                "EXPLAIN PLAN FOR SELECT 1",
                "DESCRIBE t",
                "DELETE FROM t",
                "UPDATE t SET id = 1",
                "MERGE INTO t USING t AS u ON TRUE WHEN MATCHED THEN UPDATE SET id = 1",
                "CALL f(1)",
                "SET x = 1",
                "CREATE TABLE x (a INT)",
                "SELECT id FROM t UNION",
                "UNION ALL SELECT 1",
                "SELECT GROUPING(id) FROM t",
                "SELECT NEXT VALUE FOR s FROM t",
                "SELECT LISTAGG(city) WITHIN GROUP (ORDER BY city) AS x FROM t",
                "SELECT id FROM t FOR UPDATE",
                "SELECT id FROM t AS OF '2020'",
                "SELECT CURSOR(SELECT 1) FROM t",
                "SELECT MULTISET(SELECT 1) AS x",
                "((((",
                "))))",
                "SELECT \"",
                "/*"
            })
    void nonsenseNeverEndsInAnInternalError(String sql) {
        SpillwayException e = failure(sql);
        assertThat(e.code())
                .as(e.toString())
                .isIn(
                        ErrorCode.INVALID_EXPRESSION,
                        ErrorCode.INVALID_PLAN,
                        ErrorCode.TYPE_MISMATCH,
                        ErrorCode.NOT_SUPPORTED,
                        ErrorCode.UNKNOWN_DATASET,
                        ErrorCode.UNKNOWN_COLUMN);
    }
}
