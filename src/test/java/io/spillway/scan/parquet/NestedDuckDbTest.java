package io.spillway.scan.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.ScanTask;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nested columns that DuckDB writes give the rows that DuckDB says are in them. */
class NestedDuckDbTest {

    /** Lists, structs and maps with nulls, empty ones and long ones among them. */
    private static final String NESTED =
            """
            SELECT i AS id,
                   CASE WHEN i % 7 = 0 THEN NULL
                        ELSE list_transform(range(i % 5), lambda x: CASE WHEN x = 3 THEN NULL ELSE x * i END)
                   END AS numbers,
                   list_transform(range(i % 4), lambda x: 'text ' || (x * i % 50)) AS texts,
                   CASE WHEN i % 5 = 0 THEN NULL
                        ELSE {'a': i::INTEGER, 'b': CASE WHEN i % 3 = 0 THEN NULL ELSE 'b' || i END,
                              'c': {'d': i / 8.0::DOUBLE, 'e': i % 2 = 0}}
                   END AS fields,
                   list_transform(range(i % 3), lambda x: list_transform(range(x + i % 4),
                        lambda y: {'p': x + y, 'q': [y::VARCHAR, NULL]})) AS deep,
                   CASE WHEN i % 9 = 0 THEN NULL
                        WHEN i % 9 = 1 THEN MAP {}
                        ELSE MAP {'k' || i: i, 'other': NULL} END AS pairs,
                   MAP {i: [i, NULL], -i - 1: NULL} AS lists,
                   CASE WHEN i % 1000 = 500 THEN range(3000) ELSE [] END AS uneven
            FROM range(10000) t(i)
            """;

    @TempDir Path folder;
    private final Scans scans = new Scans();
    private DuckDb duckDb;

    @BeforeEach
    void open() throws SQLException {
        duckDb = new DuckDb();
    }

    @AfterEach
    void close() throws SQLException {
        duckDb.close();
        scans.close();
    }

    private RowSchema schema(Path file) {
        return scans.format.metadata(scans.status(file)).schema();
    }

    @ParameterizedTest
    @CsvSource({"v1,snappy,3000", "v2,zstd,100000", "v1,uncompressed,100000", "v2,gzip,2048"})
    void nestedColumns(String version, String codec, int rowGroup) throws SQLException {
        Path file = folder.resolve("nested.parquet");
        duckDb.write(
                NESTED,
                file,
                "PARQUET_VERSION %s, COMPRESSION %s, ROW_GROUP_SIZE %d"
                        .formatted(version, codec, rowGroup));
        String read = "FROM '" + file + "'";
        List<List<@Nullable String>> expected = duckDb.rows(read, schema(file));

        Values.assertSame(scans.all(file, 1000), expected);
        ScanTask task = scans.task(file, 0);
        for (long from : new long[] {1, 777, 1999}) {
            Values.assertSame(
                    scans.read(Scans.rows(task, from, from + 40), 7),
                    expected.subList((int) from, (int) from + 40));
        }
        ScanTask some = Scans.columns(task, "deep", "id");
        assertThat(scans.read(Scans.rows(some, 1500, 1501), 7).getFirst())
                .containsExactly(expected.get(1500).get(4), "1500");
    }

    @Test
    void nullEmptyAndNullWithin() throws SQLException {
        Path file = folder.resolve("odd.parquet");
        duckDb.write(
                """
                SELECT * FROM (VALUES
                    (1, [{'y': 5}], MAP {'k': 1}, {'y': 1}),
                    (2, [], MAP {}, {'y': NULL}),
                    (3, NULL, NULL, NULL),
                    (4, [NULL], MAP {'k': NULL}, {'y': 2}),
                    (5, [{'y': NULL}], MAP {'k': 2, 'l': 3}, NULL),
                    (6, [NULL, {'y': 6}], MAP {}, {'y': NULL})) t(id, list, map, struct)
                """,
                file,
                "COMPRESSION zstd");

        assertThat(schema(file).columns())
                .extracting(ColumnSchema::type)
                .extracting(Object::toString)
                .containsExactly(
                        "int32", "list<struct<y int32>>", "map<utf8,int32>", "struct<y int32>");
        for (int batchRows : new int[] {1, 4, 6}) {
            assertThat(scans.all(file, batchRows))
                    .isEqualTo(
                            List.of(
                                    List.of("1", "[{\"y\": 5}]", "<\"k\": 1>", "{\"y\": 1}"),
                                    List.of("2", "[]", "<>", "{\"y\": null}"),
                                    listOf("3", null, null, null),
                                    List.of("4", "[null]", "<\"k\": null>", "{\"y\": 2}"),
                                    listOf("5", "[{\"y\": null}]", "<\"k\": 2, \"l\": 3>", null),
                                    List.of("6", "[null, {\"y\": 6}]", "<>", "{\"y\": null}")));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 512, 4096})
    void aStreamHoldsNoMoreThanWasEstimated(int batchRows) throws SQLException {
        Path file = folder.resolve("nested.parquet");
        duckDb.write(NESTED, file, "COMPRESSION zstd, ROW_GROUP_SIZE 10000");
        ScanTask task = scans.task(file, 0);
        long estimate = scans.format.estimateBytes(task, batchRows);
        scans.read(task, batchRows);

        assertThat(scans.pool.peak()).isLessThanOrEqualTo(estimate);
    }

    @Test
    void aPoolThatIsTooSmallIsATypedErrorAndLeaksNothing() throws SQLException {
        Path file = folder.resolve("nested.parquet");
        duckDb.write(NESTED + " LIMIT 2000", file, "COMPRESSION zstd");
        ScanTask task = scans.task(file, 0);
        int whole = 0;
        for (long limit = 0; limit < 4_000_000; limit += 200_000) {
            MemoryPool pool = scans.pool.child("small", limit);
            try (BatchStream stream = scans.format.open(task, 500, pool, scans.metrics)) {
                long rows = 0;
                while (rows < task.rows()) {
                    try (RecordBatch batch = Scans.next(stream)) {
                        assertThat(batch).isNotNull();
                        rows += batch == null ? 0 : batch.rowCount();
                    }
                }
                whole++;
            } catch (SpillwayException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT);
            }
            Scans.closeOnceFree(pool);
        }
        assertThat(whole).isBetween(1, 19);
    }

    private static List<@Nullable String> listOf(@Nullable String... values) {
        return Arrays.asList(values);
    }
}
