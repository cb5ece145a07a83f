package io.spillway.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.expression.Function;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.plan.physical.PhysicalPlans;
import io.spillway.storage.FileStatus;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How wanted columns come out of a file's own ones. */
class FileColumnsTest {

    private static final ColumnType INT = new ColumnType.Int(32, true);
    private static final ColumnType LONG = new ColumnType.Int(64, true);
    private static final ColumnType TEXT = new ColumnType.Utf8();
    private static final ColumnType BOOL = new ColumnType.Bool();
    private static final FileStatus STATUS = new FileStatus("file:///a", 10, 20, "30");

    private static final RowSchema WANTED =
            new RowSchema(
                    List.of(
                            new ColumnSchema("year", INT, true),
                            new ColumnSchema("name", TEXT, false),
                            new ColumnSchema("gone", TEXT, true),
                            new ColumnSchema("id", LONG, true)));

    private static ScanFile file() {
        Map<String, @Nullable String> constants = new HashMap<>();
        constants.put("year", "2024");
        constants.put("gone", null);
        constants.put("unasked", null);
        return new ScanFile(STATUS, List.of(1L), Map.of("id", INT, "other", INT), constants);
    }

    @Test
    void aFileLikeTheOthersIsReadAsItIs() {
        FileColumns columns = FileColumns.of(new ScanFile(STATUS, List.of(1L)), WANTED);
        assertThat(columns.isIdentity()).isTrue();
        assertThat(columns.inner()).isEqualTo(WANTED);
        Expression id = new Expression.Column(3, LONG);
        assertThat(columns.translate(id)).isEqualTo(id);
    }

    @Test
    void narrowerColumnsAreCastAndOthersAreConstants() {
        FileColumns columns = FileColumns.of(file(), WANTED);
        assertThat(columns.isIdentity()).isFalse();
        assertThat(columns.inner().columns())
                .containsExactly(
                        new ColumnSchema("name", TEXT, false), new ColumnSchema("id", INT, true));
        assertThat(columns.expressions())
                .containsExactly(
                        new Expression.Literal(INT, "2024"),
                        new Expression.Column(0, TEXT),
                        new Expression.Literal(TEXT, null),
                        new Expression.Cast(new Expression.Column(1, INT), LONG, false));
    }

    @Test
    void noColumnsAtAllNeedNothing() {
        FileColumns columns = FileColumns.of(file(), new RowSchema(List.of()));
        assertThat(columns.isIdentity()).isTrue();
        assertThat(columns.inner().size()).isZero();
    }

    @Test
    void onlyConstantsAskTheFileForNoColumn() {
        FileColumns columns =
                FileColumns.of(file(), new RowSchema(List.of(new ColumnSchema("year", INT, true))));
        assertThat(columns.isIdentity()).isFalse();
        assertThat(columns.inner().size()).isZero();
    }

    @Test
    void conditionsAreMovedToTheFilesColumns() {
        Expression five = new Expression.Literal(LONG, "5");
        Expression.Literal year = new Expression.Literal(INT, "2023");
        Expression wanted =
                new Expression.Call(
                        Function.AND,
                        List.of(
                                new Expression.Call(
                                        Function.EQUAL,
                                        List.of(new Expression.Column(3, LONG), five),
                                        BOOL),
                                new Expression.Case(
                                        List.of(
                                                new Expression.Branch(
                                                        new Expression.In(
                                                                new Expression.Column(0, INT),
                                                                List.of(year)),
                                                        new Expression.Cast(
                                                                new Expression.Column(2, TEXT),
                                                                BOOL,
                                                                true))),
                                        new Expression.Call(
                                                Function.IS_NULL,
                                                List.of(new Expression.Column(1, TEXT)),
                                                BOOL),
                                        BOOL)),
                        BOOL);
        assertThat(FileColumns.of(file(), WANTED).translate(wanted))
                .isEqualTo(
                        new Expression.Call(
                                Function.AND,
                                List.of(
                                        new Expression.Call(
                                                Function.EQUAL,
                                                List.of(
                                                        new Expression.Cast(
                                                                new Expression.Column(1, INT),
                                                                LONG,
                                                                false),
                                                        five),
                                                BOOL),
                                        new Expression.Case(
                                                List.of(
                                                        new Expression.Branch(
                                                                new Expression.In(
                                                                        new Expression.Literal(
                                                                                INT, "2024"),
                                                                        List.of(year)),
                                                                new Expression.Cast(
                                                                        new Expression.Literal(
                                                                                TEXT, null),
                                                                        BOOL,
                                                                        true))),
                                                new Expression.Call(
                                                        Function.IS_NULL,
                                                        List.of(new Expression.Column(0, TEXT)),
                                                        BOOL),
                                                BOOL)),
                                BOOL));
    }

    @Test
    void filesAreStoredWithNothingButWhatDiffers() {
        PhysicalPlan plan =
                new PhysicalPlan.Scan(
                        "parquet",
                        Map.of("verifyChecksums", "false"),
                        List.of(file(), new ScanFile(STATUS, List.of(2L))),
                        WANTED,
                        null,
                        List.of(new SkippedFile("file:///b", "it is empty")));
        String json = PhysicalPlans.toJson(plan);
        assertThat(PhysicalPlans.fromJson(json)).isEqualTo(plan);
        assertThat(json).contains("\"types\":{", "\"gone\":null", "\"year\":\"2024\"");
        String plain =
                PhysicalPlans.toJson(
                        new PhysicalPlan.Scan(
                                "parquet",
                                Collections.nCopies(2, new ScanFile(STATUS, List.of(2L))),
                                WANTED));
        assertThat(plain).doesNotContain("types", "constants", "skipped", "null,");
    }
}
