package io.spillway.delivery.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.delivery.capture.Refused.Reason;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found in responses, and what becomes of those that have something else. */
class CaptureFormTest {

    private static final RowSchema SCHEMA =
            new RowSchema(
                    List.of(
                            new ColumnSchema("id", new ColumnType.Int(64, true), false),
                            new ColumnSchema("text", new ColumnType.Utf8(), true)));

    private static CaptureForm form(String path, @Nullable String type) {
        return CaptureForm.of(
                List.of(new CaptureColumn("found", path, type)), List.of("id"), SCHEMA);
    }

    private static CaptureRead capture(
            String path, @Nullable String type, int rows, String response) {
        return form(path, type).capture(7, rows, response.getBytes(StandardCharsets.UTF_8), false);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "$.data[*].e; {\"x\":[[1]],\"data\":[{\"e\":[1.50,"
                        + " 2e0]},{\"i\":1,\"e\":[null,-0]}]}; [[1.50,2e0],[null,-0]]; list<float64>",
                "$[*]; [12345678901234567890123, 1.0]; [12345678901234567890123,1.0]; float64",
                "$[*]; [1, null]; [1,null]; int64",
                "$.*; {\"a\": \"\\u0001é\\\"\", \"b\": \"\"}; [\"\\u0001é\\\"\",\"\"]; utf8",
                "$['a b'].c_1[0][*]; {\"a b\":{\"c_1\":[[true,false],[true]]}}; [true,false]; bool",
                "$[\"it's\"][*].x; {\"it's\":[{\"x\":{\"y\":[]}},{\"x\":3}]}; [{\"y\":[]},3]; utf8",
                "$[*]; [[[1]],[[2]]]; [[[1]],[[2]]]; utf8",
                "$[*]; [[],[null]]; [[],[null]]; list<utf8>",
            })
    void valuesAreFoundAsTheyStand(String path, String response, String found, String type) {
        CaptureRead read = capture(path, null, 2, response);
        assertThat(read).as("%s", read).isInstanceOf(Captured.class);
        Captured.Found column = ((Captured) read).columns().getFirst();
        assertThat(new String(column.json().utf8(), StandardCharsets.UTF_8)).isEqualTo(found);
        assertThat(column.kind().type()).hasToString(type);
        assertThat(ValueKind.parse(column.kind().letters())).isEqualTo(column.kind());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "data",
                "$.",
                "$..e",
                "$[?(@.x)]",
                "$[-1]",
                "$[1:2]",
                "$[01]",
                "$.a b",
                "$['a'",
                "$[*",
                "$.data[*]e"
            })
    void otherPathsAreRefused(String path) {
        SpillwayException refusal =
                catchThrowableOfType(SpillwayException.class, () -> form(path, null));
        assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_PLAN);
        assertThat(refusal.context())
                .containsEntry(SpillwayException.POINTER, "/capture/columns/found")
                .containsKey(SpillwayException.POSITION);
    }

    @Test
    void responsesThatHaveSomethingElseAreRefused() {
        assertThat(reason(capture("$[*]", null, 3, "[1,2]"))).isEqualTo(Reason.LENGTH);
        assertThat(reason(capture("$[*]", null, 1, "[1,2]"))).isEqualTo(Reason.LENGTH);
        assertThat(reason(capture("$.data[*].e", null, 2, "{\"data\":\"no\"}")))
                .isEqualTo(Reason.LENGTH);
        assertThat(reason(capture("$.data[*].e", null, 1, "7"))).isEqualTo(Reason.LENGTH);
        assertThat(reason(capture("$[*]", "int64", 2, "[1,1.5]"))).isEqualTo(Reason.TYPE);
        assertThat(reason(capture("$[*]", "list<float32>", 2, "[[1],[\"x\"]]")))
                .isEqualTo(Reason.TYPE);
        assertThat(capture("$[*]", "float64", 2, "[1,null]")).isInstanceOf(Captured.class);
        assertThat(capture("$[*]", "list<float32>", 2, "[[1,2.5],null]"))
                .isInstanceOf(Captured.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "<html>",
                "[1,2",
                "[1,2]]",
                "{\"a\":1,}",
                "[1 2]",
                "[NaN]",
                "\"\\ud800",
                "nul"
            })
    void whatIsNotJsonIsRefused(String response) {
        assertThat(reason(capture("$[*]", null, 2, response))).isEqualTo(Reason.NOT_JSON);
        assertThat(reason(capture("$.a.b", null, 2, response))).isEqualTo(Reason.NOT_JSON);
    }

    @Test
    void hostileResponsesCostLittle() {
        String deep = "[".repeat(1 << 20);
        assertThat(reason(capture("$[*]", null, 1, deep))).isEqualTo(Reason.NOT_JSON);
        assertThat(reason(capture("$.x", null, 1, deep + "]".repeat(1 << 20))))
                .isEqualTo(Reason.NOT_JSON);
        String many = "[" + "[],".repeat(1 << 20) + "[]]";
        assertThat(reason(capture("$[*]", null, 96, many))).isEqualTo(Reason.LENGTH);
        String digits = "[" + "9".repeat(1 << 20) + "]";
        assertThat(reason(capture("$[*]", null, 1, digits))).isEqualTo(Reason.NOT_JSON);
        assertThat(reason(form("$[*]", null).capture(0, 1, new byte[] {'['}, true)))
                .isEqualTo(Reason.TOO_LARGE);
        byte[] latin = "[\"é\"]".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(reason(form("$[*]", null).capture(0, 1, latin, false)))
                .isEqualTo(Reason.NOT_JSON);
    }

    private static @Nullable Reason reason(CaptureRead read) {
        return read instanceof Refused refused ? refused.reason() : null;
    }

    @Test
    void whatCannotBeCapturedIsRefused() {
        CaptureColumn column = new CaptureColumn("e", "$[*]", null);
        assertThat(refusal(List.of(column), List.of("Id")).context())
                .containsEntry(SpillwayException.POINTER, "/capture/keys/0")
                .containsEntry(SpillwayException.SUGGESTION, "id");
        assertThat(refusal(List.of(column), List.of()).code()).isEqualTo(ErrorCode.INVALID_PLAN);
        assertThat(refusal(List.of(), List.of("id")).code()).isEqualTo(ErrorCode.INVALID_PLAN);
        assertThat(refusal(List.of(column), List.of("id", "id")).code())
                .isEqualTo(ErrorCode.DUPLICATE_COLUMN);
        assertThat(refusal(List.of(new CaptureColumn("id", "$[*]", null)), List.of("id")).code())
                .isEqualTo(ErrorCode.DUPLICATE_COLUMN);
        for (String type : List.of("date", "list<list<int64>>", "int32", "decimal(10,2)")) {
            assertThat(refusal(List.of(new CaptureColumn("e", "$[*]", type)), List.of("id")).code())
                    .isEqualTo(ErrorCode.NOT_SUPPORTED);
        }
    }

    private static SpillwayException refusal(List<CaptureColumn> columns, List<String> keys) {
        return catchThrowableOfType(
                SpillwayException.class, () -> CaptureForm.of(columns, keys, SCHEMA));
    }
}
