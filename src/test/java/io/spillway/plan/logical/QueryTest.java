package io.spillway.plan.logical;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnType;
import io.spillway.expression.Expression.Literal;
import io.spillway.plan.physical.CompiledPlan;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.plan.physical.PhysicalPlans;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries in SQL become what the steps that say the same become. */
class QueryTest {

    private static final Set<OptimizerRule> ALL = EnumSet.allOf(OptimizerRule.class);

    private static PhysicalPlan query(String sql, String... steps) {
        return compiled(sql, steps).plan();
    }

    private static CompiledPlan compiled(String sql, String... steps) {
        return Plans.compileBody(ALL, body(sql, steps));
    }

    private static String body(String sql, String... steps) {
        return "{`plan`: {`from`: {`sql`: %s}, `steps`: [%s]}}"
                .formatted(Plans.quote(sql), String.join(", ", steps));
    }

    private static void same(String sql, String dataset, String... steps) {
        assertThat(PhysicalPlans.toJson(query(sql)))
                .isEqualTo(PhysicalPlans.toJson(Plans.compile(dataset, steps).plan()));
    }

    @Test
    void selectListsAreSelectSteps() {
        same("SELECT * FROM t", "t");
        same("SELECT id, city FROM t", "t", Plans.select("id", "city"));
        same("SELECT x.id, x.city AS c FROM t AS x", "t", Plans.select("id", "city AS c"));
        same(
                "SELECT i + 1 AS n, UPPER(city) \"Up per\", \"odd name\", A, a FROM t",
                "t",
                Plans.select("i + 1 AS n", "UPPER(city) AS \"Up per\"", "odd name", "A", "a"));
        same("SELECT x.* FROM (SELECT city, i FROM t) AS x", "t", Plans.select("city", "i"));
        same("SELECT u8, f16, u64 FROM t", "t", Plans.select("u8", "f16", "u64"));
        same("SELECT m, l FROM shapes", "shapes", Plans.select("m", "l"));
        same("SELECT name FROM nested", "nested", Plans.select("name"));
    }

    @Test
    void whereIsAFilterBelowTheSelectList() {
        same(
                "SELECT id AS i, i AS id FROM t WHERE id > 1 AND t.city LIKE 'a%'",
                "t", Plans.filter("id > 1 AND city LIKE 'a%'"), Plans.select("id AS i", "i AS id"));
        same(
                "SELECT * FROM (SELECT id + 1 AS n FROM t) WHERE n > 5",
                "t",
                Plans.select("id + 1 AS n"),
                Plans.filter("n > 5"));
        same("SELECT id FROM t WHERE NULL", "t", Plans.filter("NULL"), Plans.select("id"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "LIMIT 5 | 0 | 5",
                "LIMIT 5 OFFSET 2 | 2 | 5",
                "LIMIT 2, 5 | 2 | 5",
                "OFFSET 2 ROWS FETCH NEXT 5 ROWS ONLY | 2 | 5",
                "OFFSET 3 | 3 | 9223372036854775807",
                "LIMIT 0 | 0 | 0",
                "OFFSET 1 FETCH FIRST 9223372036854775807 ROWS ONLY | 1 | 9223372036854775807",
                "OFFSET 9223372036854775807 | 9223372036854775807 | 9223372036854775807"
            })
    void limitsAreLimits(String limit, long offset, long rows) {
        PhysicalPlan plan = query("SELECT id FROM t " + limit);
        assertThat(plan)
                .isInstanceOfSatisfying(
                        PhysicalPlan.Limit.class,
                        l -> {
                            assertThat(l.offset()).isEqualTo(offset);
                            assertThat(l.rows()).isEqualTo(rows);
                        });
    }

    @Test
    void aLimitInBracketsStaysThere() {
        same(
                "SELECT * FROM (SELECT id FROM t LIMIT 5) WHERE id > 1",
                "t",
                Plans.select("id"),
                Plans.limit(5),
                Plans.filter("id > 1"));
        same(
                "(SELECT id FROM t LIMIT 5) LIMIT 3",
                "t",
                Plans.select("id"),
                Plans.limit(5),
                Plans.limit(3));
    }

    @Test
    void stepsFollowAQuery() {
        assertThat(
                        PhysicalPlans.toJson(
                                query(
                                        "SELECT id, i FROM t",
                                        Plans.filter("i = 1"),
                                        Plans.limit(1))))
                .isEqualTo(
                        PhysicalPlans.toJson(
                                Plans.compile(
                                                "t",
                                                Plans.select("id", "i"),
                                                Plans.filter("i = 1"),
                                                Plans.limit(1))
                                        .plan()));
    }

    @Test
    void commonTablesAreTheirQueries() {
        same(
                "WITH x AS (SELECT id, i FROM t), y(a, b) AS (SELECT * FROM x WHERE i = 1)"
                        + " SELECT b, a FROM y",
                "t",
                Plans.filter("i = 1"),
                Plans.select("i AS b", "id AS a"));
        // The name of a dataset, and one table that is used twice.
        same("WITH t AS (SELECT id FROM t) SELECT * FROM t", "t", Plans.select("id"));
        PhysicalPlan.Union union =
                (PhysicalPlan.Union)
                        query(
                                "WITH x AS (SELECT id FROM t) SELECT * FROM x UNION ALL SELECT *"
                                        + " FROM x");
        assertThat(union.inputs().get(0)).isEqualTo(union.inputs().get(1));
        // Seen inside only.
        same(
                "SELECT * FROM (WITH x AS (SELECT id FROM t) SELECT * FROM x) AS y",
                "t",
                Plans.select("id"));
    }

    @Test
    void aliasesNameTablesAndColumns() {
        same("SELECT x.b FROM (SELECT id, i FROM t) AS x(a, b)", "t", Plans.select("i AS b"));
        same("SELECT \"x y\".id FROM t \"x y\"", "t", Plans.select("id"));
        same("SELECT \"t\".\"odd name\" FROM \"t\"", "t", Plans.select("odd name"));
    }

    @Test
    void unionsMeetByPositionInTheOrderWritten() {
        PhysicalPlan.Union union =
                (PhysicalPlan.Union)
                        query(
                                "SELECT i AS n, city FROM t UNION ALL SELECT id, \"value\" FROM t"
                                        + " UNION ALL SELECT t8, 'x' FROM t");
        assertThat(union.schema().names()).containsExactly("n", "city");
        assertThat(union.schema().column(0).type()).isEqualTo(new ColumnType.Int(64, true));
        assertThat(union.inputs()).hasSize(3);
        assertThat(union.inputs())
                .allSatisfy(
                        input ->
                                assertThat(
                                                input.schema().columns().stream()
                                                        .map(c -> c.type())
                                                        .toList())
                                        .containsExactly(
                                                new ColumnType.Int(64, true),
                                                new ColumnType.Utf8()));
    }

    @Test
    void valuesAreConstantRows() {
        PhysicalPlan.Values values =
                (PhysicalPlan.Values)
                        query(
                                "VALUES (1, 'a', NULL, DATE '2024-05-01'), (2.50, NULL, CAST(3 AS"
                                        + " SMALLINT), NULL), (1 + 2, UPPER('b'), -7, NULL)");
        assertThat(values.schema().names())
                .containsExactly("column1", "column2", "column3", "column4");
        assertThat(values.schema().columns().stream().map(c -> c.type().toString()).toList())
                .containsExactly("decimal(12,2)", "utf8", "int32", "date");
        assertThat(values.schema().columns().stream().map(c -> c.nullable()).toList())
                .containsExactly(false, true, true, true);
        assertThat(values.rows().stream().map(r -> r.stream().map(Literal::value).toList()))
                .containsExactly(
                        Arrays.asList("1.00", "a", null, "19844"),
                        Arrays.asList("2.50", null, "3", null),
                        Arrays.asList("3.00", "B", "-7", null));
        assertThat(query("SELECT b FROM (VALUES (1, 'x')) AS v(a, b)").schema().names())
                .containsExactly("b");
        assertThat(query("SELECT 1 + 1 AS two, 'x', 3").schema().names())
                .containsExactly("two", "column2", "column3");
    }

    @Test
    void unnestExplodesBesideTheList() {
        PhysicalPlan plan =
                query("SELECT s.id, e FROM shapes AS s CROSS JOIN UNNEST(s.l) AS e WHERE e > 1");
        assertThat(plan.schema().columns().get(1).type()).isEqualTo(new ColumnType.Int(32, true));
        same(
                "SELECT id, e FROM shapes, UNNEST(l) AS u(e)",
                "shapes",
                "{`op`: `explode`, `column`: `l`}",
                Plans.select("id", "l AS e"));
        PhysicalPlan outer =
                query("SELECT id, u.e, l FROM shapes LEFT JOIN UNNEST(sure) AS u(e) ON TRUE");
        assertThat(outer.schema().columns().get(1).nullable()).isTrue();
        assertThat(
                        compiled("SELECT * FROM shapes, UNNEST(l) AS a, UNNEST(l2) AS b")
                                .plan()
                                .schema()
                                .names())
                .endsWith("u8", "a", "b");
    }

    @Test
    void samplesAreSamples() {
        same(
                "SELECT id FROM t TABLESAMPLE BERNOULLI(12.5) REPEATABLE(7)",
                "t",
                "{`op`: `sample`, `fraction`: 0.125, `seed`: 7}",
                Plans.select("id"));
    }

    @Test
    void theMomentIsBoundAtSubmission() {
        PhysicalPlan plan = query("SELECT CURRENT_TIMESTAMP AS now, CURRENT_DATE AS d");
        assertThat(PhysicalPlans.toJson(plan)).contains("1795955696123456");
    }

    @Test
    void textIsUnicodeOfAnyLength() {
        PhysicalPlan plan = query("SELECT 'aé😀  ' AS x UNION ALL SELECT _UTF8'b'");
        assertThat(plan.schema().names()).containsExactly("x");
        assertThat(plan.schema().column(0).type()).isEqualTo(new ColumnType.Utf8());
        assertThat(PhysicalPlans.toJson(plan)).contains("aé😀  ");
    }

    @Test
    void commentsAndCaseOfWordsDoNotMatter() {
        same(
                "select /* all */ id -- of it\nFrom t wHeRe id > 1",
                "t",
                Plans.filter("id > 1"),
                Plans.select("id"));
    }
}
