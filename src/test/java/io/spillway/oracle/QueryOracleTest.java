package io.spillway.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Queries and steps that give other rows than they get, beside what DuckDB makes of the same. */
class QueryOracleTest {

    private static final JsonMapper MAPPER = new JsonMapper();

    private static SpillwayServer server;
    private static DuckDb duckdb;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        Path root = folder.toRealPath();
        duckdb = new DuckDb();
        write(
                root.resolve("t.parquet"),
                "SELECT i AS id, i % 7 AS small, CASE WHEN i % 5 = 0 THEN NULL ELSE 'city ' || (i %"
                        + " 11) END AS city, i::DOUBLE / 4 AS price, DATE '2024-01-01' + (i %"
                        + " 400)::INTEGER AS \"date\", (i * 1.25)::DECIMAL(12,2) AS amount FROM"
                        + " range(20000) r(i)");
        write(
                root.resolve("lists.parquet"),
                "SELECT i AS id, CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN [] ELSE [CASE WHEN j % 3 ="
                        + " 0 THEN NULL ELSE i * 10 + j END FOR j IN range(i % 9)] END AS l, 'n' || i"
                        + " AS name FROM range(5000) r(i)");
        for (String table : List.of("t", "lists")) {
            duckdb.execute(
                    "CREATE VIEW %s AS SELECT * FROM read_parquet('%s')"
                            .formatted(table, root.resolve(table + ".parquet")));
        }
        server =
                SpillwayServer.builder()
                        .root(root)
                        .dataset("t", root.resolve("t.parquet"))
                        .dataset("lists", root.resolve("lists.parquet"))
                        .start();
    }

    private static void write(Path file, String query) {
        duckdb.execute(
                "COPY (%s) TO '%s' (FORMAT parquet, ROW_GROUP_SIZE 2048)".formatted(query, file));
    }

    @AfterAll
    static void stop() {
        server.close();
        duckdb.close();
    }

    private static String plan(String sql) {
        ObjectNode plan = MAPPER.createObjectNode();
        plan.putObject("from").put("sql", sql);
        return MAPPER.writeValueAsString(plan);
    }

    /** DuckDB keeps the order of its inputs in queries like these. */
    private static void same(String plan, String query) {
        List<String> rows = server.ndjson(plan);
        List<String> names =
                rows.isEmpty()
                        ? List.of()
                        : List.copyOf(MAPPER.readTree(rows.getFirst()).propertyNames());
        RowComparison.assertExact(rows, names, duckdb.inOrder(query));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM t",
                "SELECT id, city AS c, small + 1 AS n FROM t",
                "SELECT x.id, x.\"date\" FROM t AS x WHERE x.small = 3 AND city IS NOT NULL",
                "SELECT x.b, x.a FROM (SELECT id, small FROM t) AS x(a, b) WHERE a > 19990",
                "SELECT n * 2 AS m FROM (SELECT id + 1 AS n FROM t WHERE small <> 0) WHERE n % 3 ="
                        + " 0",
                "SELECT id FROM t LIMIT 7 OFFSET 2045",
                "SELECT id FROM t OFFSET 19995",
                "SELECT id FROM t LIMIT 0",
                "SELECT id FROM (SELECT id, small FROM t LIMIT 100) WHERE small = 1 LIMIT 3",
                "SELECT id FROM t WHERE small = 1 UNION ALL SELECT id FROM t WHERE small = 2",
                "SELECT small AS x FROM t WHERE id < 5 UNION ALL SELECT id FROM t WHERE id > 19997"
                        + " UNION ALL SELECT -1",
                "(SELECT id, 'a' AS s FROM t LIMIT 3) UNION ALL (SELECT id, city FROM t LIMIT 4"
                        + " OFFSET 9) LIMIT 6",
                "WITH a AS (SELECT id, small FROM t WHERE id < 30), b(x) AS (SELECT id FROM a WHERE"
                        + " small = 1) SELECT x FROM b UNION ALL SELECT id FROM a",
                "WITH t AS (SELECT id FROM t WHERE id < 9) SELECT id + 1 AS id FROM t",
                "VALUES (1, 'a'), (2, NULL), (3, 'c')",
                "SELECT b FROM (VALUES (1, 'a'), (2, 'b')) AS v(a, b) WHERE a > 1",
                "SELECT 1 AS a, 'x' AS x, CAST(NULL AS DATE) AS d",
                "SELECT CASE WHEN city LIKE '%1' THEN UPPER(city) ELSE COALESCE(city, 'none') END"
                        + " AS c FROM t WHERE \"date\" >= DATE '2024-06-01'",
                "SELECT amount + 1 AS a, price FROM t WHERE amount BETWEEN 10 AND 20",
                "SELECT CAST(\"date\" + INTERVAL '1' MONTH AS DATE) AS a, CAST(\"date\" - INTERVAL"
                        + " '3' DAY AS DATE) AS b, CAST(\"date\" + INTERVAL '1' YEAR AS DATE) AS c FROM"
                        + " t WHERE \"date\" < DATE '2024-03-31' - INTERVAL '1' MONTH",
                "SELECT id, CAST(\"date\" AS TIMESTAMP) + INTERVAL '90' MINUTE AS m, CAST(\"date\""
                        + " AS TIMESTAMP) - INTERVAL '93784' SECOND AS n, CAST(\"date\" +"
                        + " small * INTERVAL '1' DAY AS DATE) AS s FROM t LIMIT 500",
                "SELECT id, SUM(id) OVER w AS s, RANK() OVER w AS r FROM t WINDOW w AS (PARTITION"
                        + " BY city IN ('city 2', 'city 3') ORDER BY CASE WHEN id NOT IN (7, 8) THEN id"
                        + " END NULLS LAST) ORDER BY id",
                "SELECT small, PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY city) AS c FROM t GROUP"
                        + " BY small ORDER BY small",
                "SELECT small, PERCENTILE_DISC(0.25) WITHIN GROUP (ORDER BY id) FILTER (WHERE city"
                        + " IN ('city 2', 'city 3')) AS p FROM t GROUP BY small ORDER BY small",
                "SELECT id, e FROM lists, UNNEST(l) AS u(e)",
                "SELECT id, a, b FROM lists, UNNEST(l) AS x(a), UNNEST(l) AS y(b) WHERE id < 40",
                "SELECT id, e FROM lists, UNNEST(l) AS u(e) LIMIT 50 OFFSET 4100"
            })
    void queriesGiveTheSameRowsInTheSameOrder(String sql) {
        same(plan(sql), sql);
    }

    /** Where DuckDB would join, and forget the order, its own way to take lists apart keeps it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "SELECT lists.id, e, name FROM lists CROSS JOIN UNNEST(lists.l) AS u(e) WHERE e >"
                        + " 100 | SELECT * FROM (SELECT id, unnest(l) AS e, name FROM lists) WHERE e >"
                        + " 100",
                "SELECT id, e FROM lists LEFT JOIN UNNEST(l) AS e ON TRUE | SELECT id, " + OUTER,
                "SELECT e FROM (SELECT l FROM lists LIMIT 9) AS x, UNNEST(x.l) AS e"
                        + " | SELECT unnest(l) AS e FROM (SELECT l FROM lists LIMIT 9)",
                "SELECT column1, column2 FROM (SELECT id + 1, name FROM lists LIMIT 3) AS"
                        + " v(column1, column2) | SELECT id + 1, name FROM lists LIMIT 3"
            })
    void queriesGiveTheRowsOfOthers(String sql, String query) {
        same(plan(sql), query.replace("id + 1, name", "id + 1 AS column1, name AS column2"));
    }

    private static final String OUTER =
            "unnest(CASE WHEN l IS NULL OR len(l) = 0 THEN [NULL] ELSE l END) AS e FROM lists";

    private static final String EXPLODED = "SELECT id, e AS l, name FROM lists, UNNEST(l) AS u(e)";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "{`from`: {`dataset`: `lists`}, `steps`: [{`op`: `explode`, `column`: `l`}]} | "
                        + EXPLODED,
                "{`from`: {`dataset`: `lists`}, `steps`: [{`op`: `explode`, `column`: `l`, `outer`:"
                        + " true}, {`op`: `select`, `columns`: [`name`, `l AS e`]}]}"
                        + " | SELECT name, "
                        + OUTER,
                "{`from`: {`dataset`: `lists`}, `steps`: [{`op`: `explode`, `column`: `l`}, {`op`:"
                        + " `drop`, `columns`: [`l`]}, {`op`: `offset`, `rows`: 9000}]}"
                        + " | SELECT id, name FROM ("
                        + EXPLODED
                        + ") OFFSET 9000",
                "{`from`: {`dataset`: `lists`}, `steps`: [{`op`: `filter`, `where`: `id % 2 = 0`},"
                        + " {`op`: `explode`, `column`: `l`}, {`op`: `rowIndex`, `name`: `n`, `start`:"
                        + " -3}, {`op`: `filter`, `where`: `l > 20000`}]} | SELECT * FROM (SELECT *,"
                        + " row_number() OVER () - 4 AS n FROM ("
                        + EXPLODED
                        + " WHERE id % 2 = 0)) WHERE l > 20000",
                "{`from`: {`dataset`: `t`}, `steps`: [{`op`: `select`, `columns`: [`small AS a`,"
                        + " `city AS b`]}, {`op`: `union`, `with`: [{`from`: {`sql`: `SELECT city AS b,"
                        + " amount AS a FROM t WHERE id < 100`}}, {`from`: {`values`: {`columns`: [`b`,"
                        + " `a`], `rows`: [[`last`, 7]]}}}]}, {`op`: `filter`, `where`: `a > 3`}]} |"
                        + " SELECT * FROM (SELECT small AS a, city AS b FROM t UNION ALL SELECT amount,"
                        + " city FROM t WHERE id < 100 UNION ALL SELECT 7, 'last') WHERE a > 3",
                "{`from`: {`dataset`: `t`}, `steps`: [{`op`: `window`, `partitionBy`: [`small IN"
                        + " (1, 2, NULL)`], `orderBy`: [`city NOT IN ('city 1') DESC NULLS FIRST`],"
                        + " `columns`: {`n`: `ROW_NUMBER()`}}]} | SELECT * REPLACE (row_number() OVER"
                        + " (PARTITION BY small IN (1, 2, NULL) ORDER BY city NOT IN ('city 1') DESC"
                        + " NULLS FIRST, id) AS n) FROM (SELECT *, 0 AS n FROM t) ORDER BY id",
                "{`from`: {`dataset`: `t`}, `steps`: [{`op`: `aggregate`, `measures`: {`d`:"
                        + " `PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY amount DESC) FILTER (WHERE"
                        + " small = 3)`, `l`: `LAST(city) WITHIN GROUP (ORDER BY small, id) FILTER"
                        + " (WHERE id < 50)`}}]} | SELECT PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY"
                        + " amount DESC) FILTER (WHERE small = 3) AS d, last(city ORDER BY small, id)"
                        + " FILTER (WHERE id < 50) AS l FROM t",
                "{`from`: {`dataset`: `t`}, `steps`: [{`op`: `repartition`, `partitions`: 7},"
                        + " {`op`: `filter`, `where`: `small = 3`}, {`op`: `repartition`,"
                        + " `rowsPerPartition`: 100}, {`op`: `limit`, `rows`: 1500}]} | SELECT * FROM t"
                        + " WHERE small = 3 LIMIT 1500"
            })
    void stepsGiveTheSameRowsInTheSameOrder(String plan, String sql) {
        same(plan.replace('`', '"'), sql);
    }

    private static List<Long> sample(String step) {
        List<Long> ids = new ArrayList<>();
        for (String row :
                server.ndjson(
                        "{`from`: {`dataset`: `t`}, `steps`: [%s, {`op`: `select`, `columns`: [`id`]}]}"
                                .formatted(step)
                                .replace('`', '"'))) {
            JsonNode id = MAPPER.readTree(row).get("id");
            ids.add(id.longValue());
        }
        return ids;
    }

    @Test
    void aSampleByFractionIsAShareOfTheRowsThatTheSeedChooses() {
        String step = "{`op`: `sample`, `fraction`: %s, `seed`: %d}";
        List<Long> tenth = sample(step.formatted("0.1", 1));
        assertThat(tenth).isEqualTo(sample(step.formatted("0.1", 1)));
        assertThat(tenth).isSorted().doesNotHaveDuplicates();
        // Five standard deviations.
        assertThat((double) tenth.size()).isCloseTo(2_000, within(213.0));
        assertThat(sample(step.formatted("0.1", 2))).isNotEqualTo(tenth);
        assertThat(sample(step.formatted("0.3", 1))).containsAll(tenth);
        assertThat(sample(step.formatted("0", 1))).isEmpty();
        assertThat(sample(step.formatted("1", 1))).hasSize(20_000);
        assertThat(new HashSet<>(sample("{`op`: `sample`, `fraction`: 0.5}")))
                .isNotEqualTo(new HashSet<>(sample("{`op`: `sample`, `fraction`: 0.5}")));
        List<String> query =
                server.ndjson(plan("SELECT id FROM t TABLESAMPLE BERNOULLI(10) REPEATABLE(1)"));
        assertThat(query).hasSize(tenth.size());
    }

    @Test
    void aSampleOfRowsHasSoMany() {
        String step = "{`op`: `sample`, `rows`: %d, `seed`: %d}";
        List<Long> some = sample(step.formatted(777, 1));
        assertThat(some).hasSize(777).isSorted().doesNotHaveDuplicates();
        assertThat(sample(step.formatted(777, 1))).isEqualTo(some);
        assertThat(sample(step.formatted(777, 2))).isNotEqualTo(some);
        assertThat(sample(step.formatted(0, 1))).isEmpty();
        assertThat(sample(step.formatted(50_000, 1))).hasSize(20_000);
    }
}
