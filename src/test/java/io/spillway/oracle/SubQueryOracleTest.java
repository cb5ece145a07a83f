package io.spillway.oracle;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Queries in queries give what DuckDB gives, and the same bytes everywhere. */
@SuppressWarnings("NullAway.Init") // set before all properties
class SubQueryOracleTest {

    private static final int CHOICES = 40;
    private static final JsonMapper MAPPER = new JsonMapper();

    private static ScenarioFiles files;
    private static Engines engines;
    private static DuckDb duckdb;

    @BeforeContainer
    static void start() {
        files = new ScenarioFiles();
        duckdb = new DuckDb();
        write(
                "t",
                "SELECT i AS id, CASE WHEN i % 11 = 0 THEN NULL ELSE hash(i) % 60 END::BIGINT AS k,"
                        + " CASE WHEN i % 13 = 0 THEN NULL ELSE hash(i, 1) % 100 END::BIGINT AS v,"
                        + " CASE WHEN i % 7 = 0 THEN NULL ELSE 'abc'[i % 3 + 1] || i % 5 END AS s"
                        + " FROM range(3000) r(i)");
        write(
                "u",
                "SELECT i AS id, CASE WHEN i % 17 = 0 THEN NULL WHEN i % 2 = 0 THEN 7 ELSE"
                        + " hash(i, 2) % 90 END::BIGINT AS k, CASE WHEN i % 5 = 0 THEN NULL ELSE"
                        + " hash(i, 3) % 100 END::BIGINT AS w, CASE WHEN i % 9 = 0 THEN NULL ELSE"
                        + " 'abd'[i % 3 + 1] || i % 4 END AS s FROM range(400) r(i)");
        engines = new Engines(files.folder(), Map.of("t", file("t"), "u", file("u")));
    }

    private static Path file(String table) {
        return files.folder().resolve(table + ".parquet");
    }

    private static void write(String table, String query) {
        duckdb.execute(
                "COPY (%s) TO '%s' (FORMAT parquet, ROW_GROUP_SIZE 2048)"
                        .formatted(query, file(table)));
        duckdb.execute(
                "CREATE VIEW %s AS SELECT * FROM read_parquet('%s')".formatted(table, file(table)));
    }

    @AfterContainer
    static void stop() {
        engines.close();
        duckdb.close();
        files.close();
    }

    @Provide
    Arbitrary<SqlText> queries() {
        return Choices.sequences(CHOICES).map(choices -> new SubQueries(choices).make());
    }

    /** Nulls on both sides, one after the other: neither may be taken for a match of the other. */
    @Example
    void rowsWithoutKeyAndValueAreInNoListTwice() {
        String query =
                "SELECT a.id, a.k FROM t AS a WHERE a.s NOT IN (SELECT u.s FROM u WHERE u.k = a.k"
                        + " AND u.w > 50) AND a.s NOT IN (SELECT u.s FROM u WHERE u.k = a.k AND u.w IS"
                        + " NULL)";
        check(new SqlText(query, query + " ORDER BY a.id"));
    }

    /** The same where no list may become a join by itself, be it in a query or in one within it. */
    @Example
    void rowsWithoutKeyAndValueAreInNoListTwiceBesideOtherConditions() {
        String lists =
                "(%1$s.s NOT IN (SELECT u.s FROM u WHERE u.k = %1$s.k AND u.w > 50) OR %1$s.k < 3)"
                        + " AND (%1$s.s NOT IN (SELECT u.s FROM u WHERE u.k = %1$s.k AND u.w IS NULL)"
                        + " OR %1$s.k > 50)";
        String query = "SELECT a.id, a.k FROM t AS a WHERE " + lists.formatted("a");
        check(new SqlText(query, query + " ORDER BY a.id"));
        String nested =
                "SELECT a.id FROM u AS a WHERE a.w < 20 OR EXISTS (SELECT 1 FROM t AS b WHERE b.v ="
                        + " a.w AND %s)";
        String outer = nested.formatted(lists.formatted("b"));
        check(new SqlText(outer, outer + " ORDER BY a.id"));
    }

    /** The same queries each time, so that a change is judged by them alone. */
    @Property(tries = 25, seed = "-3933754385651121676")
    void answersAreTheJudges(@ForAll("queries") SqlText query) {
        check(query);
    }

    @Property(tries = 2000)
    @Tag("long")
    void answersAreTheJudgesOverManyQueries(@ForAll("queries") SqlText query) {
        check(query);
    }

    static void check(SqlText query) {
        ObjectNode plan = MAPPER.createObjectNode();
        plan.putObject("from").put("sql", query.spillway());
        List<String> rows = engines.rows(MAPPER.writeValueAsString(plan));
        List<String> names =
                rows.isEmpty()
                        ? List.of()
                        : List.copyOf(MAPPER.readTree(rows.getFirst()).propertyNames());
        RowComparison.assertExact(rows, names, duckdb.inOrder(query.duckdb()));
    }
}
