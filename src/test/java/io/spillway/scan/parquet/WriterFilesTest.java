package io.spillway.scan.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.scan.ScanTask;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that parquet-java writes give the values that were written. */
class WriterFilesTest {

    private static final String SCHEMA =
            """
            message m {
              required int32 i (INTEGER(32,true));
              optional int32 i_null;
              required int64 l;
              optional boolean b;
              required double d;
              optional float f;
              optional binary s (STRING);
              required binary few (STRING);
              optional fixed_len_byte_array(5) fixed;
              optional binary dec_bytes (DECIMAL(20,2));
              optional fixed_len_byte_array(9) dec_fixed (DECIMAL(20,2));
              optional float none;
            }
            """;

    @TempDir Path folder;
    private final Scans scans = new Scans();

    @AfterEach
    void close() {
        scans.close();
    }

    private static List<@Nullable Object> row(int i) {
        List<@Nullable Object> row = new ArrayList<>();
        row.add(i);
        row.add(i % 3 == 0 ? null : i * 11);
        row.add(i * 1_000_000_007L);
        row.add(i % 7 == 0 ? null : i % 2 == 0);
        row.add(i / 3.0);
        row.add(i % 5 == 1 ? null : i / 2f);
        row.add(i % 10 < 2 ? null : i % 10 == 3 ? "" : "text-" + i);
        row.add("v" + i % 4);
        row.add(
                i % 6 == 0
                        ? null
                        : ("f" + (10_000 + i % 50))
                                .substring(0, 5)
                                .getBytes(StandardCharsets.US_ASCII));
        row.add(i % 4 == 0 ? null : BigInteger.valueOf(i - 100).toByteArray());
        row.add(i % 4 == 1 ? null : wide(i));
        row.add(null);
        return row;
    }

    private static List<@Nullable Object> fewThenMany(int i) {
        return Collections.singletonList(i % 9 == 0 ? null : (long) (i < 500 ? i % 10 : i * 7));
    }

    private static byte[] wide(int i) {
        byte[] bytes = new byte[9];
        for (int b = 8, v = 1000 - i * 7; b >= 0; b--, v >>= 8) {
            bytes[b] = (byte) v;
        }
        return bytes;
    }

    private static List<@Nullable String> text(int i) {
        List<@Nullable String> texts = new ArrayList<>();
        List<@Nullable Object> row = row(i);
        for (int c = 0; c < row.size(); c++) {
            Object v = row.get(c);
            boolean decimal = c >= 9;
            texts.add(
                    switch (v) {
                        case null -> null;
                        case byte[] b when decimal ->
                                new BigDecimal(new BigInteger(b), 2).toPlainString();
                        case byte[] b -> HexFormat.of().formatHex(b);
                        default -> v.toString();
                    });
        }
        return texts;
    }

    private static <T> List<T> rows(int from, int to, IntFunction<T> row) {
        List<T> rows = new ArrayList<>();
        for (int i = from; i < to; i++) {
            rows.add(row.apply(i));
        }
        return rows;
    }

    private Path write(int count, ParquetFile.Options options) throws IOException {
        Path file = folder.resolve("file.parquet");
        ParquetFile.write(file, SCHEMA, rows(0, count, WriterFilesTest::row), options);
        return file;
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionCodecName.class,
            names = {"UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD", "LZ4_RAW"})
    void everyCodecWithChecksums(CompressionCodecName codec) throws IOException {
        Path file = write(2000, ParquetFile.Options.DEFAULT.codec(codec).pageRows(300));

        Values.assertSame(scans.all(file, 512), rows(0, 2000, WriterFilesTest::text));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 1024, 4096})
    void plainPagesOfEveryBatchSize(int batchRows) throws IOException {
        Path file = write(1500, ParquetFile.Options.DEFAULT.dictionary(false).pageRows(70));

        Values.assertSame(scans.all(file, batchRows), rows(0, 1500, WriterFilesTest::text));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 1024})
    void secondPageVersion(int batchRows) throws IOException {
        Path file =
                write(
                        1500,
                        ParquetFile.Options.DEFAULT
                                .version(WriterVersion.PARQUET_2_0)
                                .pageRows(100)
                                .codec(CompressionCodecName.ZSTD));
        ScanTask task = Scans.columns(scans.task(file, 0), "d", "b", "f", "few", "fixed", "none");

        Values.assertSame(
                scans.read(task, batchRows),
                rows(
                        0,
                        1500,
                        i -> {
                            List<@Nullable String> all = text(i);
                            List<@Nullable String> part = new ArrayList<>();
                            for (int c : new int[] {4, 3, 5, 7, 8, 11}) {
                                part.add(all.get(c));
                            }
                            return part;
                        }));
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 200, 1000})
    void dictionariesGivenUpMidway(int dictionaryBytes) throws IOException {
        Path file =
                write(
                        1000,
                        ParquetFile.Options.DEFAULT.dictionaryBytes(dictionaryBytes).pageRows(90));

        for (int batchRows : new int[] {1, 7, 100, 1024}) {
            Values.assertSame(scans.all(file, batchRows), rows(0, 1000, WriterFilesTest::text));
        }
    }

    @Test
    void aBatchEndsWherePagesTurnPlain() throws IOException {
        Path file = folder.resolve("turns.parquet");
        ParquetFile.write(
                file,
                "message m { optional int64 l; }",
                rows(0, 1000, WriterFilesTest::fewThenMany),
                ParquetFile.Options.DEFAULT.dictionaryBytes(400).pageRows(90));
        List<Boolean> encoded = new ArrayList<>();
        try (BatchStream stream =
                scans.format.open(
                        Scans.columns(scans.task(file, 0), "l"), 60, scans.pool, scans.metrics)) {
            RecordBatch batch;
            while ((batch = Scans.next(stream)) != null) {
                encoded.add(batch.column(0) instanceof ColumnVector.Encoded);
                batch.close();
            }
        }

        assertThat(encoded)
                .startsWith(true, true)
                .endsWith(false, false)
                .isSortedAccordingTo((a, b) -> Boolean.compare(b, a));
        for (int batchRows : new int[] {1, 60, 77, 512, 1000}) {
            Values.assertSame(
                    scans.all(file, batchRows),
                    rows(
                            0,
                            1000,
                            i ->
                                    fewThenMany(i).stream()
                                            .map(v -> v == null ? null : v.toString())
                                            .toList()));
        }
    }

    @Test
    void oneDictionaryServesAllBatchesOfARowGroup() throws IOException {
        Path file = write(1000, ParquetFile.Options.DEFAULT);
        List<Object> dictionaries = new ArrayList<>();
        try (BatchStream stream =
                scans.format.open(
                        Scans.columns(scans.task(file, 0), "few"),
                        100,
                        scans.pool,
                        scans.metrics)) {
            RecordBatch batch;
            while ((batch = Scans.next(stream)) != null) {
                ColumnVector.Encoded column = (ColumnVector.Encoded) batch.column(0);
                assertThat(column.dictionary().size()).isEqualTo(4);
                dictionaries.add(column.dictionary());
                batch.close();
            }
        }

        assertThat(dictionaries).hasSize(10);
        assertThat(dictionaries.stream().distinct()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyWindowOfRows(boolean dictionary) throws IOException {
        Path file =
                write(
                        60,
                        ParquetFile.Options.DEFAULT
                                .dictionary(dictionary)
                                .dictionaryBytes(150)
                                .pageRows(11));
        ScanTask task = scans.task(file, 0);

        for (int from = 0; from <= 60; from++) {
            for (int to = from; to <= 60; to++) {
                Values.assertSame(
                        scans.read(Scans.rows(task, from, to), 8),
                        rows(from, to, WriterFilesTest::text));
            }
        }
    }

    @Test
    void severalRowGroups() throws IOException {
        Path file =
                write(
                        3000,
                        new ParquetFile.Options(
                                WriterVersion.PARQUET_1_0,
                                CompressionCodecName.SNAPPY,
                                true,
                                20_000,
                                1 << 20,
                                20_000));

        assertThat(scans.format.metadata(scans.status(file)).partitionRows())
                .hasSizeGreaterThan(2)
                .satisfies(
                        p ->
                                assertThat(p.stream().mapToLong(Long::longValue).sum())
                                        .isEqualTo(3000));
        Values.assertSame(scans.all(file, 256), rows(0, 3000, WriterFilesTest::text));
    }

    @Test
    void namesThatDifferInCaseAreTwoColumns() throws IOException {
        Path file = folder.resolve("case.parquet");
        ParquetFile.write(
                file,
                "message m { required int32 A; required int32 a; }",
                List.of(List.of(1, 2)),
                ParquetFile.Options.DEFAULT);

        assertThat(scans.format.metadata(scans.status(file)).schema().names())
                .containsExactly("A", "a");
        assertThat(scans.all(file, 10)).containsExactly(List.of("1", "2"));
    }

    @Test
    void encodingsOfVersion2() throws IOException {
        Path plain = write(1000, ParquetFile.Options.DEFAULT.dictionary(false));
        List<List<@Nullable String>> expected = scans.all(plain, 1000);
        Files.delete(plain);
        Path delta =
                write(
                        1000,
                        ParquetFile.Options.DEFAULT
                                .version(WriterVersion.PARQUET_2_0)
                                .dictionary(false));

        Values.assertSame(scans.all(delta, 300), expected);
    }

    @Test
    void float16() throws IOException {
        Path file = folder.resolve("half.parquet");
        short[] bits = {0x3E00, (short) 0x7E00, 0x7C00, (short) 0xFC00, (short) 0x8000};
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (short b : bits) {
            rows.add(List.of(new byte[] {(byte) b, (byte) (b >> 8)}));
        }
        ParquetFile.write(
                file,
                "message m { required fixed_len_byte_array(2) h (FLOAT16); }",
                rows,
                ParquetFile.Options.DEFAULT);

        assertThat(scans.all(file, 10))
                .isEqualTo(
                        List.of(
                                List.of("1.5"),
                                List.of("NaN"),
                                List.of("Infinity"),
                                List.of("-Infinity"),
                                List.of("-0.0")));
    }
}
