package io.spillway.plan.logical;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.expression.Function;
import io.spillway.plan.physical.CompiledPlan;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.plan.physical.PhysicalPlans;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Plans that are very long or very deep give the right plan or a quick error, on a small stack. */
class DeepPlanTest {

    private static final long SMALL_STACK = 256L << 10;

    /** The outcome of a filter, compiled by a thread with a small stack. */
    private static Object outcome(String where) throws InterruptedException {
        return outcome(SMALL_STACK, () -> Plans.compile("t", Plans.filter(where)));
    }

    private interface Work {
        CompiledPlan run();
    }

    private static Object outcome(long stack, Work work) throws InterruptedException {
        AtomicReference<@Nullable Object> result = new AtomicReference<>();
        Thread thread =
                new Thread(
                        null,
                        () -> {
                            try {
                                result.set(work.run());
                            } catch (SpillwayException e) {
                                result.set(e);
                            }
                        },
                        "small",
                        stack);
        thread.start();
        thread.join();
        Object outcome = result.get();
        assertThat(outcome).isNotNull();
        return outcome == null ? "" : outcome;
    }

    private static Expression predicate(Object outcome) {
        assertThat(outcome).isInstanceOf(CompiledPlan.class);
        return ((PhysicalPlan.Filter) ((CompiledPlan) outcome).plan()).predicate();
    }

    private static void refused(Object outcome, ErrorCode code) {
        assertThat(outcome).isInstanceOf(SpillwayException.class);
        SpillwayException e = (SpillwayException) outcome;
        assertThat(e.code()).isEqualTo(code);
        assertThat(e.context())
                .containsKey("limit")
                .containsEntry("pointer", "/plan/steps/0/where");
    }

    private static String chain(int terms, String operator) {
        return IntStream.range(0, terms)
                .mapToObj(i -> "id = " + i)
                .collect(Collectors.joining(operator));
    }

    @Test
    void aLongChainOfOrIsOneList() throws InterruptedException {
        Expression predicate = predicate(outcome(chain(20_000, " OR ")));
        assertThat(predicate).isInstanceOf(Expression.In.class);
        assertThat(((Expression.In) predicate).values())
                .hasSize(20_000)
                .extracting(Expression.Literal::value)
                .startsWith("0", "1", "2")
                .endsWith("19998", "19999");
    }

    @Test
    void aLongChainIsFlatWhereverItStands() throws InterruptedException {
        String where = "b AND NOT (" + chain(3_000, " AND ").replace("=", "<>") + ")";
        Expression.Call and = (Expression.Call) predicate(outcome(where));
        Expression.Call not = (Expression.Call) and.arguments().get(1);
        Expression.Call inner = (Expression.Call) not.arguments().getFirst();
        assertThat(inner.function()).isEqualTo(Function.AND);
        assertThat(inner.arguments()).hasSize(3_000);
    }

    @Test
    void deepNestingIsRefused() throws InterruptedException {
        StringBuilder right = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            right.append("id = ").append(i).append(" OR (");
        }
        right.append("b").append(")".repeat(20_000));
        refused(outcome(right.toString()), ErrorCode.PLAN_TOO_DEEP);
        refused(
                outcome("not(".repeat(100_000) + "b" + ")".repeat(100_000)),
                ErrorCode.PLAN_TOO_DEEP);
        refused(outcome("NOT ".repeat(100_000) + "b"), ErrorCode.PLAN_TOO_DEEP);
        refused(outcome("- ".repeat(100_000) + "i = 1"), ErrorCode.PLAN_TOO_DEEP);
        refused(outcome("b " + "IS NULL ".repeat(50_000)), ErrorCode.PLAN_TOO_DEEP);
        refused(outcome("i " + "+ i ".repeat(20_000) + "= 1"), ErrorCode.PLAN_TOO_DEEP);
        refused(outcome("i " + "+ i ".repeat(250) + "= 1"), ErrorCode.PLAN_TOO_DEEP);
        refused(
                outcome("CASE WHEN b THEN ".repeat(5_000) + "b" + " END".repeat(5_000)),
                ErrorCode.PLAN_TOO_DEEP);
    }

    @Test
    void nestingUpToTheLimitWorks() throws InterruptedException {
        predicate(outcome("(".repeat(195) + "b" + ")".repeat(195)));
        predicate(outcome("NOT (".repeat(190) + "b" + ")".repeat(190)));
        predicate(outcome("ABS(".repeat(190) + "i" + ")".repeat(190) + " = 1"));
        predicate(outcome("CASE WHEN b THEN ".repeat(190) + "b" + " END".repeat(190)));
        predicate(outcome("i" + " + i".repeat(190) + " = 1"));
    }

    @Test
    void theDeepestPlanSurvivesItsStorage() throws InterruptedException {
        String deep = "ABS(".repeat(190) + "i" + ")".repeat(190);
        String[] steps = new String[200];
        for (int i = 0; i < steps.length; i++) {
            steps[i] =
                    i % 2 == 0
                            ? Plans.filter(i == 0 ? deep + " = 1" : "i <> " + i)
                            : Plans.offset(1);
        }
        Object outcome =
                outcome(
                        SMALL_STACK,
                        () -> {
                            CompiledPlan compiled = Plans.compile("t", steps);
                            String json = PhysicalPlans.toJson(compiled.plan());
                            PhysicalPlan read = PhysicalPlans.fromJson(json);
                            assertThat(PhysicalPlans.toJson(read)).isEqualTo(json);
                            return compiled;
                        });
        assertThat(outcome).isInstanceOf(CompiledPlan.class);
    }

    @Test
    void longListsWorkUpToTheirLimit() throws InterruptedException {
        String list =
                IntStream.range(0, 30_000)
                        .mapToObj(Integer::toString)
                        .collect(Collectors.joining(","));
        assertThat(((Expression.In) predicate(outcome("id IN (" + list + ")"))).values())
                .hasSize(30_000);
        String longer =
                IntStream.range(0, 200_000)
                        .mapToObj(Integer::toString)
                        .collect(Collectors.joining(","));
        refused(outcome("id IN (" + longer + ")"), ErrorCode.PLAN_TOO_LARGE);
    }

    @Test
    void whatRepeatsItsOperandsIsCountedAsItGrows() throws InterruptedException {
        refused(
                outcome("COALESCE(1 + ".repeat(50) + "i" + ", 2)".repeat(50) + " = 1"),
                ErrorCode.PLAN_TOO_LARGE);
        refused(
                outcome("NULLIF(".repeat(100) + "i" + ", 2)".repeat(100) + " = 1"),
                ErrorCode.PLAN_TOO_LARGE);
        String sum = "i" + " + i".repeat(150);
        String list =
                IntStream.range(0, 50_000)
                        .mapToObj(Integer::toString)
                        .collect(Collectors.joining(","));
        refused(outcome("(" + sum + ") IN (" + list + ")"), ErrorCode.PLAN_TOO_LARGE);
        String branches =
                IntStream.range(0, 6_000)
                        .mapToObj(i -> "WHEN " + i + " THEN b ")
                        .collect(Collectors.joining());
        refused(outcome("CASE i " + branches + "END"), ErrorCode.PLAN_TOO_LARGE);
    }

    @Test
    void expressionsOfAPlanAreCountedTogether() {
        String[] steps = new String[30];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = Plans.filter(chain(2_000, " OR "));
        }
        SpillwayException e = Plans.failure("t", steps);
        assertThat(e.code()).isEqualTo(ErrorCode.PLAN_TOO_LARGE);
        assertThat(e).hasMessageContaining("'expressionNodes' is 200000");
        assertThat((String) e.context().get("pointer")).startsWith("/plan/steps/2");
    }

    @Test
    void thousandsOfColumnsWork() {
        String[] items = new String[5_000];
        for (int i = 0; i < items.length; i++) {
            items[i] = i % 10 == 0 ? "id + " + i + " AS c" + i : "id AS c" + i;
        }
        PhysicalPlan plan = Plans.compile("t", Plans.select(items)).plan();
        assertThat(plan.schema().size()).isEqualTo(5_000);
        assertThat(plan.inputs().getFirst().schema().names()).containsExactly("id");
    }
}
