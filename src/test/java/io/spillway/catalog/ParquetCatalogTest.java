package io.spillway.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.ScanFile;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.parquet.ParquetFormat;
import io.spillway.storage.LocalFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The catalog over real Parquet files. */
@SuppressWarnings("NullAway.Init") // fields are set before each test
class ParquetCatalogTest {

    @TempDir private Path root;

    private Catalog catalog;

    @BeforeEach
    void open() {
        LocalFiles files = new LocalFiles();
        catalog =
                new ConfiguredCatalog(
                        Map.of("file", files),
                        List.of(new ParquetFormat(s -> files, 1 << 20, ScanMetrics.NONE)),
                        Map.of(),
                        List.of(root.toString()),
                        100);
    }

    private void write(String name, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "COPY (%s) TO '%s' (FORMAT parquet)".formatted(sql, root.resolve(name)));
        }
    }

    private Snapshot all() {
        return catalog.files("parquet", List.of(root.toString()), Map.of());
    }

    @Test
    void emptyFilesCountAsFilesAndKeepTheirColumns() throws SQLException {
        write("a.parquet", "SELECT 1::BIGINT AS k, 'x' AS v WHERE false");
        write("b.parquet", "SELECT 'y' AS v, range::BIGINT AS k FROM range(3)");
        Snapshot snapshot = all();
        assertThat(snapshot.schema().names()).containsExactly("k", "v");
        assertThat(snapshot.schema().column(0).type()).isEqualTo(new ColumnType.Int(64, true));
        assertThat(snapshot.files()).extracting(ScanFile::rows).containsExactly(0L, 3L);
    }

    @Test
    void helperFilesAreLeftOutAndTheFirstBadFileIsNamed() throws SQLException, IOException {
        write("good.parquet", "SELECT 1 AS id UNION ALL SELECT 2");
        byte[] good = Files.readAllBytes(root.resolve("good.parquet"));
        Files.writeString(root.resolve("_SUCCESS"), "");
        Files.writeString(root.resolve(".good.parquet.crc"), "x");
        Files.write(root.resolve(".hidden.parquet"), new byte[0]);
        assertThat(all().rows()).isEqualTo(2);

        Files.write(root.resolve("zero.parquet"), new byte[0]);
        assertFirstBad("zero.parquet");
        Files.write(root.resolve("cut.parquet"), Arrays.copyOf(good, good.length - 8));
        assertFirstBad("cut.parquet");
    }

    private void assertFirstBad(String name) {
        assertThatThrownBy(this::all)
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT);
                            assertThat(e.context().get("file")).asString().endsWith("/" + name);
                        });
    }
}
