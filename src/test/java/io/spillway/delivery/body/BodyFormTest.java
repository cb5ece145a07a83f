package io.spillway.delivery.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.plan.document.BatchShape;
import io.spillway.plan.document.BodyFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a template may say, and what becomes of what it may not. */
class BodyFormTest {

    private static final RowSchema SCHEMA =
            new RowSchema(
                    List.of(
                            new ColumnSchema("id", new ColumnType.Int(64, true), false),
                            new ColumnSchema("text", new ColumnType.Utf8(), true),
                            new ColumnSchema("tokens", new ColumnType.Int(32, true), true)));

    private static final BatchShape EVEN = Bodies.rows(96);
    private static final BatchShape CAPPED = new BatchShape(96, 10_000L, null, false);

    private static BodyForm form(@Nullable String template, BodyFormat format, BatchShape shape) {
        return BodyForm.of(template == null ? null : Bodies.json(template), format, SCHEMA, shape);
    }

    private static SpillwayException refusal(
            @Nullable String template, BodyFormat format, BatchShape shape) {
        return catchThrowableOfType(SpillwayException.class, () -> form(template, format, shape));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{'$colum': 'text'}; INVALID_PLAN; /body/$colum; $column",
                "{'a': [1, {'$column': 'txt'}]}; UNKNOWN_COLUMN; /body/a/1/$column; text",
                "{'a~b/c': {'$column': 'Text'}}; UNKNOWN_COLUMN; /body/a~0b~1c/$column; text",
                "{'$column': 7}; INVALID_PLAN; /body/$column; ",
                "{'$rows': 'all'}; INVALID_PLAN; /body/$rows; ",
                "{'$rows': []}; INVALID_PLAN; /body/$rows; ",
                "{'$rows': ['id', 'tokens', 'id']}; DUPLICATE_COLUMN; /body/$rows/2; ",
                "{'$rows': ['id', 'token']}; UNKNOWN_COLUMN; /body/$rows/1; tokens",
                "{'r': {'$row': '*'}}; INVALID_PLAN; /body/r/$row; $rows",
                "{'n': {'$batch': 'row'}}; INVALID_PLAN; /body/n/$batch; rows",
                "{'n': {'$batch': {}}}; INVALID_PLAN; /body/n/$batch; ",
                "{'$rows': '*', 'x': 1}; INVALID_PLAN; /body/$rows; ",
                "{'$set': {'x': 1}}; INVALID_PLAN; /body/$set; ",
            })
    void whatCannotBeMeantIsRefused(
            String template, ErrorCode code, String pointer, @Nullable String suggestion) {
        SpillwayException refusal = refusal(template.replace('\'', '"'), BodyFormat.JSON, EVEN);
        assertThat(refusal.code()).isEqualTo(code);
        assertThat(refusal.context()).containsEntry(SpillwayException.POINTER, pointer);
        assertThat(refusal.context().get(SpillwayException.SUGGESTION)).isEqualTo(suggestion);
    }

    @Test
    void batchesWithCapsHaveNoNumber() {
        String template = "{\"n\": {\"$batch\": \"number\"}, \"r\": {\"$rows\": \"*\"}}";
        assertThat(form(template, BodyFormat.JSON, EVEN).usesLinks()).isFalse();
        assertThat(refusal(template, BodyFormat.JSON, CAPPED).context())
                .containsEntry(SpillwayException.POINTER, "/body/n/$batch")
                .containsEntry(SpillwayException.SUGGESTION, "firstRow");
    }

    @Test
    void onlyJsonHasTemplates() {
        assertThat(refusal("{\"$rows\": \"*\"}", BodyFormat.NDJSON, EVEN).context())
                .isEqualTo(Map.of(SpillwayException.POINTER, "/body"));
        assertThat(form(null, BodyFormat.NDJSON, EVEN).contentType())
                .isEqualTo("application/x-ndjson");
    }

    @Test
    void capsAreChecked() {
        BatchShape text = new BatchShape(1, null, new BatchShape.Weight("text", 7), false);
        assertThat(refusal(null, BodyFormat.JSON, text).code()).isEqualTo(ErrorCode.TYPE_MISMATCH);
        BatchShape other = new BatchShape(1, null, new BatchShape.Weight("token", 7), false);
        assertThat(refusal(null, BodyFormat.JSON, other).context())
                .containsEntry(SpillwayException.POINTER, "/batch/weight/column")
                .containsEntry(SpillwayException.SUGGESTION, "tokens");
        String around = "{\"model\": \"" + "m".repeat(10_000) + "\", \"r\": {\"$rows\": \"*\"}}";
        assertThat(refusal(around, BodyFormat.JSON, CAPPED).context())
                .containsEntry(SpillwayException.POINTER, "/batch/maxBytes");
        assertThat(refusal(null, BodyFormat.ARROW, CAPPED).code())
                .isEqualTo(ErrorCode.NOT_SUPPORTED);
        assertThat(refusal(null, BodyFormat.JSON, Bodies.rows(1L << 31)).context())
                .containsEntry(SpillwayException.POINTER, "/batch/rows");
    }

    @Test
    void onlyWhatIsNeededIsRead() {
        BatchShape shape = new BatchShape(5, null, new BatchShape.Weight("tokens", 7), false);
        BodyForm form = form("{\"input\": {\"$column\": \"id\"}}", BodyFormat.JSON, shape);
        assertThat(form.columns().of(SCHEMA).names()).containsExactly("id", "tokens");
        assertThat(
                        form("{\"link\": {\"$batch\": \"link\"}}", BodyFormat.JSON, EVEN)
                                .columns()
                                .size())
                .isZero();
        assertThat(form(null, BodyFormat.ARROW, EVEN).columns().size()).isEqualTo(3);
    }
}
