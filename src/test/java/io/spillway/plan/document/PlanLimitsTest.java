package io.spillway.plan.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanLimitsTest {

    /** Small limits, so that each is met by a short body. */
    private static final PlanRequestParser PARSER =
            new PlanRequestParser(new PlanLimits(300, 7, 2, 3, 2, 4, 10, 50, 10, 8, 20));

    private static SpillwayException failure(String body) {
        byte[] bytes = body.replace('`', '"').getBytes(StandardCharsets.UTF_8);
        return catchThrowableOfType(SpillwayException.class, () -> PARSER.parse(bytes));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{`from`: {`dataset`: `t`}, `steps`: [{}, {}, {}]} | steps | 2 | /plan/steps",
                "{`from`: {`dataset`: `t`}, `steps`: [{`op`: `drop`, `columns`: [`a`, `b`, `c`,"
                        + " `d`]}]} | columns | 3 | /plan/steps/0/columns",
                "{`from`: {`files`: {`format`: `parquet`, `paths`: [`a`, `b`, `c`]}}}"
                        + " | paths | 2 | /plan/from/files/paths",
                "{`from`: {`values`: {`columns`: [`a`, `b`, `c`, `d`], `rows`: []}}}"
                        + " | columns | 3 | /plan/from/values/columns",
                "{`from`: {`values`: {`columns`: [`a`], `rows`: [[1], [2], [3], [4], [5]]}}}"
                        + " | values | 4 | /plan/from/values/rows",
                "{`from`: {`values`: {`columns`: [`abcdefghi`], `rows`: []}}}"
                        + " | nameLength | 8 | /plan/from/values/columns/0",
                "{`from`: {`values`: {`columns`: [`a`], `rows`: [[123456789012345678901]]}}}"
                        + " | literalDigits | 20 | /plan/from/values/rows/0/0"
            })
    void everyLimitHasItsOwnError(String plan, String limit, int value, String pointer) {
        SpillwayException e = failure("{`plan`: " + plan + "}");
        assertThat(e.code()).isEqualTo(ErrorCode.PLAN_TOO_LARGE);
        assertThat(e).hasMessageContaining("the limit '" + limit + "' is " + value);
        assertThat(e.context()).containsEntry("limit", value).containsEntry("pointer", pointer);
    }

    @Test
    void theStepsOfNestedPlansCountTogether() {
        PlanRequestParser parser =
                new PlanRequestParser(new PlanLimits(5_000, 64, 4, 3, 2, 4, 10, 50, 10, 8, 20));
        String inner = "{`from`: {`dataset`: `t`}, `steps`: [{`op`: `limit`, `rows`: 1}]}";
        String union = "{`op`: `union`, `with`: [%s]}";
        String body = "{`plan`: {`from`: {`dataset`: `t`}, `steps`: [%s]}}";
        // A union, a nested plan and its step, and one more step.
        String good =
                body.formatted(union.formatted(inner) + ", {`op`: `limit`, `rows`: 1}")
                        .replace('`', '"');
        assertThat(parser.parse(good.getBytes(StandardCharsets.UTF_8)).plan().steps()).hasSize(2);
        for (String steps :
                new String[] {
                    union.formatted(inner + ", " + inner),
                    union.formatted(String.join(", ", Collections.nCopies(4, inner))),
                    union.formatted(inner.replace("[{", "[" + union.formatted(inner) + ", {"))
                }) {
            String bad = body.formatted(steps).replace('`', '"');
            SpillwayException e =
                    catchThrowableOfType(
                            SpillwayException.class,
                            () -> parser.parse(bad.getBytes(StandardCharsets.UTF_8)));
            assertThat(e.code()).isEqualTo(ErrorCode.PLAN_TOO_LARGE);
            assertThat(e).hasMessageContaining("the limit 'steps' is 4");
            assertThat((String) e.context().get("pointer")).startsWith("/plan/steps/0/with");
        }
    }

    @Test
    void aBodyThatIsTooLongIsNotLookedAt() {
        SpillwayException e = failure("x".repeat(301));
        assertThat(e.code()).isEqualTo(ErrorCode.PLAN_TOO_LARGE);
        assertThat(e).hasMessageContaining("301 bytes").hasMessageContaining("'bytes' is 300");
    }

    @Test
    void aBodyThatIsTooDeepIsRefusedWhereItIs() {
        SpillwayException e = failure("[".repeat(20));
        assertThat(e.code()).isEqualTo(ErrorCode.PLAN_TOO_DEEP);
        assertThat(e).hasMessageContaining("'jsonDepth' is 7");
        assertThat(e.context()).containsEntry("position", 7L);
    }

    @Test
    void limitsThemselvesHaveBounds() {
        assertThatThrownBy(() -> new PlanLimits(0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'bytes'");
        assertThatThrownBy(() -> new PlanLimits(1, 1, 1, 1, 1, 1, 1, 1, 1_001, 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'expressionDepth' must be between 1 and 1000");
    }
}
