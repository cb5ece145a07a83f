package io.spillway.scan.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.scan.ScanTask;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files in delta encodings give the rows of their twins in PLAIN, wherever batches begin and rows
 * are passed over.
 */
class DeltaFilesTest {

    private static final int ROWS = 10_000;
    private static final int PAGE_ROWS = 700;

    private static final String SCHEMA =
            """
            message m {
              required int64 id;
              optional int32 n;
              required binary s (STRING);
              optional binary b;
              required fixed_len_byte_array(6) f;
            }
            """;

    @TempDir Path folder;
    private final Scans scans = new Scans();
    private Path delta;
    private List<List<@Nullable String>> expected;

    @BeforeEach
    void write() throws IOException {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            List<@Nullable Object> row = new ArrayList<>();
            row.add((long) i);
            row.add(i % 5 == 0 ? null : i * i);
            row.add("shared-prefix-%06d".formatted(i));
            row.add(i % 3 == 0 ? null : new byte[i % 40]);
            row.add(new byte[] {'p', 'q', 'r', (byte) (i >> 8), (byte) i, 0});
            rows.add(row);
        }
        ParquetFile.Options options =
                ParquetFile.Options.DEFAULT.dictionary(false).pageRows(PAGE_ROWS);
        delta = folder.resolve("delta.parquet");
        ParquetFile.write(delta, SCHEMA, rows, options.version(WriterVersion.PARQUET_2_0));
        Path plain = folder.resolve("plain.parquet");
        ParquetFile.write(plain, SCHEMA, rows, options);
        expected = scans.all(plain, ROWS);
    }

    @AfterEach
    void close() {
        scans.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 1024})
    void everyBatchSize(int batchRows) {
        Values.assertSame(scans.all(delta, batchRows), expected);
    }

    @Test
    void everyNumberOfRowsPassedOver() {
        ScanTask task = scans.task(delta, 0);
        for (int from :
                new int[] {1, 2, 3, 31, 33, 127, 129, 699, 700, 701, 703, 1399, 5555, 9999}) {
            int to = Math.min(ROWS, from + 900);
            Values.assertSame(
                    scans.read(Scans.rows(task, from, to), 1024), expected.subList(from, to));
        }
    }

    @Test
    void oneRowOfEachPage() {
        ScanTask task = scans.task(delta, 0);
        for (int row = 13; row < ROWS; row += PAGE_ROWS) {
            Values.assertSame(
                    scans.read(Scans.rows(task, row, row + 1), 1), expected.subList(row, row + 1));
        }
    }

    /** A dictionary that is given up, in version 2 for delta encodings. */
    @Test
    void dictionariesGiveWayToDeltas() throws IOException {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        List<List<@Nullable String>> texts = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            int n = i < 900 ? i % 7 : i;
            rows.add(List.of("value-" + n, (long) n, n));
            texts.add(List.of("value-" + n, Integer.toString(n), Integer.toString(n)));
        }
        Path file = folder.resolve("turns.parquet");
        ParquetFile.write(
                file,
                "message m { required binary s (STRING); required int64 l; required int32 i; }",
                rows,
                ParquetFile.Options.DEFAULT
                        .version(WriterVersion.PARQUET_2_0)
                        .codec(CompressionCodecName.ZSTD)
                        .dictionaryBytes(2000)
                        .pageRows(200));

        List<Boolean> encoded = new ArrayList<>();
        try (BatchStream stream =
                scans.format.open(
                        Scans.columns(scans.task(file, 0), "s"), 128, scans.pool, scans.metrics)) {
            RecordBatch batch;
            while ((batch = Scans.next(stream)) != null) {
                encoded.add(batch.column(0) instanceof ColumnVector.Encoded);
                batch.close();
            }
        }
        assertThat(encoded).startsWith(true).endsWith(false);
        for (int batchRows : new int[] {1, 7, 128, 3000}) {
            Values.assertSame(scans.all(file, batchRows), texts);
        }
    }
}
