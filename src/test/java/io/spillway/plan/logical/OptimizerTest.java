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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
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
                        "{`op`: `rowIndex`, `name`: `city2`}",
                        "{`op`: `sample`, `fraction`: 0.5, `seed`: 1}",
                        "{`op`: `repartition`, `partitions`: 3}",
                        "{`op`: `union`, `with`: [{`from`: {`sql`: `SELECT city, id FROM t`}}]}",
                        "{`op`: `union`, `with`: [{`from`: {`dataset`: `t`}, `steps`: [{`op`:"
                                + " `limit`, `rows`: 5}]}, {`from`: {`dataset`: `t`}}]}",
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
            default -> {}
        }
    }

    /**
     * From the top down, limits, samples, unions and new partitions, and whether filters stand
     * between them; limits in a row are one, and a filter over a union is one over its inputs.
     */
    private static List<String> shape(PhysicalPlan plan) {
        List<String> shape = new ArrayList<>();
        append(shape, plan, false);
        return shape;
    }

    private static void append(List<String> shape, PhysicalPlan plan, boolean filteredAbove) {
        boolean filtered = filteredAbove;
        long @Nullable [] range = null;
        for (PhysicalPlan p = plan; ; p = p.inputs().getFirst()) {
            switch (p) {
                case PhysicalPlan.Filter _ -> {
                    range = flush(shape, range);
                    filtered = true;
                }
                case PhysicalPlan.Limit limit -> {
                    filtered = flush(shape, filtered);
                    range = range == null ? new long[] {0, Long.MAX_VALUE} : range;
                    long rows =
                            limit.rows() == Long.MAX_VALUE
                                    ? range[1]
                                    : Math.min(range[1], Math.max(0, limit.rows() - range[0]));
                    range = new long[] {range[0] + limit.offset(), rows};
                }
                case PhysicalPlan.Project _, PhysicalPlan.RowNumbers _ -> {}
                case PhysicalPlan.SampleFraction _,
                        PhysicalPlan.Sort _,
                        PhysicalPlan.Aggregate _,
                        PhysicalPlan.Join _,
                        PhysicalPlan.Distinct _,
                        PhysicalPlan.Window _,
                        PhysicalPlan.SampleRows _,
                        PhysicalPlan.Explode _,
                        PhysicalPlan.Repartition _ -> {
                    range = flush(shape, range);
                    filtered = flush(shape, filtered);
                    shape.add(p.getClass().getSimpleName());
                }
                case PhysicalPlan.Union union -> {
                    flush(shape, range);
                    shape.add("union");
                    for (PhysicalPlan input : union.inputs()) {
                        append(shape, input, filtered);
                    }
                    return;
                }
                case PhysicalPlan.Scan _, PhysicalPlan.Values _ -> {
                    flush(shape, range);
                    shape.add(filtered ? "filtered" : "all");
                    return;
                }
            }
        }
    }

    private static boolean flush(List<String> shape, boolean filtered) {
        if (filtered) {
            shape.add("filtered");
        }
        return false;
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

    /** Nothing but the choice of columns moves across them. */
    @Test
    void filtersStayAboveWhatNumbersCutsOrMultipliesRows() {
        for (String step :
                List.of(
                        "{`op`: `rowIndex`, `name`: `n`}",
                        "{`op`: `sample`, `fraction`: 0.5, `seed`: 1}",
                        "{`op`: `sample`, `rows`: 5, `seed`: 1}",
                        "{`op`: `repartition`, `rowsPerPartition`: 10}",
                        "{`op`: `explode`, `column`: `l`}",
                        Plans.limit(5))) {
            PhysicalPlan plan = Plans.compile(ALL, "shapes", step, Plans.filter("id = 1")).plan();
            assertThat(plan).as(step).isInstanceOf(PhysicalPlan.Filter.class);
            assertThat(scan(plan).filter()).as(step).isNull();
        }
    }

    @Test
    void columnsArePrunedThroughAllOfThem() {
        String[] steps = {
            "{`op`: `rowIndex`, `name`: `n`}",
            "{`op`: `sample`, `fraction`: 0.5, `seed`: 1}",
            "{`op`: `sample`, `rows`: 5, `seed`: 1}",
            "{`op`: `repartition`, `rowsPerPartition`: 10}",
            "{`op`: `explode`, `column`: `l`}",
            Plans.limit(5),
            Plans.select("m AS map", "id")
        };
        PhysicalPlan plan = Plans.compile(ALL, "shapes", steps).plan();
        // The list is needed, as it says how many rows there are; the row index is not.
        assertThat(scan(plan).schema().names()).containsExactly("id", "l", "m");
        assertThat(plan.schema().names()).containsExactly("map", "id");
        assertThat(PhysicalPlans.toJson(plan)).doesNotContain("rowNumbers");
        assertThat(PhysicalPlans.toJson(Plans.compile(NONE, "shapes", steps).plan()))
                .contains("rowNumbers");
        PhysicalPlan indexed =
                Plans.compile(ALL, "t", steps[0], Plans.select("n", "city", "n AS again")).plan();
        assertThat(scan(indexed).schema().names()).containsExactly("city");
    }

    private static final String UNION =
            "{`op`: `union`, `with`: [{`from`: {`sql`: `SELECT city AS x, id AS i FROM t`},"
                    + " `steps`: [{`op`: `filter`, `where`: `i <> 3`}]}]}";

    @Test
    void aFilterGoesIntoTheInputsOfAUnionAndSoToTheirScans() {
        String[] steps = {Plans.select("city AS x", "i"), UNION, Plans.filter("i > 7")};
        PhysicalPlan.Union union = (PhysicalPlan.Union) Plans.compile(ALL, "t", steps).plan();
        assertThat(union.inputs()).hasSize(2);
        assertThat(union.scans())
                .extracting(
                        s ->
                                s.filter() == null
                                        ? ""
                                        : ExpressionText.of(s.filter().condition(), s.schema()))
                .containsExactly("CAST(i AS int64) > 7", "(id <> 3) AND (id > 7)");
        EnumSet<OptimizerRule> without = EnumSet.allOf(OptimizerRule.class);
        without.remove(OptimizerRule.FILTER_BELOW_UNION);
        assertThat(Plans.compile(without, "t", steps).plan())
                .isInstanceOf(PhysicalPlan.Filter.class);
    }

    @Test
    void inputsOfAUnionArePrunedEachToTheSameColumns() {
        PhysicalPlan plan =
                Plans.compile(
                                ALL,
                                "t",
                                Plans.select("city AS x", "i"),
                                Plans.filter("i < 100"),
                                UNION,
                                Plans.select("x"))
                        .plan();
        assertThat(plan.schema().names()).containsExactly("x");
        PhysicalPlan.Union union =
                (PhysicalPlan.Union) (plan.inputs().size() == 1 ? plan.inputs().getFirst() : plan);
        assertThat(union.inputs())
                .allSatisfy(input -> assertThat(input.schema().size()).isEqualTo(1));
        PhysicalPlan none =
                Plans.compile(
                                ALL,
                                "t",
                                UNION.replace("SELECT city AS x, id AS i", "SELECT *"),
                                Plans.select("1 AS one"))
                        .plan();
        assertThat(none.scans()).allSatisfy(s -> assertThat(s.schema().size()).isLessThan(2));
    }

    @Test
    void whatLooksAlikeIsNotMerged() {
        String[] inputs =
                IntStream.range(0, 4)
                        .mapToObj(
                                i ->
                                        "{`from`: {`dataset`: `t`}, `steps`: [%s]}"
                                                .formatted(
                                                        List.of(
                                                                        "{`op`: `sample`,"
                                                                                + " `fraction`: 0.5,"
                                                                                + " `seed`: 1}",
                                                                        "{`op`: `sample`,"
                                                                                + " `fraction`: 0.5,"
                                                                                + " `seed`: 2}",
                                                                        "{`op`: `sample`, `rows`:"
                                                                                + " 5, `seed`: 1}",
                                                                        "{`op`: `sample`, `rows`:"
                                                                                + " 5, `seed`: 2}")
                                                                .get(i)))
                        .toArray(String[]::new);
        PhysicalPlan.Union union =
                (PhysicalPlan.Union)
                        Plans.compile(
                                        ALL,
                                        "t",
                                        "{`op`: `union`, `with`: ["
                                                + String.join(", ", inputs)
                                                + "]}")
                                .plan();
        assertThat(new HashSet<>(union.inputs())).hasSize(5);
    }

    @Test
    void aRenamedColumnBelowARowIndexOfItsOldNameKeepsBoth() {
        String[] steps = {
            Plans.select("city", "id"),
            "{`op`: `rename`, `columns`: {`city`: `town`}}",
            "{`op`: `rowIndex`, `name`: `city`}"
        };
        PhysicalPlan plan = Plans.compile(ALL, "t", steps).plan();
        assertThat(plan.schema().names()).containsExactly("town", "id", "city");
        for (PhysicalPlan p = plan; !p.inputs().isEmpty(); p = p.inputs().getFirst()) {
            assertThat(p.schema().names()).doesNotHaveDuplicates();
        }
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
