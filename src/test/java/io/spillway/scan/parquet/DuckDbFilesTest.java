package io.spillway.scan.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.RowSchema;
import io.spillway.scan.ScanTask;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that DuckDB writes give the rows that DuckDB says are in them. */
class DuckDbFilesTest {

    /** A column of each type, with nulls at different places. */
    private static final String TYPES =
            """
            SELECT (i % 200 - 100)::TINYINT AS i8, (i * 7 % 30000)::SMALLINT AS i16, i::INTEGER * 100003 AS i32,
                   i::BIGINT * 1000000007 AS i64,
                   (i % 256)::UTINYINT AS u8, (60000 + i % 5000)::USMALLINT AS u16,
                   (4294967295 - i)::UINTEGER AS u32, (18446744073709551615 - i)::UBIGINT AS u64,
                   i % 3 = 0 AS flag, CASE WHEN i % 5 = 0 THEN NULL ELSE i % 2 = 0 END AS flag_null,
                   (i / 3.0)::FLOAT AS f32, i / 7.0::DOUBLE AS f64,
                   CASE WHEN i % 11 = 0 THEN 'NaN' WHEN i % 11 = 1 THEN '-Infinity'
                        WHEN i % 11 = 2 THEN '-0.0' ELSE i::VARCHAR END::DOUBLE AS odd,
                   (i % 99)::DECIMAL(4,2) AS d4, (i - 50)::DECIMAL(9,3) AS d9,
                   ((i - 50) * 123456789)::DECIMAL(18,4) AS d18,
                   ((i - 50) * 170141183460469231::HUGEINT)::DECIMAL(38,10) AS d38,
                   'text ' || i AS s, CASE WHEN i % 4 = 0 THEN NULL ELSE repeat('é', i % 40) END AS s_null,
                   ('a' || i % 5) AS few, encode('b' || i) AS bin,
                   DATE '1969-12-01' + i::INTEGER AS day, TIME '00:00:00' + INTERVAL (i) MINUTE AS tm,
                   TIMESTAMP '2024-02-29 23:59:59.123456' + INTERVAL (i) HOUR AS ts,
                   (TIMESTAMP '1960-02-29 23:59:59.5' + INTERVAL (i) HOUR)::TIMESTAMP_MS AS ts_ms,
                   (TIMESTAMP '2024-02-29 23:59:59.5' + INTERVAL (i) HOUR)::TIMESTAMP_NS AS ts_ns,
                   TIMESTAMPTZ '2024-02-29 23:59:59+00' + INTERVAL (i) HOUR AS ts_utc,
                   NULL::INTEGER AS none, CASE WHEN i = 77 THEN 'only' END AS one
            FROM numbers
            """;

    /** The same rows in the form that {@link Values} gives them. */
    private static final String TEXTS =
            """
            SELECT i8, i16, i32, i64, u8, u16, u32, u64, flag, flag_null, f32, f64, odd,
                   d4, d9, d18, d38, s, s_null, few, lower(hex(bin)), (day - DATE '1970-01-01'),
                   epoch_us(tm), epoch_us(ts), epoch_ms(ts_ms), epoch_ns(ts_ns), epoch_us(ts_utc),
                   none, one
            FROM types
            """;

    @TempDir Path folder;
    private final Scans scans = new Scans();
    private DuckDb duckDb;

    @BeforeEach
    void connect() throws SQLException {
        duckDb = new DuckDb();
    }

    @AfterEach
    void close() throws SQLException {
        duckDb.close();
        scans.close();
    }

    private Path types(int rows, String options) throws SQLException {
        Path file = folder.resolve("types.parquet");
        duckDb.run("CREATE OR REPLACE VIEW numbers AS SELECT i FROM range(" + rows + ") t(i)");
        duckDb.write(TYPES, file, options);
        return file;
    }

    private List<List<@Nullable String>> expected(Path file) throws SQLException {
        duckDb.run("CREATE OR REPLACE VIEW types AS FROM '" + file + "'");
        return duckDb.rows(TEXTS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"uncompressed", "snappy", "zstd", "gzip", "lz4_raw"})
    void everyTypeInEveryCodec(String codec) throws SQLException {
        Path file = types(5000, "COMPRESSION " + codec + ", ROW_GROUP_SIZE 2048");

        Values.assertSame(scans.all(file, 1024), expected(file));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 1024, 4096})
    void everyBatchSize(int batchRows) throws SQLException {
        Path file = types(3000, "COMPRESSION zstd, ROW_GROUP_SIZE 2048");

        Values.assertSame(scans.all(file, batchRows), expected(file));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 63, 64, 65})
    void fewRows(int rows) throws SQLException {
        Path file = types(rows, "COMPRESSION snappy");

        Values.assertSame(scans.all(file, 64), expected(file));
    }

    @Test
    void everyWindowOfRows() throws SQLException {
        Path file = types(70, "COMPRESSION zstd");
        List<List<@Nullable String>> all = expected(file);
        ScanTask task = scans.task(file, 0);

        for (int from = 0; from <= 70; from++) {
            for (int to = from; to <= 70; to++) {
                Values.assertSame(
                        scans.read(Scans.rows(task, from, to), 13), all.subList(from, to));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "i8, int8",
        "i16, int16",
        "i32, int32",
        "i64, int64",
        "u8, uint8",
        "u16, uint16",
        "u32, uint32",
        "u64, uint64",
        "flag, bool",
        "f32, float32",
        "f64, float64",
        "s, utf8",
        "bin, binary",
        "day, date",
        "tm, time(us)",
        "ts, timestamp(us)",
        "ts_ms, timestamp(ms)",
        "ts_ns, timestamp(ns)",
        "'ts_utc', 'timestamp(us,UTC)'",
        "d9, 'decimal(9,3)'",
        "d18, 'decimal(18,4)'",
        "d38, 'decimal(38,10)'"
    })
    void types(String column, String type) throws SQLException {
        Path file = types(10, "COMPRESSION zstd");
        ColumnSchema schema =
                scans.format.metadata(scans.status(file)).schema().columns().stream()
                        .filter(c -> c.name().equals(column))
                        .findFirst()
                        .orElseThrow();

        assertThat(schema.type()).hasToString(type);
    }

    @Test
    void columnsInAnotherOrderAndNoColumns() throws SQLException {
        Path file = types(100, "COMPRESSION zstd");
        ScanTask task = scans.task(file, 0);

        assertThat(scans.read(Scans.columns(task, "s", "i8"), 40))
                .isEqualTo(duckDb.rows("SELECT s, i8 FROM '" + file + "'"));
        assertThat(scans.read(Scans.columns(task), 40)).hasSize(100).containsOnly(List.of());
    }

    @Test
    void uuidsAndNestedColumns() throws SQLException {
        Path file = folder.resolve("odd.parquet");
        duckDb.write(
                "SELECT i, uuid() AS u, [i] AS list, {'a': i} AS struct, MAP {i: i} AS map"
                        + " FROM range(50) t(i)",
                file,
                "COMPRESSION zstd");

        RowSchema schema = scans.task(file, 0).columns();
        assertThat(schema.columns())
                .extracting(c -> c.type().toString())
                .containsExactly(
                        "int64",
                        "binary(16)",
                        "list<int64>",
                        "struct<a int64>",
                        "map<int64,int64>");
        Values.assertSame(scans.all(file, 16), duckDb.rows("FROM '" + file + "'", schema));
    }

    @Test
    void longTexts() throws SQLException {
        Path file = folder.resolve("long.parquet");
        duckDb.write(
                "SELECT i, repeat(chr((97 + i % 26)::INTEGER), (i * 1000)::INTEGER) AS s"
                        + " FROM range(300) t(i)",
                file, "COMPRESSION zstd");

        Values.assertSame(scans.all(file, 64), duckDb.rows("FROM '" + file + "'"));
    }

    @Test
    void pagesLargerThanAWindow() throws SQLException {
        Path file = folder.resolve("large.parquet");
        duckDb.write(
                "SELECT hash(i) AS h, md5(i::VARCHAR) AS s FROM range(400000) t(i)",
                file,
                "COMPRESSION uncompressed, ROW_GROUP_SIZE 300000");
        ScanTask task = scans.task(file, 0);

        Values.assertSame(
                scans.read(task, 4096), duckDb.rows("FROM '" + file + "' LIMIT " + task.rows()));
        Values.assertSame(
                scans.read(Scans.rows(task, 299_000, 299_010), 4096),
                duckDb.rows("FROM '" + file + "' LIMIT 10 OFFSET 299000"));
    }
}
