package io.spillway.plan.logical;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.plan.physical.CompiledPlan;
import io.spillway.plan.physical.PhysicalPlan;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Queries that are very long or very deep give the right plan or a quick error, nothing else. */
class DeepQueryTest {

    private static final long SMALL_STACK = 256L << 10;

    /** What becomes of a query, compiled by a thread with a small stack. */
    private static Object outcome(String sql) throws InterruptedException {
        AtomicReference<@Nullable Object> result = new AtomicReference<>();
        Thread thread =
                new Thread(
                        null,
                        () -> {
                            try {
                                result.set(
                                        Plans.compileBody(
                                                EnumSet.allOf(OptimizerRule.class),
                                                "{`plan`: {`from`: {`sql`: "
                                                        + Plans.quote(sql)
                                                        + "}}}"));
                            } catch (SpillwayException e) {
                                result.set(e);
                            }
                        },
                        "small",
                        SMALL_STACK);
        thread.start();
        thread.join();
        Object outcome = result.get();
        assertThat(outcome).isNotNull();
        return outcome == null ? "" : outcome;
    }

    private static PhysicalPlan plan(String sql) throws InterruptedException {
        Object outcome = outcome(sql);
        assertThat(outcome).isInstanceOf(CompiledPlan.class);
        return ((CompiledPlan) outcome).plan();
    }

    private static void refused(String sql, ErrorCode code) throws InterruptedException {
        Object outcome = outcome(sql);
        assertThat(outcome).isInstanceOf(SpillwayException.class);
        SpillwayException e = (SpillwayException) outcome;
        assertThat(e.code()).as(e.toString()).isEqualTo(code);
        assertThat(e.context()).containsEntry("pointer", "/plan/from/sql");
    }

    private static String repeat(int times, String text, String separator) {
        return IntStream.range(0, times)
                .mapToObj(i -> text.replace("#", Integer.toString(i)))
                .collect(Collectors.joining(separator));
    }

    @Test
    void aLongChainOfOrIsOneListWhereverItStands() throws InterruptedException {
        String chain = repeat(2_000, "id = #", " OR ");
        for (String sql :
                new String[] {
                    "SELECT * FROM t WHERE " + chain + " LIMIT 5",
                    "SELECT * FROM t WHERE " + chain + " UNION ALL SELECT * FROM t",
                    "SELECT " + chain + " AS x FROM t",
                    "WITH x AS (SELECT id FROM t WHERE " + chain + ") SELECT * FROM x"
                }) {
            assertThat(plan(sql)).isNotNull();
        }
        PhysicalPlan.Filter filter =
                (PhysicalPlan.Filter)
                        plan("SELECT * FROM t WHERE " + repeat(20_000, "id = #", " OR "));
        assertThat(((Expression.In) filter.predicate()).values()).hasSize(20_000);
    }

    @Test
    void whatStandsAroundALongChainIsNoneOfIt() throws InterruptedException {
        for (String operator : new String[] {" OR ", " AND "}) {
            String chain = repeat(40, "id = #", operator);
            for (String sql :
                    new String[] {
                        "SELECT " + chain + " x FROM t",
                        "SELECT " + chain + " \"odd name\", id FROM t",
                        "SELECT ALL " + chain + " x FROM t",
                        "SELECT ALL " + chain + " IS NOT NULL y FROM t WHERE " + chain,
                        "SELECT x FROM (SELECT ALL " + chain + " x, id FROM t) y WHERE " + chain,
                        "SELECT id FROM t WHERE " + chain + " UNION ALL SELECT ALL id FROM t z"
                    }) {
                assertThat(plan(sql)).as(sql).isNotNull();
            }
            assertThat(outcome("SELECT DISTINCT " + chain + " x FROM t"))
                    .as("it can be parsed")
                    .matches(
                            o ->
                                    !(o instanceof SpillwayException e)
                                            || e.code() == ErrorCode.NOT_SUPPORTED);
        }
        assertThat(plan("SELECT ALL " + repeat(40, "id = #", " OR ") + " x FROM t"))
                .isEqualTo(plan("SELECT " + repeat(40, "id = #", " OR ") + " AS x FROM t"));
        assertThat(plan("SELECT ALL * FROM t")).isEqualTo(plan("SELECT * FROM t"));
    }

    @Test
    void deepNestingIsRefused() throws InterruptedException {
        int many = 100_000;
        refused("(".repeat(many) + "SELECT 1" + ")".repeat(many), ErrorCode.PLAN_TOO_DEEP);
        refused("SELECT * FROM (".repeat(5_000) + "t" + ")".repeat(5_000), ErrorCode.PLAN_TOO_DEEP);
        refused("SELECT " + "NOT ".repeat(many) + "b FROM t", ErrorCode.PLAN_TOO_DEEP);
        refused("SELECT i " + "+ i ".repeat(20_000) + "AS x FROM t", ErrorCode.PLAN_TOO_DEEP);
        refused("SELECT ".repeat(many), ErrorCode.PLAN_TOO_LARGE);
        refused("SELECT 1 AS x" + " UNION ALL SELECT 1".repeat(20_000), ErrorCode.PLAN_TOO_LARGE);
        refused("SELECT 1 AS x" + " UNION ALL SELECT 1".repeat(300), ErrorCode.PLAN_TOO_LARGE);
        refused("SELECT * FROM t" + " CROSS JOIN t".repeat(20_000), ErrorCode.PLAN_TOO_LARGE);
        refused("SELECT * FROM t" + ", t".repeat(90_000), ErrorCode.PLAN_TOO_LARGE);
        refused(
                "SELECT id FROM shapes" + ", UNNEST(l) AS e".repeat(20_000),
                ErrorCode.PLAN_TOO_LARGE);
    }

    @Test
    void nestingUpToTheLimitWorks() throws InterruptedException {
        plan("SELECT * FROM (".repeat(90) + "SELECT id FROM t" + ")".repeat(90));
        plan("(".repeat(190) + "SELECT id FROM t" + ")".repeat(190));
        assertThat(plan("SELECT 0 AS x" + " UNION ALL SELECT 1".repeat(60)).inputs()).hasSize(61);
        assertThat(
                        plan("SELECT id"
                                        + repeat(60, ", e#", "").replace(", ", ", ")
                                        + " FROM shapes"
                                        + repeat(60, ", UNNEST(l) AS e#", ""))
                                .schema()
                                .size())
                .isEqualTo(61);
    }

    @Test
    void commonTablesCountEachTimeTheyAreUsed() throws InterruptedException {
        StringBuilder doubling = new StringBuilder("WITH x0 AS (SELECT id FROM t)");
        for (int i = 1; i < 40; i++) {
            String before = "SELECT id FROM x" + (i - 1);
            doubling.append(", x%d AS (%s UNION ALL %s)".formatted(i, before, before));
        }
        refused(doubling + " SELECT * FROM x39", ErrorCode.PLAN_TOO_LARGE);
        String with = "WITH x AS (SELECT id FROM t WHERE " + repeat(2_000, "id = #", " OR ") + ") ";
        String use = "SELECT id FROM x";
        String unions = (" UNION ALL " + use).repeat(30);
        plan(with + use);
        refused(with + use + unions, ErrorCode.PLAN_TOO_LARGE);
    }

    @Test
    void thousandsOfValuesAndColumnsWork() throws InterruptedException {
        PhysicalPlan.Values values =
                (PhysicalPlan.Values) plan("VALUES " + repeat(5_000, "(#, 'x', #.5)", ", "));
        assertThat(values.rows()).hasSize(5_000);
        assertThat(
                        plan("SELECT " + repeat(5_000, "id + # AS c#", ", ") + " FROM t")
                                .schema()
                                .size())
                .isEqualTo(5_000);
        refused("VALUES (" + repeat(200_000, "#", ", ") + ")", ErrorCode.PLAN_TOO_LARGE);
    }
}
