package io.spillway.scan.csv;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scan.text.TextScans;
import io.spillway.storage.FileStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** CSV files as they come: what their rows are, wherever they are cut. */
class CsvRowsTest {

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 64, 4 << 10, 64 << 10, 4 << 20})
    void quotedLinesStayWholeWhereverTheTextIsCut(int partition) {
        for (String end : List.of("\n", "\r\n", "\r\r\n")) {
            StringBuilder text = new StringBuilder("\uFEFF\"id\",txt,n").append(end);
            List<List<@Nullable String>> expected = new ArrayList<>();
            int rows = partition < 64 ? 200 : 10_000;
            for (int i = 0; i < rows; i++) {
                text.append(i).append(",\"line one\nline, two \"\"").append(i).append("\"\"\",");
                text.append(i % 7).append(i == rows - 1 ? "" : end);
                expected.add(
                        Arrays.asList("" + i, "line one\nline, two \"" + i + "\"", "" + i % 7));
            }
            try (TextScans scans = new TextScans(folder, CsvSyntax.DEFAULT, partition)) {
                FileStatus file = scans.write(text.toString());
                assertThat(scans.schema(file).names()).containsExactly("id", "txt", "n");
                assertThat(scans.schema(file).columns())
                        .extracting(c -> c.type().toString())
                        .containsExactly("int64", "utf8", "int64");
                assertThat(scans.rows(file, 1000)).isEqualTo(expected);
            }
        }
    }

    @Test
    void typesAreInferredAndNullIsNoEmptyText() {
        try (TextScans scans = new TextScans(folder, CsvSyntax.DEFAULT, 1 << 20)) {
            FileStatus file =
                    scans.write(
                            """
                            a,b,c,d,e,f,g
                            1,x,true,1.5,2024-02-29,2024-01-01 10:00:00,
                            2,"",false,-3e2,1969-12-31,1969-12-31T23:59:59.5,
                            """);
            assertThat(scans.schema(file).columns())
                    .extracting(c -> c.type().toString())
                    .containsExactly(
                            "int64", "utf8", "bool", "float64", "date", "timestamp(us)", "utf8");
            assertThat(scans.rows(file, 10))
                    .containsExactly(
                            Arrays.asList(
                                    "1", "x", "true", "1.5", "19782", "1704103200000000", null),
                            Arrays.asList("2", "", "false", "-300.0", "-1", "-500000", null));
        }
    }
}
