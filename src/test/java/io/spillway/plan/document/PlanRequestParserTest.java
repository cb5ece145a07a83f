package io.spillway.plan.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlanRequestParserTest {

    private static final PlanRequestParser PARSER = new PlanRequestParser(PlanLimits.defaults());

    private static PlanRequest parse(String body) {
        return PARSER.parse(body.replace('`', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static SpillwayException failure(String body) {
        return catchThrowableOfType(SpillwayException.class, () -> parse(body));
    }

    private static PlanRequest withStep(String step) {
        return parse("{`plan`: {`from`: {`dataset`: `t`}, `steps`: [" + step + "]}}");
    }

    private static SpillwayException stepFailure(String step) {
        return catchThrowableOfType(SpillwayException.class, () -> withStep(step));
    }

    private static From.Values values(String values) {
        return (From.Values) parse("{`plan`: {`from`: {`values`: " + values + "}}}").plan().from();
    }

    private static SpillwayException valuesFailure(String values) {
        return catchThrowableOfType(SpillwayException.class, () -> values(values));
    }

    @Test
    void readsEveryStepWithItsPlace() {
        PlanRequest request =
                parse(
                        """
                        {"plan": {"from": {"dataset": "trips"}, "steps": [
                          {"op": "filter", "where": "fare > 10"},
                          {"op": "select", "columns": ["fare", "a + b AS c", "*"]},
                          {"op": "withColumns", "columns": {"x/y": "1", "~": "2"}},
                          {"op": "rename", "columns": {"old": "new"}},
                          {"op": "drop", "columns": ["c"]},
                          {"op": "limit", "rows": 9223372036854775807},
                          {"op": "offset", "rows": 0}]}}
                        """);

        assertThat(request.options()).isEqualTo(PlanOptions.none());
        assertThat(request.plan().from())
                .isEqualTo(new From.Dataset(new PlanText("trips", "/plan/from/dataset")));
        assertThat(request.plan().steps())
                .containsExactly(
                        new Step.Filter(
                                new PlanText("fare > 10", "/plan/steps/0/where"), "/plan/steps/0"),
                        new Step.Select(
                                List.of(
                                        new PlanText("fare", "/plan/steps/1/columns/0"),
                                        new PlanText("a + b AS c", "/plan/steps/1/columns/1"),
                                        new PlanText("*", "/plan/steps/1/columns/2")),
                                "/plan/steps/1"),
                        new Step.WithColumns(
                                List.of(
                                        new Step.NamedText(
                                                "x/y",
                                                new PlanText("1", "/plan/steps/2/columns/x~1y")),
                                        new Step.NamedText(
                                                "~",
                                                new PlanText("2", "/plan/steps/2/columns/~0"))),
                                "/plan/steps/2"),
                        new Step.Rename(
                                List.of(
                                        new Step.NamedText(
                                                "old",
                                                new PlanText("new", "/plan/steps/3/columns/old"))),
                                "/plan/steps/3"),
                        new Step.Drop(
                                List.of(new PlanText("c", "/plan/steps/4/columns/0")),
                                "/plan/steps/4"),
                        new Step.Limit(Long.MAX_VALUE, "/plan/steps/5"),
                        new Step.Offset(0, "/plan/steps/6"));
    }

    @Test
    void readsFilesWithTheirOptions() {
        From from =
                parse(
                                """
                                {"plan": {"from": {"files": {"format": "parquet",
                                  "paths": ["/data/*.parquet", "/data/x.parquet"],
                                  "options": {"a": 1, "b": [true, "x"], "c": 1.5}}}}}
                                """)
                        .plan()
                        .from();

        assertThat(from).isInstanceOf(From.Files.class);
        From.Files files = (From.Files) from;
        assertThat(files.format()).isEqualTo("parquet");
        assertThat(files.paths()).containsExactly("/data/*.parquet", "/data/x.parquet");
        assertThat(files.options())
                .isEqualTo(Map.of("a", 1L, "b", List.of(true, "x"), "c", new BigDecimal("1.5")));
    }

    @ParameterizedTest
    @CsvSource({
        "`24h`, PT24H",
        "`30m`, PT30M",
        "`90s`, PT1M30S",
        "`500ms`, PT0.5S",
        "`7d`, PT168H",
        "`PT36H`, PT36H",
        "`P1DT2H`, PT26H"
    })
    void readsDurations(String ttl, Duration expected) {
        PlanRequest request =
                parse("{`plan`: {`from`: {`dataset`: `t`}}, `options`: {`ttl`: " + ttl + "}}");
        assertThat(request.options().ttl()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"`0s`", "`-PT1H`", "`1w`", "`soon`", "3600", "`999999999999d`", "null"})
    void refusesOtherDurations(String ttl) {
        SpillwayException e =
                failure("{`plan`: {`from`: {`dataset`: `t`}}, `options`: {`ttl`: " + ttl + "}}");
        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PLAN);
        assertThat(e.context()).containsEntry("pointer", "/options/ttl").containsKey("expected");
    }

    @ParameterizedTest
    @CsvSource({"1048576, 1048576", "`256MiB`, 268435456", "`1 GB`, 1000000000", "`5b`, 5"})
    void readsAmountsOfMemory(String limit, long expected) {
        PlanRequest request =
                parse(
                        "{`plan`: {`from`: {`dataset`: `t`}}, `options`: {`engine`: `local`,"
                                + " `name`: `n`, `batchRows`: 1024, `memoryLimit`: "
                                + limit
                                + "}}");
        assertThat(request.options())
                .isEqualTo(new PlanOptions(PlanOptions.Engine.LOCAL, "n", null, expected, 1024));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1.5", "1e6", "`lots`", "`99999999999999TiB`", "true"})
    void refusesOtherAmountsOfMemory(String limit) {
        SpillwayException e =
                failure(
                        "{`plan`: {`from`: {`dataset`: `t`}}, `options`: {`memoryLimit`: "
                                + limit
                                + "}}");
        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PLAN);
        assertThat(e.context()).containsEntry("pointer", "/options/memoryLimit");
    }

    @Test
    void tellsEnginesThatAreNotThereFromThoseThatAreNone() {
        SpillwayException spark =
                failure("{`plan`: {`from`: {`dataset`: `t`}}, `options`: {`engine`: `spark`}}");
        assertThat(spark.code()).isEqualTo(ErrorCode.NOT_SUPPORTED);
        SpillwayException typo =
                failure("{`plan`: {`from`: {`dataset`: `t`}}, `options`: {`engine`: `locl`}}");
        assertThat(typo.code()).isEqualTo(ErrorCode.INVALID_PLAN);
        assertThat(typo.context())
                .containsEntry("pointer", "/options/engine")
                .containsEntry("suggestion", "local");
    }

    @Test
    void namesThePlaceOfMalformedJson() {
        SpillwayException e = failure("{`plan`: {`from`: }}");
        assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_JSON);
        assertThat(e).hasMessageContaining("line 1, column");
        assertThat((Long) e.context().get("position")).isBetween(17L, 19L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[1", "{`plan`: 1} x", "{`plan`: 1}{}", "{'a': 1}", "nul"})
    void refusesWhatIsNoJson(String body) {
        SpillwayException e = failure(body);
        assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_JSON);
    }

    @Test
    void refusesTextThatIsNoUnicode() {
        assertThat(failure("{`plan`: `\\ud800`}").code()).isEqualTo(ErrorCode.MALFORMED_JSON);
        SpillwayException e =
                catchThrowableOfType(
                        SpillwayException.class,
                        () -> PARSER.parse(new byte[] {'{', '"', (byte) 0xC3, '(', '"', '}'}));
        assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_JSON);
    }

    @Test
    void refusesAKeyThatStandsTwice() {
        SpillwayException e = stepFailure("{`op`: `filter`, `where`: `a`, `where`: `b`}");
        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PLAN);
        assertThat(e).hasMessageContaining("'where' is there twice");
        assertThat(e.context()).containsEntry("pointer", "/plan/steps/0/where");
    }

    @Test
    void suggestsTheFieldThatWasMeant() {
        SpillwayException e = stepFailure("{`op`: `filter`, `wher`: `a`}");
        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PLAN);
        assertThat(e.context())
                .containsEntry("pointer", "/plan/steps/0/wher")
                .containsEntry("found", "wher")
                .containsEntry("expected", List.of("op", "where"))
                .containsEntry("suggestion", "where");
    }

    @Test
    void namesAMissingField() {
        SpillwayException e = stepFailure("{`op`: `limit`}");
        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PLAN);
        assertThat(e.context())
                .containsEntry("pointer", "/plan/steps/0")
                .containsEntry("expected", List.of("rows"));
        assertThat(failure("{}").context()).containsEntry("expected", List.of("plan"));
        assertThat(failure("{`plan`: {}}").context()).containsEntry("pointer", "/plan");
    }

    @Test
    void suggestsTheOperationThatWasMeant() {
        SpillwayException e = stepFailure("{`op`: `fitler`, `where`: `a`}");
        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PLAN);
        assertThat(e.context())
                .containsEntry("pointer", "/plan/steps/0/op")
                .containsEntry("found", "fitler")
                .containsEntry("suggestion", "filter");
    }

    @Test
    void readsAQueryAsItStands() {
        assertThat(parse("{`plan`: {`from`: {`sql`: `SELECT 1;`}}}").plan().from())
                .isEqualTo(new From.Sql(new PlanText("SELECT 1;", "/plan/from/sql")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{`dataset`: `a`, `sql`: `b`}"})
    void wantsExactlyOneSource(String from) {
        SpillwayException e = failure("{`plan`: {`from`: " + from + "}}");
        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PLAN);
        assertThat(e.context()).containsEntry("pointer", "/plan/from");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[] | /plan | an object | an array",
                "{`from`: `trips`} | /plan/from | an object | the string \"trips\"",
                "{`from`: {`dataset`: 1}} | /plan/from/dataset | a string | the number 1",
                "{`from`: {`dataset`: `t`}, `steps`: {}} | /plan/steps | an array | an object",
                "{`from`: {`dataset`: `t`}, `steps`: [null]} | /plan/steps/0 | an object | null",
                "{`from`: {`dataset`: `t`}, `steps`: [{`op`: true}]} | /plan/steps/0/op | a string"
                        + " | true",
                "{`from`: {`dataset`: `t`}, `steps`: [{`op`: `drop`, `columns`: [1]}]}"
                        + " | /plan/steps/0/columns/0 | a string | the number 1"
            })
    void saysWhatItFoundAndWhatItExpected(
            String plan, String pointer, String expected, String found) {
        SpillwayException e = failure("{`plan`: " + plan + "}");
        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PLAN);
        assertThat(e.context())
                .containsEntry("pointer", pointer)
                .containsEntry("expected", List.of(expected))
                .containsEntry("found", found);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1",
                "9223372036854775808",
                "1e3",
                "``",
                "` 5`",
                "`0x10`",
                "1.0",
                "5.5",
                "null",
                "true",
                "[]",
                "123456789012345678901234567890"
            })
    void takesOnly64BitIntegersAsRowCounts(String rows) {
        for (String op : List.of("limit", "offset")) {
            SpillwayException e = stepFailure("{`op`: `" + op + "`, `rows`: " + rows + "}");
            assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PLAN);
            assertThat(e.context())
                    .containsEntry("pointer", "/plan/steps/0/rows")
                    .containsEntry("expected", List.of("an integer from 0 to 9223372036854775807"));
        }
    }

    @Test
    void infersTheTypesOfValues() {
        From.Values values =
                values(
                        "{`columns`: [`i`, `f`, `s`, `b`], `rows`: [[1, 1, `x`, true], [null, 1.5,"
                                + " null, false]]}");
        assertThat(values.schema().columns().toString())
                .isEqualTo(
                        "[ColumnSchema[name=i, type=int64, nullable=true],"
                                + " ColumnSchema[name=f, type=float64, nullable=false],"
                                + " ColumnSchema[name=s, type=utf8, nullable=true],"
                                + " ColumnSchema[name=b, type=bool, nullable=false]]");
        assertThat(values.rows().get(0).stream().map(l -> l.value()))
                .containsExactly("1", "1.0", "x", "true");
        assertThat(values.rows().get(1).stream().map(l -> l.value()))
                .containsExactly(null, "1.5", null, "false");
    }

    @ParameterizedTest
    @CsvSource({
        "int8, -128, -128",
        "int64, `-9223372036854775808`, -9223372036854775808",
        "uint64, 18446744073709551615, 18446744073709551615",
        "float64, 1e3, 1000.0",
        "float64, `NaN`, NaN",
        "float32, 0.1, 0.1",
        "'decimal(38,18)', 0, 0.000000000000000000",
        "'decimal(10,2)', 25e2, 2500.00",
        "'decimal(10,2)', `-0.01`, -0.01",
        "'decimal(38,0)', 99999999999999999999999999999999999999,"
                + " 99999999999999999999999999999999999999",
        "date, `1969-12-31`, -1",
        "time(ms), `00:00:01.5`, 1500",
        "timestamp(us), `1970-01-01T00:00:01.000001`, 1000001",
        "'timestamp(ms,UTC)', `1970-01-01T01:00:00+01:00`, 0",
        "binary, `AP8=`, 00ff",
        "binary(2), `AP8=`, 00ff"
    })
    void readsValuesOfDeclaredTypes(String type, String value, String expected) {
        From.Values values =
                values(
                        "{`columns`: [{`name`: `x`, `type`: `"
                                + type
                                + "`}], `rows`: [["
                                + value
                                + "]]}");
        assertThat(values.schema().column(0).type()).isEqualTo(ColumnType.parse(type));
        assertThat(values.rows().getFirst().getFirst().value()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "int8, 128",
        "uint8, -1",
        "int64, 9223372036854775808",
        "int64, 1.0",
        "int32, true",
        "float64, 1e999",
        "float32, 1e39",
        "'decimal(10,2)', 0.001",
        "'decimal(3,2)', 10",
        "'decimal(38,0)', 1e99999",
        "date, `2024-02-30`",
        "date, `yesterday`",
        "timestamp(ms), `2024-01-01T00:00:00.0001`",
        "timestamp(ms), `2024-01-01T00:00:00Z`",
        "binary, `%`",
        "binary(3), `AP8=`",
        "utf8, 5"
    })
    void refusesValuesThatDoNotFitTheirType(String type, String value) {
        SpillwayException e =
                valuesFailure(
                        "{`columns`: [{`name`: `x`, `type`: `"
                                + type
                                + "`}], `rows`: [["
                                + value
                                + "]]}");
        assertThat(e.code()).isEqualTo(ErrorCode.TYPE_MISMATCH);
        assertThat(e.context())
                .containsEntry("pointer", "/plan/from/values/rows/0/0")
                .containsEntry("expected", List.of("a value of type " + type));
    }

    @Test
    void refusesValuesThatMakeNoTable() {
        assertThat(valuesFailure("{`columns`: [`a`], `rows`: [[1], [1, 2]]}").context())
                .containsEntry("pointer", "/plan/from/values/rows/1");
        assertThat(valuesFailure("{`columns`: [`a`], `rows`: [[1], [`x`]]}").context())
                .containsEntry("pointer", "/plan/from/values/rows/1/0");
        assertThat(valuesFailure("{`columns`: [`a`], `rows`: [[null]]}").code())
                .isEqualTo(ErrorCode.TYPE_MISMATCH);
        SpillwayException twice = valuesFailure("{`columns`: [`a`, `b`, `a`], `rows`: []}");
        assertThat(twice.code()).isEqualTo(ErrorCode.DUPLICATE_COLUMN);
        assertThat(twice.context())
                .containsEntry("pointer", "/plan/from/values/columns/2")
                .containsEntry("column", "a");
        SpillwayException type =
                valuesFailure("{`columns`: [{`name`: `a`, `type`: `int65`}], `rows`: []}");
        assertThat(type.context()).containsEntry("pointer", "/plan/from/values/columns/0/type");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "list<int32>",
                "struct<a int32>",
                "map<utf8,int32>",
                "decimal(a,b)",
                "decimal(39,0)",
                "float16"
            })
    void refusesTypesThatNoValueIsWrittenFor(String type) {
        SpillwayException e =
                valuesFailure(
                        "{`columns`: [{`name`: `a`, `type`: `" + type + "`}], `rows`: [[null]]}");
        assertThat(e.code()).isEqualTo(ErrorCode.TYPE_MISMATCH);
        assertThat(e).hasMessageContaining(type);
        assertThat(e.context()).containsEntry("pointer", "/plan/from/values/columns/0/type");
    }
}
