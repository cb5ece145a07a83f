package io.spillway.plan.logical;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.plan.physical.Explain;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.plan.physical.PhysicalPlans;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From steps that change which rows there are to what is executed. */
class RowStepsPlanTest {

    private static String union(String... inputs) {
        return "{`op`: `union`, `with`: [" + String.join(", ", inputs) + "]}";
    }

    private static String plan(String dataset, String... steps) {
        return "{`from`: {`dataset`: `%s`}, `steps`: [%s]}"
                .formatted(dataset, String.join(", ", steps));
    }

    @Test
    void eachBecomesItsOperator() {
        PhysicalPlan plan =
                Plans.compile(
                                "shapes",
                                "{`op`: `explode`, `column`: `l`}",
                                "{`op`: `explode`, `column`: `sure`, `outer`: true}",
                                "{`op`: `sample`, `fraction`: 0.25, `seed`: -7}",
                                "{`op`: `sample`, `rows`: 1000, `seed`: 8}",
                                "{`op`: `rowIndex`, `name`: `n`, `start`: 1}",
                                "{`op`: `repartition`, `rowsPerPartition`: 100}",
                                "{`op`: `repartition`, `partitions`: 4}",
                                Plans.select("id", "l", "sure", "n"))
                        .plan();
        assertThat(Explain.text(plan).replaceAll("(?s)    +Scan.*", "Scan"))
                .isEqualTo(
                        """
                        Repartition partitions=4
                          Repartition rowsPerPartition=100
                            RowNumbers n start=1
                              Sample rows=1,000 seed=8
                                Sample fraction=0.25 seed=-7
                                  Explode sure outer
                                    Explode l
                        Scan\
                        """);
        assertThat(plan.schema().columns())
                .containsExactly(
                        new ColumnSchema("id", new ColumnType.Int(64, true), false),
                        new ColumnSchema("l", new ColumnType.Int(32, true), true),
                        new ColumnSchema("sure", new ColumnType.Utf8(), true),
                        new ColumnSchema("n", new ColumnType.Int(64, true), false));
        assertThat(PhysicalPlans.fromJson(PhysicalPlans.toJson(plan))).isEqualTo(plan);
    }

    @Test
    void elementsThatCannotBeNullStaySo() {
        assertThat(
                        Plans.compile("shapes", "{`op`: `explode`, `column`: `sure`}")
                                .plan()
                                .schema()
                                .columns())
                .contains(new ColumnSchema("sure", new ColumnType.Utf8(), false));
    }

    @Test
    void whatWasExplodedIsAColumnLikeAnyOther() {
        PhysicalPlan plan =
                Plans.compile(
                                "shapes",
                                "{`op`: `explode`, `column`: `l`}",
                                Plans.filter("l > 3"),
                                Plans.select("l + 1 AS next"))
                        .plan();
        assertThat(plan.schema().names()).containsExactly("next");
    }

    @Test
    void aSeedThatIsNotGivenIsDrawnOnceAndKept() {
        String step = "{`op`: `sample`, `fraction`: 0.5}";
        PhysicalPlan.SampleFraction first =
                (PhysicalPlan.SampleFraction) Plans.compile("t", step).plan();
        PhysicalPlan.SampleFraction second =
                (PhysicalPlan.SampleFraction) Plans.compile("t", step).plan();
        assertThat(first.seed()).isNotEqualTo(second.seed()).isBetween(0L, (1L << 53) - 1);
        assertThat(PhysicalPlans.fromJson(PhysicalPlans.toJson(first))).isEqualTo(first);
    }

    @Test
    void aUnionMeetsByNameInTheFirstInputsOrder() {
        PhysicalPlan.Union union =
                (PhysicalPlan.Union)
                        Plans.compile(
                                        "t",
                                        Plans.select("city", "i AS n"),
                                        union(
                                                plan("t", Plans.select("id AS n", "city")),
                                                plan(
                                                        "t",
                                                        Plans.select(
                                                                "t8 AS n", "UPPER(city) AS city"))))
                                .plan();
        assertThat(union.schema().columns())
                .containsExactly(
                        new ColumnSchema("city", new ColumnType.Utf8(), true),
                        new ColumnSchema("n", new ColumnType.Int(64, true), true));
        assertThat(union.inputs()).hasSize(3);
        for (PhysicalPlan input : union.inputs()) {
            assertThat(input.schema().columns().stream().map(ColumnSchema::type).toList())
                    .containsExactly(new ColumnType.Utf8(), new ColumnType.Int(64, true));
        }
        assertThat(union.inputs().get(1).schema().column(1).nullable()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "t8 | u8 | int16",
                "i | amount | decimal(12,2)",
                "u64 | id | decimal(20,0)",
                "i | price | float64",
                "f16 | r | float32",
                "d | ts | timestamp(us)",
                "bin | fixed | binary"
            })
    void typesWidenToOneThatHoldsAllValues(String first, String second, String common) {
        PhysicalPlan plan =
                Plans.compile(
                                "t",
                                Plans.select(first + " AS x"),
                                union(plan("t", Plans.select(second + " AS x"))))
                        .plan();
        assertThat(plan.schema().column(0).type()).hasToString(common);
    }

    @Test
    void nestedTypesWidenToo() {
        PhysicalPlan plan =
                Plans.compile(
                                "shapes",
                                Plans.select("l AS x"),
                                union(plan("shapes", Plans.select("wide AS x"))))
                        .plan();
        assertThat(plan.schema().column(0).type()).hasToString("list<int64>");
    }

    @Test
    void allInputsOfOneUnionStandSideBySide() {
        PhysicalPlan plan = Plans.compile("t", union(plan("t"), plan("t"), plan("t"))).plan();
        assertThat(plan.inputs()).hasSize(4);
        assertThat(plan.scans()).hasSize(4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            nullValues = "-",
            value = {
                "{`op`: `explode`, `column`: `ll`} | UNKNOWN_COLUMN | /plan/steps/0/column | l",
                "{`op`: `explode`, `column`: `s`} | TYPE_MISMATCH | /plan/steps/0/column | -",
                "{`op`: `explode`, `column`: `m`} | TYPE_MISMATCH | /plan/steps/0/column | -",
                "{`op`: `explode`, `column`: `id`} | TYPE_MISMATCH | /plan/steps/0/column | -",
                "{`op`: `rowIndex`, `name`: ``} | INVALID_PLAN | /plan/steps/0/name | -",
                "{`op`: `rowIndex`, `name`: `id`} | DUPLICATE_COLUMN | /plan/steps/0/name | -",
                "{`op`: `union`, `with`: [{`from`: {`dataset`: `nosuch`}}]}"
                        + " | UNKNOWN_DATASET | /plan/steps/0/with/0/from/dataset | -",
                "{`op`: `union`, `with`: [{`from`: {`dataset`: `shapes`}}, {`from`: {`dataset`:"
                        + " `shapes`}, `steps`: [{`op`: `drop`, `columns`: [`x`]}]}]}"
                        + " | UNKNOWN_COLUMN | /plan/steps/0/with/1/steps/0/columns/0 | l",
                "{`op`: `union`, `with`: [{`from`: {`dataset`: `shapes`}, `steps`: [{`op`:"
                        + " `rename`, `columns`: {`wide`: `wider`}}]}]} | UNKNOWN_COLUMN |"
                        + " /plan/steps/0/with/0 | wide",
                "{`op`: `union`, `with`: [{`from`: {`dataset`: `shapes`}, `steps`: [{`op`: `drop`,"
                        + " `columns`: [`wide`]}]}]} | UNKNOWN_COLUMN | /plan/steps/0/with/0 | id",
                "{`op`: `union`, `with`: [{`from`: {`sql`: `SELECT * FROM shape`}}]}"
                        + " | UNKNOWN_DATASET | /plan/steps/0/with/0/from/sql | shapes"
            })
    void errorsHavePlaceAndNearestName(
            String step, ErrorCode code, String pointer, String suggestion) {
        SpillwayException e = Plans.failure("shapes", step);
        assertThat(e.code()).as(e.toString()).isEqualTo(code);
        assertThat(e.context()).containsEntry("pointer", pointer);
        assertThat(e.context().get("suggestion")).isEqualTo(suggestion);
    }

    @Test
    void typesThatNoTypeHoldsAreAnErrorWithBoth() {
        SpillwayException e =
                Plans.failure(
                        "t",
                        Plans.select("id AS x"),
                        union(
                                plan("t", Plans.select("t8 AS x")),
                                plan("t", "{`op`: `select`, `columns`: [`city AS x`]}")));
        assertThat(e.code()).isEqualTo(ErrorCode.TYPE_MISMATCH);
        assertThat(e.context())
                .containsEntry("pointer", "/plan/steps/1/with/1")
                .containsEntry("column", "x")
                .containsEntry("found", "utf8")
                .containsEntry("expected", List.of("int64"));
    }

    @Test
    void aColumnThatCannotBeReadIsNoPartOfAUnion() {
        SpillwayException left = Plans.failure("nested", union(plan("t")));
        assertThat(left.code()).isEqualTo(ErrorCode.FILE_NOT_SUPPORTED);
        assertThat(left.context()).containsEntry("pointer", "/plan/steps/0");
        SpillwayException right = Plans.failure("t", union(plan("nested")));
        assertThat(right.code()).isEqualTo(ErrorCode.FILE_NOT_SUPPORTED);
        assertThat(right.context()).containsEntry("pointer", "/plan/steps/0/with/0/from/dataset");
    }

    @Test
    void theDeepestUnionsAreCompiled() {
        // A union in a union in a union, as deep as a body may be.
        String plan = plan("t", Plans.select("id"));
        for (int i = 0; i < 14; i++) {
            plan = plan("t", Plans.select("id"), union(plan, plan("t", Plans.select("id"))));
        }
        PhysicalPlan compiled =
                Plans.compileBody(EnumSet.allOf(OptimizerRule.class), "{`plan`: " + plan + "}")
                        .plan();
        assertThat(compiled.scans()).hasSize(29);
    }
}
