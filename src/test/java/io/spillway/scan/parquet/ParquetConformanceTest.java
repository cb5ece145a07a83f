package io.spillway.scan.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.spillway.batch.RowSchema;
import io.spillway.error.SpillwayException;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.ScanTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every file of the format's own suite gives the right rows or the right failure. What is right,
 * {@link ConformanceTable} says; the page that people read is made from it.
 */
@SuppressWarnings("NullAway.Init") // DuckDB is connected before all tests
class ParquetConformanceTest {

    private static final Path SUITE = Path.of("src/test/resources/parquet-testing");
    private static final Path PAGE = Path.of("docs/parquet-conformance.md");
    private static final int[] BATCH_ROWS = {1, 7, 4096};

    private static DuckDb duckDb;

    private final Scans scans = new Scans();

    @BeforeAll
    static void connect() throws SQLException {
        duckDb = new DuckDb();
    }

    @AfterAll
    static void disconnect() throws SQLException {
        duckDb.close();
    }

    @AfterEach
    void close() {
        scans.close();
    }

    static List<ConformanceCase> cases() {
        return ConformanceTable.cases();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void answersAsTheFormatAsks(ConformanceCase c) throws IOException, SQLException {
        Path file = SUITE.resolve(c.file());
        switch (c.expectation()) {
            case Expectation.LikeDuckDb(int rows) ->
                    reads(file, rows, duckDb.rows("FROM '" + file + "'", schema(file)));
            case Expectation.LikeFile(int rows, String other) ->
                    reads(file, rows, scans.all(SUITE.resolve(other), 1000));
            case Expectation.LikeCsv(int rows) -> reads(file, rows, Csv.rows(beside(file)));
            case Expectation.LikeTwins(int rows, String first, String second) ->
                    readsTwins(file, rows, first, second);
            case Expectation.Exactly(var rows) -> reads(file, rows.size(), nulls(rows));
            case Expectation.Partly partly -> readsPartly(file, partly);
            case Expectation.Fails fails -> fails(file, fails);
        }
    }

    @Test
    void everyFileOfTheSuiteHasItsCase() throws IOException {
        try (Stream<Path> files = Files.walk(SUITE)) {
            assertThat(cases())
                    .extracting(ConformanceCase::file)
                    .containsExactlyInAnyOrderElementsOf(
                            files.map(f -> SUITE.relativize(f).toString())
                                    .filter(f -> f.endsWith(".parquet") || f.endsWith(".encrypted"))
                                    .toList());
        }
    }

    @Test
    void thePageSaysWhatTheTableSays() throws IOException {
        String page = ConformanceDocument.render(cases());
        if (Boolean.getBoolean("conformance.write")) {
            Files.createDirectories(Objects.requireNonNull(PAGE.getParent()));
            Files.writeString(PAGE, page);
        }
        assertThat(PAGE)
                .as(
                        "written anew by mvn test -Dtest=ParquetConformanceTest"
                                + " -Dconformance.write=true")
                .hasContent(page);
    }

    private RowSchema schema(Path file) {
        return scans.format.metadata(scans.status(file)).schema();
    }

    /** The text file of expected values. */
    private static Path beside(Path file) {
        String name = file.getFileName().toString();
        return file.resolveSibling(name.replace(".parquet", "_expect.csv"));
    }

    private static List<List<@Nullable String>> nulls(List<List<String>> rows) {
        List<List<@Nullable String>> withNulls = new ArrayList<>();
        for (List<String> row : rows) {
            List<@Nullable String> values = new ArrayList<>();
            row.forEach(v -> values.add(v.equals("null") ? null : v));
            withNulls.add(values);
        }
        return withNulls;
    }

    /** All columns can be read, and whatever the batches, the rows are the expected ones. */
    private void reads(Path file, int rows, List<List<@Nullable String>> expected) {
        FileMetadata metadata = scans.format.metadata(scans.status(file));
        assertThat(metadata.unreadable()).isEmpty();
        assertThat(metadata.partitionRows().stream().mapToLong(r -> r).sum()).isEqualTo(rows);
        assertThat(expected).hasSize(rows);
        for (int batchRows : BATCH_ROWS) {
            Values.assertSame(scans.all(file, batchRows), expected);
        }
        int before = 0;
        for (int p = 0; p < metadata.partitionRows().size(); p++) {
            ScanTask task = scans.task(file, p);
            readsFromTheMiddle(task, expected.subList(before, before + (int) task.rows()));
            before += (int) task.rows();
        }
    }

    private void readsFromTheMiddle(ScanTask task, List<List<@Nullable String>> expected) {
        int rows = expected.size();
        for (int from : new int[] {Math.min(1, rows), rows / 3, rows - rows / 4}) {
            int to = Math.min(rows, from + 3 + rows / 5);
            Values.assertSame(
                    scans.read(Scans.rows(task, from, to), 64), expected.subList(from, to));
        }
    }

    private void readsTwins(Path file, int rows, String first, String second) {
        ScanTask task = scans.task(file, 0);
        List<String> names = task.columns().names();
        String[] firsts = names.stream().filter(n -> n.endsWith(first)).toArray(String[]::new);
        String[] seconds = names.stream().filter(n -> n.endsWith(second)).toArray(String[]::new);
        assertThat(firsts).hasSize(names.size() / 2).hasSameSizeAs(seconds);
        reads(file, rows, scans.all(file, 1000));
        Values.assertSame(
                scans.read(Scans.columns(task, seconds), 64),
                scans.read(Scans.columns(task, firsts), 64));
    }

    private void readsPartly(Path file, Expectation.Partly partly) {
        FileMetadata metadata = scans.format.metadata(scans.status(file));
        assertThat(metadata.unreadable())
                .allSatisfy(u -> assertThat(u.reason()).contains("encrypted"))
                .extracting(FileMetadata.UnreadableColumn::name)
                .containsExactlyElementsOf(partly.encrypted());
        ScanTask task = Scans.columns(scans.task(file, 0), partly.columns().toArray(String[]::new));
        for (int batchRows : BATCH_ROWS) {
            Values.assertSame(scans.read(task, batchRows), nulls(partly.rows()));
        }
    }

    /** The failure comes before any row, from whatever is asked first. */
    private void fails(Path file, Expectation.Fails expected) {
        for (int batchRows : BATCH_ROWS) {
            List<List<@Nullable String>> rows = new ArrayList<>();
            SpillwayException failure =
                    catchThrowableOfType(
                            SpillwayException.class, () -> scans.appendAll(file, batchRows, rows));
            assertThat(failure).as("read %s", rows).isNotNull();
            assertThat(failure.code()).isEqualTo(expected.code());
            assertThat(failure).hasMessageContaining(expected.saying());
            assertThat(failure.context())
                    .containsEntry(SpillwayException.FILE, scans.status(file).uri());
            assertThat(rows).isEmpty();
        }
    }
}
