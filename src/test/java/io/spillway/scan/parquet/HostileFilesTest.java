package io.spillway.scan.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RecordBatch;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.ScanTask;
import io.spillway.storage.FileStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the bytes are: rows, or a typed error that names the file, and nothing leaks. */
class HostileFilesTest {

    private static final Set<ErrorCode> ALLOWED =
            EnumSet.of(
                    ErrorCode.FILE_CORRUPT,
                    ErrorCode.FILE_NOT_SUPPORTED,
                    ErrorCode.SCHEMA_MISMATCH,
                    ErrorCode.MEMORY_LIMIT);

    private static final String SCHEMA =
            """
            message m {
              required int32 i;
              optional int64 l;
              optional binary s (STRING);
              optional boolean b;
              optional fixed_len_byte_array(3) f (DECIMAL(6,1));
            }
            """;

    @TempDir Path folder;
    private final Scans scans = new Scans();

    @AfterEach
    void close() {
        scans.close();
    }

    private byte[] file(CompressionCodecName codec, WriterVersion version) throws IOException {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            List<@Nullable Object> row = new ArrayList<>();
            row.add(i % 20);
            row.add(i % 5 == 0 ? null : (long) i % 13);
            row.add(i % 3 == 0 ? null : "text" + i % 30);
            row.add(i % 2 == 0 ? null : i % 3 == 0);
            row.add(i % 7 == 0 ? null : new byte[] {(byte) i, 1, 2});
            rows.add(row);
        }
        Path path = folder.resolve("good.parquet");
        Files.deleteIfExists(path);
        ParquetFile.write(
                path,
                SCHEMA,
                rows,
                ParquetFile.Options.DEFAULT
                        .codec(codec)
                        .version(version)
                        .dictionaryBytes(60)
                        .pageRows(40));
        return Files.readAllBytes(path);
    }

    /** Reads all of it; null, or the typed error. */
    private @Nullable SpillwayException read(byte[] bytes) throws IOException {
        Path path = folder.resolve("bad.parquet");
        Files.write(path, bytes);
        FileStatus status = scans.status(path);
        try {
            FileMetadata metadata = scans.format.metadata(status);
            for (int p = 0; p < metadata.partitionRows().size(); p++) {
                long rows = metadata.partitionRows().get(p);
                ScanTask task = new ScanTask(status, p, 0, rows, metadata.schema());
                assertThat(scans.format.estimateBytes(task, 64)).isNotNegative();
                try (BatchStream stream = scans.format.open(task, 64, scans.pool, scans.metrics)) {
                    while (take(stream)) {
                        assertThat(stream.schema()).isEqualTo(metadata.schema());
                    }
                }
            }
            return null;
        } catch (SpillwayException e) {
            assertThat(e.code()).isIn(ALLOWED);
            assertThat(e.context()).containsEntry(SpillwayException.FILE, status.uri());
            return e;
        }
    }

    private SpillwayException fails(byte[] bytes) throws IOException {
        SpillwayException e = read(bytes);
        if (e == null) {
            throw new AssertionError("the file was read");
        }
        return e;
    }

    private static boolean take(BatchStream stream) {
        try (RecordBatch batch = Scans.next(stream)) {
            return batch != null;
        }
    }

    @Test
    void cutAnywhere() throws IOException {
        byte[] good = file(CompressionCodecName.SNAPPY, WriterVersion.PARQUET_1_0);

        assertThat(read(good)).isNull();
        for (int length = 0; length < good.length; length += 64) {
            SpillwayException e = fails(Arrays.copyOf(good, length));
            assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionCodecName.class,
            names = {"UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD", "LZ4_RAW"})
    void changedAnywhere(CompressionCodecName codec) throws IOException {
        long seed = 20_250_101L + codec.name().hashCode();
        Random random = new Random(seed);
        byte[] good =
                file(
                        codec,
                        random.nextBoolean()
                                ? WriterVersion.PARQUET_1_0
                                : WriterVersion.PARQUET_2_0);
        for (int i = 0; i < 400; i++) {
            byte[] bad = good.clone();
            for (int n = 1 + random.nextInt(3); n > 0; n--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            try {
                read(bad);
            } catch (RuntimeException | AssertionError | IOException e) {
                throw new AssertionError("seed " + seed + ", change " + i, e);
            }
        }
    }

    /** Checksums would find most changes of pages before the decoder does: without them. */
    @Test
    void changedAnywhereWithoutChecksums() throws IOException, SQLException {
        long seed = 77;
        Random random = new Random(seed);
        byte[] good;
        try (DuckDb duckDb = new DuckDb()) {
            Path path = folder.resolve("duckdb.parquet");
            duckDb.write(
                    "SELECT i % 20 AS i, CASE WHEN i % 3 > 0 THEN 'text' || i END AS s,"
                            + " i % 7 = 0 AS b, 'few' || i % 5 AS f, (i * i)::DECIMAL(20,3) AS d"
                            + " FROM range(300) t(i)",
                    path, "COMPRESSION uncompressed");
            good = Files.readAllBytes(path);
        }
        for (int i = 0; i < 2000; i++) {
            byte[] bad = good.clone();
            for (int n = 1 + random.nextInt(3); n > 0; n--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            try {
                read(bad);
            } catch (RuntimeException | AssertionError | IOException e) {
                throw new AssertionError("seed " + seed + ", change " + i, e);
            }
        }
    }

    @Test
    void aPageThatFailsItsChecksum() throws IOException {
        byte[] bad = file(CompressionCodecName.UNCOMPRESSED, WriterVersion.PARQUET_1_0);
        int at = new String(bad, StandardCharsets.ISO_8859_1).indexOf("text10");
        bad[at + 4] ^= 1;

        SpillwayException e = fails(bad);

        assertThat(e).hasMessageContaining("checksum");
        assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT);
        assertThat(e.context())
                .containsEntry(SpillwayException.COLUMN, "s")
                .containsEntry(SpillwayException.ROW_GROUP, 0);
    }

    /** Rows before the damage come out, and then the error: never a short but clean end. */
    @Test
    void damageInTheSecondRowGroup() throws IOException {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            rows.add(List.of((long) i * 1_000_003));
        }
        Path path = folder.resolve("groups.parquet");
        ParquetFile.write(
                path,
                "message m { required int64 id; }",
                rows,
                new ParquetFile.Options(
                        WriterVersion.PARQUET_1_0,
                        CompressionCodecName.UNCOMPRESSED,
                        false,
                        500,
                        1 << 20,
                        40_000));
        byte[] bytes = Files.readAllBytes(path);
        ScanTask first = scans.task(path, 0);
        long at = 8 * first.rows() + 8 * 2000;
        Arrays.fill(bytes, (int) at, (int) at + 64, (byte) 0x55);
        Files.write(path, bytes);

        assertThat(scans.read(scans.task(path, 0), 100)).hasSize((int) first.rows());
        ScanTask second = scans.task(path, 1);
        try (BatchStream stream = scans.format.open(second, 100, scans.pool, scans.metrics)) {
            assertThat(take(stream)).isTrue();
            assertThatExceptionOfType(SpillwayException.class)
                    .isThrownBy(
                            () -> {
                                while (take(stream)) {
                                    assertThat(stream.schema()).isEqualTo(second.columns());
                                }
                            })
                    .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT))
                    .satisfies(
                            e ->
                                    assertThat(e.context())
                                            .containsEntry(SpillwayException.ROW_GROUP, 1));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "PAR1", "PAR1PAR1", "no parquet file at all, but text", "PAR1xxxxPARE"})
    void noParquetFile(String text) throws IOException {
        SpillwayException e = fails(text.getBytes(StandardCharsets.US_ASCII));

        assertThat(e.code())
                .isEqualTo(
                        text.endsWith("PARE")
                                ? ErrorCode.FILE_NOT_SUPPORTED
                                : ErrorCode.FILE_CORRUPT);
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MAX_VALUE, -1, 17, 100_000_000})
    void footerLengthsThatLie(int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put("PAR1".getBytes(StandardCharsets.US_ASCII));
        bytes.putInt(16, length).put(20, "PAR1".getBytes(StandardCharsets.US_ASCII));

        SpillwayException e = fails(bytes.array());

        assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT);
    }

    /** A struct of a few bytes that claims a list of two thousand million structs. */
    @Test
    void listsThatLie() throws IOException {
        byte[] footer = {0x19, (byte) 0xFC, -1, -1, -1, -1, 7, 0};
        ByteBuffer bytes =
                ByteBuffer.allocate(4 + footer.length + 8).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put("PAR1".getBytes(StandardCharsets.US_ASCII)).put(footer);
        bytes.putInt(footer.length).put("PAR1".getBytes(StandardCharsets.US_ASCII));

        SpillwayException e = fails(bytes.array());

        assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT);
    }

    @Test
    void twoColumnsOfOneName() throws IOException {
        Path path = folder.resolve("two.parquet");
        ParquetFile.write(
                path,
                "message m { required int32 id; required binary tag_ (STRING);"
                        + " required binary tag2 (STRING); }",
                List.of(List.of(7, "p", "q")),
                ParquetFile.Options.DEFAULT);
        byte[] bytes = Files.readAllBytes(path);
        String text = new String(bytes, StandardCharsets.ISO_8859_1).replace("tag2", "tag_");

        SpillwayException e = fails(text.getBytes(StandardCharsets.ISO_8859_1));

        assertThat(e.code()).isEqualTo(ErrorCode.SCHEMA_MISMATCH);
        assertThat(e.context()).containsEntry(SpillwayException.COLUMN, "tag_");
    }

    @Test
    void tasksThatTheFileDoesNotHave() throws IOException {
        byte[] good = file(CompressionCodecName.SNAPPY, WriterVersion.PARQUET_1_0);
        Path path = folder.resolve("good.parquet");
        assertThat(good).isNotEmpty();
        ScanTask task = scans.task(path, 0);

        for (ScanTask wrong :
                List.of(
                        new ScanTask(task.file(), 1, 0, 10, task.columns()),
                        new ScanTask(task.file(), 0, 0, 201, task.columns()))) {
            assertThatExceptionOfType(SpillwayException.class)
                    .isThrownBy(() -> scans.read(wrong, 10));
        }
    }
}
