package io.spillway.plan.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The steps that change which rows there are: what they may be made of, and what they may not. */
class RowStepsTest {

    private static final PlanRequestParser PARSER = new PlanRequestParser(PlanLimits.defaults());

    private static List<Step> steps(String... steps) {
        String body =
                "{`plan`: {`from`: {`dataset`: `t`}, `steps`: [%s]}}"
                        .formatted(String.join(", ", steps))
                        .replace('`', '"');
        return PARSER.parse(body.getBytes(StandardCharsets.UTF_8)).plan().steps();
    }

    @Test
    void readsEachWithItsPlace() {
        assertThat(
                        steps(
                                "{`op`: `explode`, `column`: `tags`}",
                                "{`op`: `explode`, `column`: `tags`, `outer`: true}",
                                "{`op`: `sample`, `fraction`: 0.25, `seed`: -7}",
                                "{`op`: `sample`, `fraction`: 1}",
                                "{`op`: `sample`, `rows`: 9223372036854775807, `seed`: 0}",
                                "{`op`: `rowIndex`, `name`: `n`}",
                                "{`op`: `rowIndex`, `name`: `n`, `start`: -1}",
                                "{`op`: `repartition`, `partitions`: 8}",
                                "{`op`: `repartition`, `rowsPerPartition`: 1000}"))
                .containsExactly(
                        new Step.Explode(
                                new PlanText("tags", "/plan/steps/0/column"),
                                false,
                                "/plan/steps/0"),
                        new Step.Explode(
                                new PlanText("tags", "/plan/steps/1/column"),
                                true,
                                "/plan/steps/1"),
                        new Step.SampleFraction(0.25, -7L, "/plan/steps/2"),
                        new Step.SampleFraction(1, null, "/plan/steps/3"),
                        new Step.SampleRows(Long.MAX_VALUE, 0L, "/plan/steps/4"),
                        new Step.RowIndex(
                                new PlanText("n", "/plan/steps/5/name"), 0, "/plan/steps/5"),
                        new Step.RowIndex(
                                new PlanText("n", "/plan/steps/6/name"), -1, "/plan/steps/6"),
                        new Step.RepartitionInto(8, "/plan/steps/7"),
                        new Step.RepartitionEvery(1_000, "/plan/steps/8"));
    }

    @Test
    void readsPlansInPlans() {
        Step.Union union =
                (Step.Union)
                        steps(
                                        "{`op`: `union`, `with`: [{`from`: {`dataset`: `a`}},"
                                                + " {`from`: {`sql`: `SELECT 1 AS x`}, `steps`: [{`op`:"
                                                + " `limit`, `rows`: 1}]}]}")
                                .getFirst();
        assertThat(union.with())
                .containsExactly(
                        new Step.Union.Input(
                                new PlanDocument(
                                        new From.Dataset(
                                                new PlanText(
                                                        "a", "/plan/steps/0/with/0/from/dataset")),
                                        List.of()),
                                "/plan/steps/0/with/0"),
                        new Step.Union.Input(
                                new PlanDocument(
                                        new From.Sql(
                                                new PlanText(
                                                        "SELECT 1 AS x",
                                                        "/plan/steps/0/with/1/from/sql")),
                                        List.of(new Step.Limit(1, "/plan/steps/0/with/1/steps/0"))),
                                "/plan/steps/0/with/1"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "{`op`: `union`} | /plan/steps/0 | - | -",
                "{`op`: `union`, `with`: []} | /plan/steps/0/with | - | -",
                "{`op`: `union`, `with`: {`from`: {}}} | /plan/steps/0/with | an object | -",
                "{`op`: `union`, `with`: [1]} | /plan/steps/0/with/0 | the number 1 | -",
                "{`op`: `union`, `with`: [{`from`: {`dataset`: `a`}, `step`: []}]}"
                        + " | /plan/steps/0/with/0/step | step | steps",
                "{`op`: `union`, `width`: []} | /plan/steps/0/width | width | with",
                "{`op`: `explode`} | /plan/steps/0 | - | -",
                "{`op`: `explode`, `column`: 1} | /plan/steps/0/column | the number 1 | -",
                "{`op`: `explode`, `column`: `a`, `outer`: `yes`}"
                        + " | /plan/steps/0/outer | the string \"yes\" | -",
                "{`op`: `explode`, `column`: `a`, `outer`: null} | /plan/steps/0/outer | null | -",
                "{`op`: `sample`} | /plan/steps/0 | - | -",
                "{`op`: `sample`, `seed`: 1} | /plan/steps/0 | - | -",
                "{`op`: `sample`, `fraction`: 0.5, `rows`: 1} | /plan/steps/0 | - | -",
                "{`op`: `sample`, `fraction`: 1.5} | /plan/steps/0/fraction | the number 1.5 | -",
                "{`op`: `sample`, `fraction`: 1.00000000000000000001}"
                        + " | /plan/steps/0/fraction | the number 1.00000000000000000001 | -",
                "{`op`: `sample`, `fraction`: `0.5`}"
                        + " | /plan/steps/0/fraction | the string \"0.5\" | -",
                "{`op`: `sample`, `rows`: -1} | /plan/steps/0/rows | the number -1 | -",
                "{`op`: `sample`, `rows`: 1.0} | /plan/steps/0/rows | the number 1.0 | -",
                "{`op`: `sample`, `rows`: 1, `seed`: 9223372036854775808}"
                        + " | /plan/steps/0/seed | the number 9223372036854775808 | -",
                "{`op`: `sample`, `rows`: 1, `sead`: 1} | /plan/steps/0/sead | sead | seed",
                "{`op`: `rowIndex`} | /plan/steps/0 | - | -",
                "{`op`: `rowIndex`, `name`: `n`, `start`: `1`}"
                        + " | /plan/steps/0/start | the string \"1\" | -",
                "{`op`: `rowIndex`, `name`: `n`, `from`: 1} | /plan/steps/0/from | from | -",
                "{`op`: `repartition`} | /plan/steps/0 | - | -",
                "{`op`: `repartition`, `partitions`: 2, `rowsPerPartition`: 3}"
                        + " | /plan/steps/0 | - | -",
                "{`op`: `repartition`, `partitions`: 0}"
                        + " | /plan/steps/0/partitions | the number 0 | -",
                "{`op`: `repartition`, `partitions`: 100001}"
                        + " | /plan/steps/0/partitions | the number 100001 | -",
                "{`op`: `repartition`, `rowsPerPartition`: 0}"
                        + " | /plan/steps/0/rowsPerPartition | the number 0 | -",
                "{`op`: `repartition`, `partition`: 2}"
                        + " | /plan/steps/0/partition | partition | partitions",
                "{`op`: `explod`, `column`: `a`} | /plan/steps/0/op | explod | explode"
            })
    void refusesAllElseWhereItStands(String step, String pointer, String found, String suggestion) {
        SpillwayException e = catchThrowableOfType(SpillwayException.class, () -> steps(step));
        assertThat(e.code()).as(e.toString()).isEqualTo(ErrorCode.INVALID_PLAN);
        assertThat(e.context().get("pointer")).isEqualTo(pointer);
        assertThat(e.context().get("found")).isEqualTo(found);
        assertThat(e.context().get("suggestion")).isEqualTo(suggestion);
    }
}
