package io.spillway.scan.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.RowSchema;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.ScanTask;
import io.spillway.scan.parquet.Values;
import io.spillway.storage.FileStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Files and streams that pyarrow wrote, of every type, against the rows that it wrote. */
@SuppressWarnings("NullAway.Init") // the folder and the files are there before all tests
class PyArrowFilesTest {

    private static final JsonMapper MAPPER = new JsonMapper();

    @TempDir static Path folder;
    private static List<Path> files;

    @BeforeAll
    static void write() throws IOException, InterruptedException {
        files = PyArrowFiles.write(folder, "all");
        assertThat(files).hasSizeGreaterThan(20);
    }

    private static List<List<@Nullable String>> expected(Path file, List<String> names)
            throws IOException {
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of(file + ".rows"))) {
            List<@Nullable String> row = new ArrayList<>();
            for (JsonNode value : MAPPER.readTree(line)) {
                row.add(value.isNull() ? null : value.stringValue());
            }
            rows.add(row);
        }
        assertThat(rows.removeFirst()).isEqualTo(names);
        return rows;
    }

    @Test
    void everyRowIsReadInBatchesOfAnySize() throws IOException {
        for (Path file : files) {
            try (ArrowScans scans = new ArrowScans()) {
                FileStatus status = scans.status(file);
                RowSchema schema = scans.schema(status);
                List<List<@Nullable String>> rows = expected(file, schema.names());
                int[] sizes = rows.size() > 1000 ? new int[] {4096, 100_000} : new int[] {1, 7, 64};
                for (int size : sizes) {
                    try {
                        Values.assertSame(scans.rows(status, schema, size), rows);
                    } catch (RuntimeException | Error e) {
                        throw new AssertionError(file.getFileName() + " by " + size, e);
                    }
                }
            }
        }
    }

    @Test
    void anyRowsOfAnyColumnsAreRead() throws IOException {
        for (Path file : files) {
            try (ArrowScans scans = new ArrowScans()) {
                FileStatus status = scans.status(file);
                RowSchema schema = scans.schema(status);
                List<List<@Nullable String>> rows = expected(file, schema.names());
                for (int c = 0; c < schema.size(); c += 3) {
                    RowSchema columns =
                            new RowSchema(
                                    List.of(schema.column(c), schema.column(c / 2)).stream()
                                            .distinct()
                                            .toList());
                    check(scans, status, columns, schema, rows);
                }
                check(scans, status, new RowSchema(List.of()), schema, rows);
            }
        }
    }

    private static void check(
            ArrowScans scans,
            FileStatus file,
            RowSchema columns,
            RowSchema schema,
            List<List<@Nullable String>> rows) {
        int first = 0;
        for (ScanTask task : scans.tasks(file, columns)) {
            int count = (int) task.rows();
            for (int from : new int[] {0, 1, 13, count / 2, count - 1, count}) {
                int at = Math.clamp(from, 0, count);
                int to = Math.min(count, at + 130);
                List<List<@Nullable String>> wanted = new ArrayList<>();
                for (List<@Nullable String> row : rows.subList(first + at, first + to)) {
                    List<@Nullable String> some = new ArrayList<>();
                    columns.names().forEach(name -> some.add(row.get(schema.indexOf(name))));
                    wanted.add(some);
                }
                Values.assertSame(scans.read(task.between(at, to), 50), wanted);
            }
            first += count;
        }
        assertThat(first).isEqualTo(rows.size());
    }

    @Test
    void whatCannotBeReadIsTold() {
        for (String form : List.of("file", "stream")) {
            try (ArrowScans scans = new ArrowScans()) {
                FileMetadata metadata =
                        scans.format.metadata(scans.status(folder.resolve("unreadable." + form)));
                assertThat(metadata.schema().names()).containsExactly("last");
                assertThat(metadata.unreadable())
                        .extracting(FileMetadata.UnreadableColumn::toString)
                        .containsExactly(
                                unreadable("duration", "Duration"),
                                unreadable("interval", "Interval"),
                                unreadable("sparse", "Union"),
                                unreadable("dense", "Union"),
                                unreadable("runs", "RunEndEncoded"),
                                unreadable("listView", "ListView"),
                                "UnreadableColumn[name=inner, reason=its field 'd' cannot be read:"
                                        + " its type, Duration, is not supported]");
            }
        }
    }

    private static String unreadable(String name, String type) {
        return "UnreadableColumn[name=%s, reason=its type, %s, is not supported]"
                .formatted(name, type);
    }
}
