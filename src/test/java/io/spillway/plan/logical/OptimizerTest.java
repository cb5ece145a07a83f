package io.spillway.plan.logical;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.expression.ExpressionCompiler;
import io.spillway.plan.physical.ExpressionText;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.plan.physical.PhysicalPlans;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OptimizerTest {

    private static final Set<OptimizerRule> ALL = EnumSet.allOf(OptimizerRule.class);
    private static final Set<OptimizerRule> NONE = EnumSet.noneOf(OptimizerRule.class);

    @Provide
    Arbitrary<List<String>> steps() {
        return Arbitraries.of(
                        Plans.filter("id > 1"),
                        Plans.filter("id + 1 > 2 OR city = 'x'"),
                        Plans.with("id", "id * 2"),
                        Plans.with("extra", "id + 7"),
                        Plans.with("city", "UPPER(city)"),
                        Plans.select("city", "id"),
                        Plans.select("id", "id AS copy", "city"),
                        Plans.select("id + 1 AS id", "city"),
                        "{`op`: `rename`, `columns`: {`id`: `city`, `city`: `id`}}",
                        "{`op`: `rename`, `columns`: {`city`: `town`}}",
                        Plans.limit(10),
                        Plans.limit(3),
                        Plans.offset(2))
                .list()
                .ofMinSize(0)
                .ofMaxSize(8);
    }

    @Provide
    Arbitrary<Set<OptimizerRule>> rules() {
        return Arbitraries.of(OptimizerRule.class).set();
    }

    /** Names and types stay, and the limits see the same filters below them and above. */
    @Property(tries = 200)
    void plansMeanTheSameWithAnyRules(
            @ForAll("steps") List<String> steps, @ForAll("rules") Set<OptimizerRule> rules) {
        PhysicalPlan plain;
        try {
            plain = Plans.compile(NONE, "t", steps.toArray(String[]::new)).plan();
        } catch (SpillwayException e) {
            return; // such steps do not fit together; errors are found before rules apply
        }
        PhysicalPlan optimized = Plans.compile(rules, "t", steps.toArray(String[]::new)).plan();
        assertThat(optimized.schema()).isEqualTo(plain.schema());
        assertThat(shape(optimized)).isEqualTo(shape(plain));
        compileKernels(optimized);
    }

    @Test
    void aRenameBelowFiltersSurvivesTheRemovalOfItsProjection() {
        String[] steps = {
            "{`op`: `rename`, `columns`: {`city`: `town`}}",
            Plans.filter("id > 1"),
            Plans.filter("id > 1")
        };
        PhysicalPlan optimized =
                Plans.compile(EnumSet.of(OptimizerRule.PROJECT_REMOVE), "t", steps).plan();
        assertThat(optimized.schema().names()).contains("town").doesNotContain("city");
    }

    /** What was put together from good expressions is one. */
    private static void compileKernels(PhysicalPlan plan) {
        for (PhysicalPlan input : plan.inputs()) {
            compileKernels(input);
        }
        switch (plan) {
            case PhysicalPlan.Filter filter ->
                    ExpressionCompiler.predicate(filter.predicate(), filter.input().schema())
                            .close();
            case PhysicalPlan.Project project -> {
                for (Expression expression : project.expressions()) {
                    ExpressionCompiler.compile(expression, project.input().schema()).close();
                }
            }
            case PhysicalPlan.Scan _, PhysicalPlan.Values _, PhysicalPlan.Limit _ -> {}
        }
    }

    /**
     * From the top down, limits and whether filters stand between them; limits in a row are one.
     */
    private static List<String> shape(PhysicalPlan plan) {
        List<String> shape = new ArrayList<>();
        boolean filtered = false;
        long @Nullable [] range = null;
        for (PhysicalPlan p = plan; ; p = p.inputs().getFirst()) {
            switch (p) {
                case PhysicalPlan.Filter _ -> {
                    range = flush(shape, range);
                    filtered = true;
                }
                case PhysicalPlan.Limit limit -> {
                    if (filtered) {
                        shape.add("filtered");
                        filtered = false;
                    }
                    range = range == null ? new long[] {0, Long.MAX_VALUE} : range;
                    long rows =
                            limit.rows() == Long.MAX_VALUE
                                    ? range[1]
                                    : Math.min(range[1], Math.max(0, limit.rows() - range[0]));
                    range = new long[] {range[0] + limit.offset(), rows};
                }
                case PhysicalPlan.Project _ -> {}
                case PhysicalPlan.Scan _, PhysicalPlan.Values _ -> {
                    flush(shape, range);
                    shape.add(filtered ? "filtered" : "all");
                    return shape;
                }
            }
        }
    }

    private static long @Nullable [] flush(List<String> shape, long @Nullable [] range) {
        if (range != null) {
            shape.add("rows " + range[0] + "+" + range[1]);
        }
        return null;
    }

    @Test
    void aScanReadsWhatIsUsedAndNothingElse() {
        PhysicalPlan plan =
                Plans.compile(
                                ALL,
                                "t",
                                Plans.with("unused", "price + r"),
                                Plans.filter("i > 1"),
                                Plans.select("city", "id"))
                        .plan();
        assertThat(scan(plan).schema().names()).containsExactly("id", "i", "city");
        assertThat(
                        scan(Plans.compile(ALL, "t", Plans.select("city", "id")).plan())
                                .schema()
                                .names())
                .containsExactly("city", "id");
        assertThat(scan(Plans.compile(ALL, "t", Plans.select("1 AS one")).plan()).schema().size())
                .isZero();
        PhysicalPlan all = Plans.compile(NONE, "t", Plans.select("id")).plan();
        assertThat(scan(all).schema().size()).isEqualTo(22);
    }

    @Test
    void theEarlierFilterGuardsTheLaterOne() {
        PhysicalPlan.Filter filter =
                (PhysicalPlan.Filter)
                        Plans.compile(ALL, "t", Plans.filter("i <> 0"), Plans.filter("10 / i > 1"))
                                .plan();
        assertThat(ExpressionText.of(filter.predicate(), filter.input().schema()))
                .isEqualTo("(i <> 0) AND ((10 / i) > 1)");
    }

    @Test
    void namesSurviveWhateverIsMerged() {
        String swap = "{`op`: `rename`, `columns`: {`id`: `city`, `city`: `id`}}";
        assertThat(
                        Plans.compile(ALL, "t", Plans.select("id", "city"), swap)
                                .plan()
                                .schema()
                                .names())
                .containsExactly("city", "id");
        assertThat(
                        Plans.compile(
                                        ALL,
                                        "t",
                                        Plans.select("id AS a", "i AS b"),
                                        Plans.select("a AS x", "b AS y"),
                                        Plans.select("x AS a", "y AS c"))
                                .plan()
                                .schema()
                                .names())
                .containsExactly("a", "c");
    }

    @Test
    void doublingExpressionsAreNotPutTogether() {
        String[] steps = new String[100];
        for (int i = 0; i < 99; i++) {
            steps[i] = Plans.with("i", "i + i");
        }
        steps[99] = Plans.filter("i = 0");
        PhysicalPlan plan = Plans.compile(ALL, "t", steps).plan();
        assertThat(PhysicalPlans.toJson(plan).length()).isLessThan(500_000);
    }

    private static PhysicalPlan.Scan scan(PhysicalPlan plan) {
        PhysicalPlan leaf = plan;
        while (!leaf.inputs().isEmpty()) {
            leaf = leaf.inputs().getFirst();
        }
        return (PhysicalPlan.Scan) leaf;
    }
}
