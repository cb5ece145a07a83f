package io.spillway.plan.logical;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.plan.physical.Explain;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.plan.physical.PhysicalPlans;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sort, aggregate, join, distinct and window, as steps and in queries, become what is executed. */
class BlockingPlanTest {

    private static final Set<OptimizerRule> ALL = EnumSet.allOf(OptimizerRule.class);

    private static PhysicalPlan steps(String dataset, String... steps) {
        PhysicalPlan plan = Plans.compile(dataset, steps).plan();
        assertThat(PhysicalPlans.fromJson(PhysicalPlans.toJson(plan))).isEqualTo(plan);
        return plan;
    }

    private static PhysicalPlan query(String sql) {
        PhysicalPlan plan =
                Plans.compileBody(ALL, "{`plan`: {`from`: {`sql`: " + Plans.quote(sql) + "}}}")
                        .plan();
        assertThat(PhysicalPlans.fromJson(PhysicalPlans.toJson(plan))).isEqualTo(plan);
        return plan;
    }

    /** The operators' own lines, without files. */
    private static String text(PhysicalPlan plan) {
        return Explain.text(plan)
                .lines()
                .filter(line -> !line.strip().startsWith("file "))
                .map(line -> line.replaceFirst("Scan parquet.*", "Scan"))
                .collect(Collectors.joining("\n"));
    }

    private static String with(String dataset, String... steps) {
        return "{`from`: {`dataset`: `%s`}, `steps`: [%s]}"
                .formatted(dataset, String.join(", ", steps));
    }

    @Test
    void aSortKnowsItsKeysByPositionAndDropsWhatItComputed() {
        assertThat(
                        text(
                                steps(
                                        "t",
                                        Plans.select("id", "odd name"),
                                        "{`op`: `sort`, `by`: [`odd name DESC`, `id + 1 NULLS"
                                                + " FIRST`]}")))
                .isEqualTo(
                        """
                        Project
                          id int64
                          "odd name" int32
                          Sort "odd name" DESC NULLS LAST, value NULLS FIRST
                            Project
                              id int64
                              "odd name" int32
                              id + 1 AS value int64
                              Scan
                                columns id int64, "odd name" int32\
                        """);
    }

    @Test
    void anAggregateComputesItsArgumentsBelowAndWhatIsMadeOfThemAbove() {
        assertThat(
                        text(
                                steps(
                                        "t",
                                        "{`op`: `aggregate`, `by`: [`city`, `i + 1 AS j`],"
                                                + " `measures`: {`n`: `COUNT(*)`, `mean`:"
                                                + " `SUM(price * 2) / COUNT(price)`}}")))
                .contains("Aggregate by city, j", "COUNT_ROWS() AS n int64", "price * 2.0")
                .endsWith("columns i int32?, price float64?, city utf8?");
    }

    @Test
    void aJoinHasKeysAndARestAndNamesSides() {
        String text =
                text(
                        steps(
                                "t",
                                Plans.select("id", "i"),
                                "{`op`: `join`, `with`: %s, `on`: `id = sid AND left.i > right.u8`,"
                                                .formatted(
                                                        with(
                                                                "shapes",
                                                                Plans.select("id AS sid", "u8")))
                                        + " `type`: `left`}"));
        assertThat(text)
                .contains(
                        "Join left on id = id",
                        "condition i > CAST(CAST(u8 AS int16) AS int32)",
                        "id_1 AS sid int64?");
    }

    /** A key is computed for all rows of a side, those without a pair too. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "id % 10 = sid | true",
                "MOD(id, -7) = sid / 2 | true",
                "id / 3 = sid | true",
                "id % 0 = sid | false",
                "id / -1 = sid | false",
                "id % left.i = sid | false",
                "CAST(id / 3 AS INTEGER) = sid | true",
                "CAST(id % 200 AS TINYINT) = sid | true",
                "id + 1 = sid | true",
                "sid - 1 = -id * 2 + left.i | true",
                "CAST(left.i + 1 AS BIGINT) = sid | true",
                "id + 1 IS NOT DISTINCT FROM sid | false",
                "id + id % left.i = sid | false",
                "CAST(CAST(id AS VARCHAR) AS BIGINT) = sid | false"
            })
    void aKeyIsWhatCannotFail(String on, boolean key) {
        String text =
                text(
                        steps(
                                "t",
                                Plans.select("id", "i"),
                                "{`op`: `join`, `with`: %s, `on`: `%s`}"
                                        .formatted(with("shapes", Plans.select("id AS sid")), on)));
        assertThat(text.contains("condition ")).as(text).isEqualTo(!key);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "inner | id int64, i int32?, u8 uint8?",
                "left | id int64, i int32?, u8 uint8?",
                "right | id int64?, i int32?, u8 uint8?",
                "full | id int64?, i int32?, u8 uint8?",
                "semi | id int64, i int32?",
                "anti | id int64, i int32?"
            })
    void equalColumnsOfAJoinComeOutOnce(String type, String columns) {
        PhysicalPlan plan =
                steps(
                        "t",
                        Plans.select("id", "i"),
                        "{`op`: `join`, `with`: %s, `on`: [`id`], `type`: `%s`}"
                                .formatted(with("shapes", Plans.select("id", "u8")), type));
        assertThat(
                        plan.schema().columns().stream()
                                .map(c -> c.name() + " " + c.type() + (c.nullable() ? "?" : ""))
                                .collect(Collectors.joining(", ")))
                .isEqualTo(columns);
    }

    @Test
    void windowsOfOneStepAreOneOperatorAndAddOrReplaceColumns() {
        PhysicalPlan plan =
                steps(
                        "t",
                        Plans.select("id", "i", "city"),
                        "{`op`: `window`, `partitionBy`: [`city`], `orderBy`: [`id DESC`],"
                                + " `frame`: `ROWS BETWEEN 2 PRECEDING AND CURRENT ROW`,"
                                + " `columns`: {`n`: `ROW_NUMBER()`, `s`: `SUM(i)`, `i`: `i -"
                                + " LAG(i, 2)`}}");
        assertThat(plan.schema().names()).containsExactly("id", "i", "city", "n", "s");
        assertThat(text(plan))
                .containsOnlyOnce("Window")
                .contains(
                        "Window partition by city order by id DESC NULLS LAST",
                        "SUM(i) ROWS BETWEEN 2 PRECEDING AND CURRENT ROW",
                        "LAG(i, 2)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "- | SUM(i) RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW",
                "RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW | SUM(i) RANGE BETWEEN"
                        + " UNBOUNDED PRECEDING AND CURRENT ROW",
                "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING | SUM(i) ROWS BETWEEN"
                        + " UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"
            })
    void aWindowWithoutAFrameHasTheOneOfSql(String frame, String expected) {
        String framed = frame == null ? "" : "`frame`: `%s`, ".formatted(frame);
        assertThat(
                        text(
                                steps(
                                        "t",
                                        Plans.select("id", "i"),
                                        "{`op`: `window`, `orderBy`: [`id`], "
                                                + framed
                                                + "`columns`: {`s`: `SUM(i)`, `r`: `RANK()`}}")))
                .containsOnlyOnce("Window")
                .contains(expected, "RANK()");
    }

    @Test
    void aDistinctHasItsColumns() {
        assertThat(text(steps("t", "{`op`: `distinct`, `on`: [`city`]}", Plans.select("id"))))
                .isEqualTo(
                        """
                        Project
                          id int64
                          Distinct city
                            Scan
                              columns id int64, city utf8?\
                        """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "{`op`: `sort`, `by`: [`cty DESC`]} | UNKNOWN_COLUMN | /by/0 | city",
                "{`op`: `sort`, `by`: [`id DESC x`]} | INVALID_EXPRESSION | /by/0 | -",
                "{`op`: `sort`, `by`: [`NULL`]} | TYPE_MISMATCH | /by/0 | -",
                "{`op`: `sort`, `by`: [`SUM(i)`]} | INVALID_EXPRESSION | /by/0 | -",
                "{`op`: `sort`, `by`: []} | INVALID_PLAN | /by | -",
                "{`op`: `distinct`, `on`: [`cty`]} | UNKNOWN_COLUMN | /on/0 | city",
                "{`op`: `distinct`, `on`: [`id`, `id`]} | DUPLICATE_COLUMN | /on/1 | -",
                "{`op`: `aggregate`, `measures`: {`m`: `SUM(prce)`}} | UNKNOWN_COLUMN | /measures/m"
                        + " | price",
                "{`op`: `aggregate`, `measures`: {`m`: `CUONT(i)`}} | INVALID_EXPRESSION |"
                        + " /measures/m | COUNT",
                "{`op`: `aggregate`, `by`: [`city`], `measures`: {`city`: `MAX(i)`}} |"
                        + " DUPLICATE_COLUMN | /measures/city | -",
                "{`op`: `aggregate`, `by`: [`i + 1`]} | INVALID_EXPRESSION | /by/0 | -",
                "{`op`: `aggregate`, `measures`: {`m`: `SUM(city)`}} | TYPE_MISMATCH | /measures/m"
                        + " | -",
                "{`op`: `aggregate`} | INVALID_PLAN | - | -",
                "{`op`: `aggregate`, `measures`: {``: `COUNT(*)`}} | INVALID_PLAN | /measures/ | -",
                "{`op`: `window`, `columns`: {``: `RANK()`}} | INVALID_PLAN | /columns/ | -",
                "{`op`: `window`, `partitionBy`: [`cty`], `columns`: {`n`: `RANK()`}} |"
                        + " UNKNOWN_COLUMN | /partitionBy/0 | city",
                "{`op`: `window`, `orderBy`: [`cty`], `columns`: {`n`: `RANK()`}} | UNKNOWN_COLUMN"
                        + " | /orderBy/0 | city",
                "{`op`: `window`, `columns`: {`n`: `LAG(i) IGNORE NULLS`}} | NOT_SUPPORTED |"
                        + " /columns/n | -",
                "{`op`: `join`, `with`: {`from`: {`dataset`: `shapes`}}, `on`: [`id`]} |"
                        + " DUPLICATE_COLUMN | - | -",
                "{`op`: `join`, `with`: {`from`: {`dataset`: `shapes`}}, `on`: [`cty`]} |"
                        + " UNKNOWN_COLUMN | /on/0 | city",
                "{`op`: `join`, `with`: {`from`: {`dataset`: `shapes`}}, `on`: [`id`, `id`]} |"
                        + " DUPLICATE_COLUMN | /on/1 | -",
                "{`op`: `join`, `with`: {`from`: {`dataset`: `shapes`}}, `on`: []} | INVALID_PLAN |"
                        + " /on | -",
                "{`op`: `join`, `with`: {`from`: {`dataset`: `shapes`}}} | INVALID_PLAN | - | on",
                "{`op`: `join`, `with`: {`from`: {`dataset`: `shapes`}}, `on`: `id = l`, `type`:"
                        + " `cross`} | INVALID_PLAN | /on | -",
                "{`op`: `window`, `columns`: {`n`: `LAG(cty)`}} | UNKNOWN_COLUMN | /columns/n |"
                        + " city",
                "{`op`: `window`, `frame`: `3`, `columns`: {`n`: `SUM(i)`}} | INVALID_EXPRESSION |"
                        + " /frame | -",
                "{`op`: `join`, `with`: {`from`: {`dataset`: `shapes`}}, `on`: `id = 1`} |"
                        + " INVALID_EXPRESSION | /on | -",
                "{`op`: `join`, `with`: {`from`: {`dataset`: `shapes`}}, `on`: `left.id ="
                        + " right.dd`} | UNKNOWN_COLUMN | /on | id",
                "{`op`: `join`, `with`: {`from`: {`dataset`: `shapes`}}, `on`: `left.id ="
                        + " right.id`} | DUPLICATE_COLUMN | - | -",
                "{`op`: `join`, `with`: {`from`: {`dataset`: `shapes`}}, `on`: `i`} | TYPE_MISMATCH"
                        + " | /on | -",
                "{`op`: `join`, `with`: {`from`: {`dataset`: `shapes`}}, `on`: `i = l`, `type`:"
                        + " `inne`} | INVALID_PLAN | /type | inner",
                "{`op`: `join`, `with`: {`from`: {`dataset`: `shape`}}, `on`: `i = l`} |"
                        + " UNKNOWN_DATASET | /with/from/dataset | -"
            })
    void errorsHavePlaceAndNearestName(
            String step, ErrorCode code, String pointer, String suggestion) {
        SpillwayException e = Plans.failure("t", step);
        assertThat(e.code()).as(e.toString()).isEqualTo(code);
        assertThat(e.context())
                .as(e.toString())
                .containsEntry("pointer", "/plan/steps/0" + (pointer == null ? "" : pointer));
        assertThat(e.context().get("suggestion")).as(e.toString()).isEqualTo(suggestion);
    }

    @Test
    void existsAndInAreSemiJoinsAndTheirNegationsAntiJoins() {
        assertThat(
                        text(
                                query(
                                        "SELECT id FROM t WHERE EXISTS (SELECT * FROM nested n"
                                                + " WHERE n.id = t.id AND n.name <> t.city)")))
                .contains("Join semi on id = id", "condition name <> city");
        assertThat(text(query("SELECT id FROM t WHERE id IN (SELECT id FROM nested)")))
                .startsWith("Join semi on id = id");
        assertThat(text(query("SELECT id FROM t WHERE id NOT IN (SELECT id FROM nested)")))
                .startsWith("Join anti on id = id");
        assertThat(
                        text(
                                query(
                                        "SELECT id FROM t WHERE NOT EXISTS (SELECT 1 FROM nested n"
                                                + " WHERE n.id = t.id)")))
                .startsWith("Join anti on id = id");
    }

    @Test
    void aQueryInPlaceOfAValueIsAJoinWithItsGroups() {
        assertThat(
                        text(
                                query(
                                        "SELECT id, (SELECT MAX(n.name) FROM nested n WHERE n.id ="
                                                + " t.id) AS m FROM t")))
                .contains("Join left on id = id", "Aggregate by id", "MAX(name)");
    }

    @Test
    void setOperationsAreDistinctRowsAndJoinsWithTheirEquals() {
        assertThat(text(query("SELECT city FROM t UNION SELECT \"value\" FROM t")))
                .startsWith("Distinct city\n  Union inputs=2");
        assertThat(text(query("SELECT city FROM t EXCEPT SELECT \"value\" FROM t")))
                .startsWith("Join anti on city IS NOT DISTINCT FROM value\n  Distinct city");
        assertThat(text(query("SELECT city FROM t INTERSECT ALL SELECT \"value\" FROM t")))
                .contains("ROW_NUMBER()", "number IS NOT DISTINCT FROM number");
    }

    @Test
    void groupingSetsAreAUnionOfTheirAggregates() {
        assertThat(
                        text(
                                query(
                                        "SELECT city, i, COUNT(*) AS n, GROUPING(city, i) AS g FROM"
                                                + " t GROUP BY ROLLUP(city, i)")))
                .contains("Union inputs=3", "0 AS g", "1 AS g", "3 AS g");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT id FROM t ORDER BY i + 1 DESC NULLS FIRST, 1",
                "SELECT DISTINCT city FROM t ORDER BY city LIMIT 3",
                "SELECT UPPER(city) AS c, COUNT(*) AS n FROM t GROUP BY c HAVING COUNT(*) > 1",
                "SELECT t.id, s.u8 FROM t LEFT JOIN shapes s USING (id)",
                "SELECT id FROM t NATURAL JOIN (SELECT id FROM t) AS u",
                "SELECT id FROM t QUALIFY ROW_NUMBER() OVER (PARTITION BY city ORDER BY id) = 1",
                "SELECT id, SUM(i) OVER w AS s FROM t WINDOW w AS (PARTITION BY city ORDER BY id)",
                "SELECT id FROM t WHERE i > ALL (SELECT i FROM t WHERE i < 5)",
                "SELECT id FROM t WHERE city NOT IN (SELECT name FROM nested)",
                "SELECT t.id, u.x FROM t, LATERAL (SELECT n.id + t.i AS x FROM nested n WHERE n.id"
                        + " = t.id) u",
                "SELECT PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY city DESC) AS x,"
                        + " PERCENTILE_DISC(0.1) WITHIN GROUP (ORDER BY b) FILTER (WHERE i > 1) AS y,"
                        + " PERCENTILE_DISC(0) WITHIN GROUP (ORDER BY ts) AS z, PERCENTILE_DISC(1)"
                        + " WITHIN GROUP (ORDER BY tm) AS u FROM t",
                "SELECT MEDIAN(price) AS m, PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY id) AS p,"
                        + " ARRAY_AGG(id ORDER BY i) AS a, FIRST(city) AS f, COUNT(DISTINCT i) AS"
                        + " d, SUM(i) FILTER (WHERE b) AS s FROM t",
                "WITH a AS (SELECT city, SUM(i) AS s FROM t GROUP BY city) SELECT x.city FROM a AS"
                        + " x JOIN a AS y ON x.s = y.s"
            })
    void whatCalciteParsesIsPlanned(String sql) {
        assertThat(query(sql).scans()).isNotEmpty();
    }

    @Test
    void columnsThatNobodyAsksForAreNeitherComputedNorRead() {
        assertThat(
                        text(
                                query(
                                        "SELECT a FROM (SELECT city AS a, COUNT(*) AS n, MAX(price)"
                                                + " AS m FROM t GROUP BY city)")))
                .isEqualTo(
                        """
                        Project
                          city AS a utf8?
                          Distinct city
                            Scan
                              columns city utf8?\
                        """);
    }

    private static PhysicalPlan without(OptimizerRule rule, String sql) {
        Set<OptimizerRule> rules = EnumSet.allOf(OptimizerRule.class);
        rules.remove(rule);
        return Plans.compileBody(rules, "{`plan`: {`from`: {`sql`: " + Plans.quote(sql) + "}}}")
                .plan();
    }

    @Test
    void aListOfTablesIsJoinedByItsKeys() {
        String sql =
                "SELECT t.id, x.i FROM t, nested AS n, t AS x WHERE t.id = x.id AND t.i > 1 AND"
                        + " n.id = x.id AND (n.name = 'a' AND t.b OR n.name = 'a' AND x.b) AND 10 /"
                        + " t.i > 2";
        String text = text(query(sql));
        assertThat(text)
                .doesNotContain("all pairs")
                .containsSubsequence(
                        "Filter (10 / i) > 2",
                        "Join inner on",
                        "Join inner on id = id",
                        "Filter i > 1",
                        "Filter name = 'a'");
        PhysicalPlan plain = without(OptimizerRule.JOIN_ORDER, sql);
        assertThat(text(plain)).contains("all pairs");
        assertThat(plain.schema()).isEqualTo(query(sql).schema());
    }

    @Test
    void theRightSideOfAnOuterJoinIsNotFilteredBeforehand() {
        assertThat(
                        text(
                                query(
                                        "SELECT t.id FROM t LEFT JOIN nested n ON t.id = n.id WHERE"
                                                + " n.name IS NULL")))
                .containsSubsequence("Filter name IS NULL", "Join left on id = id");
    }

    @Test
    void aSortBelowALimitGivesNoMoreThanIsTaken() {
        String sql = "SELECT id FROM t ORDER BY i LIMIT 5 OFFSET 2";
        assertThat(text(query(sql))).contains("Sort i rows=7");
        assertThat(text(without(OptimizerRule.TOP_N, sql))).doesNotContain("rows=7");
        assertThat(text(query("SELECT id FROM t ORDER BY id LIMIT 5"))).contains("Sort id rows=5");
        assertThat(text(query("SELECT id FROM t ORDER BY id OFFSET 5"))).endsWith("id int64");
    }
}
