package io.spillway.scan.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.ScanTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Pages of a whole row group, of which only some rows are wanted, or some before the others: what
 * is decompressed late is the same, and what is wrong with it is said when it is reached.
 */
class LatePagesTest {

    private static final int ROWS = 60_000;

    private static final int BATCH_ROWS = 4096;

    private static final MessageType TYPE =
            MessageTypeParser.parseMessageType(
                    """
                    message m {
                      required int64 number;
                      required int32 index;
                      optional int32 sparse;
                      optional binary text (STRING);
                      repeated int32 list;
                    }
                    """);

    @TempDir Path folder;
    private final Scans scans = new Scans();
    private final List<Group> rows = new ArrayList<>();

    @BeforeEach
    void makeRows() {
        Random random = new Random(7);
        for (int i = 0; i < ROWS; i++) {
            Group row = new SimpleGroup(TYPE);
            row.add("number", (long) random.nextInt(1 << 20) << random.nextInt(20));
            row.add("index", random.nextInt(40_000));
            if (random.nextInt(10) < 7 || i % 1000 < 300) {
                row.add("sparse", random.nextInt());
            }
            if (random.nextInt(5) > 0) {
                row.add("text", "text " + random.nextInt() + "é".repeat(random.nextInt(5)));
            }
            for (int n = random.nextInt(4); n > 0; n--) {
                row.add("list", random.nextInt(1 << 16));
            }
            rows.add(row);
        }
    }

    @AfterEach
    void close() {
        scans.close();
    }

    private Path write(CompressionCodecName codec, boolean checksums) throws IOException {
        Path file = folder.resolve(codec + "-" + checksums + ".parquet");
        ParquetFile.write(
                file,
                TYPE,
                rows,
                ParquetFile.Options.DEFAULT.codec(codec).pageRows(ROWS),
                b ->
                        b.withPageSize(64 << 20)
                                .withDictionaryEncoding(false)
                                .withDictionaryEncoding("index", true)
                                .withPageWriteChecksumEnabled(checksums));
        return file;
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionCodecName.class,
            names = {"UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD", "LZ4_RAW"})
    void anyRowsAreThoseOfTheWhole(CompressionCodecName codec) throws IOException {
        ScanTask task = scans.task(write(codec, true), 0);
        List<List<@Nullable String>> all = scans.read(task, BATCH_ROWS);
        assertThat(all).hasSize(ROWS);

        int[] borders = {0, 1, 511, 512, 4095, 4096, 16_383, 16_384, 32_768, 45_000, 59_999};
        for (int from : borders) {
            for (int length : new int[] {1, 100, 513, ROWS}) {
                int to = Math.min(ROWS, from + length);
                assertThat(scans.read(Scans.rows(task, from, to), BATCH_ROWS))
                        .isEqualTo(all.subList(from, to));
            }
            ScanTask rest = Scans.rows(task, from, ROWS);
            assertThat(scans.read(rest.soon(512), BATCH_ROWS)).isEqualTo(all.subList(from, ROWS));
        }
        for (int soon : new int[] {1, 4096, 20_000, 70_000}) {
            assertThat(scans.read(task.soon(soon), BATCH_ROWS)).isEqualTo(all);
        }
    }

    /**
     * Each column's page with noise over a part of its second half. Gzip tells of it at the latest
     * by its own checksum; Zstandard need not, and values may then be wrong, but are so either way.
     */
    @ParameterizedTest
    @EnumSource(
            value = CompressionCodecName.class,
            names = {"GZIP", "ZSTD"})
    void damageIsFoundWhenItIsReached(CompressionCodecName codec) throws IOException {
        Path file = write(codec, false);
        List<List<@Nullable String>> all = scans.all(file, BATCH_ROWS);
        int found = 0;
        for (Map.Entry<String, MutableFile.Span> page : dataPages(file).entrySet()) {
            byte[] bytes = Files.readAllBytes(file);
            overwrite(bytes, page.getValue());
            Path bad = folder.resolve("bad.parquet");
            Files.write(bad, bytes);
            ScanTask column = Scans.columns(scans.task(bad, 0), page.getKey());
            int at = TYPE.getFieldIndex(page.getKey());

            Object whole = outcome(column);
            assertThat(outcome(column.soon(512))).isEqualTo(whole);
            assertThat(scans.read(Scans.rows(column, 0, 100), BATCH_ROWS))
                    .isEqualTo(
                            all.subList(0, 100).stream()
                                    .map(row -> row.subList(at, at + 1))
                                    .toList());
            found += whole instanceof Map ? 1 : 0;
        }
        assertThat(found)
                .isGreaterThanOrEqualTo(
                        codec == CompressionCodecName.GZIP ? TYPE.getFieldCount() : 1);
    }

    /** The rows, or what the error says. */
    private Object outcome(ScanTask task) {
        try {
            return scans.read(task, BATCH_ROWS);
        } catch (SpillwayException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT);
            assertThat(e.context()).containsKey(SpillwayException.COLUMN);
            Map<String, Object> said = new TreeMap<>(e.context());
            said.put("message", String.valueOf(e.getMessage()));
            return said;
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionCodecName.class,
            names = {"SNAPPY", "GZIP", "ZSTD", "LZ4_RAW"})
    void aChecksumTellsOfDamageAtOnce(CompressionCodecName codec) throws IOException {
        Path file = write(codec, true);
        for (Map.Entry<String, MutableFile.Span> page : dataPages(file).entrySet()) {
            byte[] bytes = Files.readAllBytes(file);
            overwrite(bytes, page.getValue());
            Path bad = folder.resolve("bad.parquet");
            Files.write(bad, bytes);
            ScanTask column = Scans.columns(scans.task(bad, 0), page.getKey());

            assertThat(failure(Scans.rows(column, 0, 1))).hasMessageContaining("checksum");
            assertThat(failure(column.soon(1))).hasMessageContaining("checksum");
        }
    }

    /** A frame whose end is missing, or whose size is another, gives no row at all. */
    @ParameterizedTest
    @EnumSource(
            value = CompressionCodecName.class,
            names = {"SNAPPY", "GZIP", "ZSTD", "LZ4_RAW"})
    void sizesThatLieAreFoundAtOnce(CompressionCodecName codec) throws IOException {
        Path file = write(codec, false);
        MutableFile good = MutableFile.of("good", Files.readAllBytes(file));
        Path bad = folder.resolve("bad.parquet");
        for (Map.Entry<String, MutableFile.Span> page : dataPages(file).entrySet()) {
            PageHeader header = good.pageHeader(page.getValue());
            header.setUncompressed_page_size(header.getUncompressed_page_size() - 1);
            Files.write(bad, good.withPageHeader(page.getValue(), header));
            ScanTask column = Scans.columns(scans.task(bad, 0), page.getKey());

            assertThat(failure(Scans.rows(column, 0, 1)).code()).isEqualTo(ErrorCode.FILE_CORRUPT);
            assertThat(failure(column.soon(1)).code()).isEqualTo(ErrorCode.FILE_CORRUPT);
        }
    }

    @Test
    void firstRowsComeAsABatchOfTheirOwnAndTheGridStays() throws IOException {
        ScanTask task = scans.task(write(CompressionCodecName.ZSTD, true), 0).soon(512);
        List<Integer> sizes = new ArrayList<>();
        try (var stream = scans.format.open(task, BATCH_ROWS, scans.pool, scans.metrics)) {
            for (var batch = Scans.next(stream); batch != null; batch = Scans.next(stream)) {
                sizes.add(batch.rowCount());
                batch.close();
            }
        }
        assertThat(sizes.subList(0, 3)).containsExactly(512, BATCH_ROWS - 512, BATCH_ROWS);
    }

    private SpillwayException failure(ScanTask task) {
        return assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(() -> scans.read(task, BATCH_ROWS))
                .actual();
    }

    /** The one data page of each column. */
    private static Map<String, MutableFile.Span> dataPages(Path file) throws IOException {
        MutableFile parts = MutableFile.of("good", Files.readAllBytes(file));
        Map<String, MutableFile.Span> pages = new TreeMap<>();
        int column = 0;
        for (MutableFile.Span page : parts.pages()) {
            if (!parts.pageHeader(page).isSetDictionary_page_header()) {
                pages.put(TYPE.getFieldName(column), page);
                column++;
            }
        }
        assertThat(pages).hasSize(TYPE.getFieldCount());
        return pages;
    }

    /** Writes noise over a part of a page's second half. */
    private static void overwrite(byte[] file, MutableFile.Span page) {
        byte[] noise = new byte[Math.min(2000, (page.end() - page.body()) / 8)];
        new Random(3).nextBytes(noise);
        System.arraycopy(noise, 0, file, page.end() - (page.end() - page.body()) / 5, noise.length);
    }
}
