package io.spillway.scan.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.encode.BatchEncoder;
import io.spillway.encode.BatchEncoders;
import io.spillway.encode.EncodedChunk;
import io.spillway.encode.JsonFormat;
import io.spillway.expression.Decode;
import io.spillway.scan.ScanTask;
import io.spillway.scan.parquet.value.BytesDecoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Columns that are larger than a vector can be, in little memory. */
class LargeValuesTest {

    private static final int LENGTH = 1 << 20;
    private static final long BUDGET = 64 << 20;

    @TempDir Path folder;
    private final Scans scans = new Scans(BUDGET);

    @AfterEach
    void close() {
        scans.close();
    }

    /** Many times the same mebibyte: a small file, since it is in a dictionary. */
    private Path sameText(int rows) throws IOException {
        MessageType type =
                MessageTypeParser.parseMessageType(
                        "message m { required int32 i; required binary s (STRING); }");
        Binary text =
                Binary.fromConstantByteArray(
                        "x".repeat(LENGTH).getBytes(StandardCharsets.US_ASCII));
        Path file = folder.resolve("same.parquet");
        // A dictionary is kept if the first page gains by it, so that must not end after one value.
        try (ParquetWriter<Group> writer =
                ExampleParquetWriter.builder(new LocalOutputFile(file))
                        .withConf(new PlainParquetConfiguration())
                        .withCodecFactory(new WriterCodecs())
                        .withType(type)
                        .withCompressionCodec(CompressionCodecName.ZSTD)
                        .withPageSize(Integer.MAX_VALUE)
                        .withPageRowCountLimit(1000)
                        .withDictionaryPageSize(4 * LENGTH)
                        .withRowGroupSize(1L << 40)
                        .build()) {
            for (int i = 0; i < rows; i++) {
                Group row = new SimpleGroup(type);
                row.add(0, i);
                row.add(1, text);
                writer.write(row);
            }
        }
        assertThat(Files.size(file)).isLessThan(LENGTH);
        return file;
    }

    @Test
    void moreTextThanMemoryAsJson() throws IOException {
        assertThat(textAsJson(150)).isEqualTo(150L * LENGTH);
    }

    @Test
    @Tag("long")
    void moreThanTwoGibibytesOfTextAsJson() throws IOException {
        assertThat(textAsJson(2_200)).isEqualTo(2_306_867_200L);
    }

    /** Bytes of the texts among those of the JSON. */
    private long textAsJson(int count) throws IOException {
        ScanTask task = scans.task(sameText(count), 0);
        long bytes = 0;
        long rows = 0;
        try (BatchStream stream = scans.format.open(task, 4096, scans.pool, scans.metrics);
                BatchEncoder encoder =
                        BatchEncoders.of(
                                task.columns(),
                                new JsonFormat(JsonFormat.Layout.LINES, false, false, false))) {
            RecordBatch batch;
            while ((batch = Scans.next(stream)) != null) {
                try (RecordBatch closing = batch) {
                    for (int row = 0; row < closing.rowCount(); ) {
                        try (EncodedChunk chunk =
                                encoder.encode(
                                        closing,
                                        0,
                                        row,
                                        closing.rowCount(),
                                        scans.pool.allocator())) {
                            bytes += chunk.length();
                            rows += chunk.rows();
                            row += (int) chunk.rows();
                        }
                    }
                }
            }
        }

        assertThat(rows).isEqualTo(count);
        long others = 0;
        for (int i = 0; i < count; i++) {
            others += "{\"i\":%d,\"s\":\"\"}\n".formatted(i).length();
        }
        return bytes - others;
    }

    /** Whoever needs plain values of encoded batches finds room for them. */
    @Test
    void encodedBatchesCanTurnPlain() throws IOException {
        int count = 150;
        ScanTask task = Scans.columns(scans.task(sameText(count), 0), "s");
        long length = 0;
        long rows = 0;
        try (BatchStream stream = scans.format.open(task, 4096, scans.pool, scans.metrics)) {
            RecordBatch batch;
            while ((batch = Scans.next(stream)) != null) {
                ColumnVector.Encoded column = (ColumnVector.Encoded) batch.column(0);
                try (RecordBatch closing = batch;
                        FieldVector plain = Decode.decode(column, scans.pool.allocator())) {
                    VarCharVector texts = (VarCharVector) plain;
                    rows += closing.rowCount();
                    for (int i = 0; i < closing.rowCount(); i++) {
                        length += texts.getValueLength(i);
                    }
                }
            }
        }

        assertThat(rows).isEqualTo(count);
        assertThat(length).isEqualTo((long) count * LENGTH);
    }

    /** Texts of very different lengths beside short values: rows stay together. */
    @ParameterizedTest
    @EnumSource(WriterVersion.class)
    void batchesAreCutByBytes(WriterVersion version) throws IOException {
        int count = 400;
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<@Nullable Object> row = new ArrayList<>();
            row.add(i);
            row.add(i % 11 == 0 ? null : text(i, i % 7 == 0 ? 300_000 : i % 50));
            row.add((long) i % 4);
            row.add(i % 13 == 0 ? null : text(i + 1, i % 5 == 0 ? 200_000 : 3));
            rows.add(row);
        }
        Path file = folder.resolve("mixed.parquet");
        ParquetFile.write(
                file,
                "message m { required int32 i; optional binary s (STRING); optional int64 few;"
                        + " optional binary t; }",
                rows,
                ParquetFile.Options.DEFAULT.version(version).dictionaryBytes(100).pageRows(90));
        ScanTask task = scans.task(file, 0);
        int row = 0;
        int batches = 0;
        try (BatchStream stream = scans.format.open(task, 1000, scans.pool, scans.metrics)) {
            RecordBatch batch;
            while ((batch = Scans.next(stream)) != null) {
                try (RecordBatch closing = batch) {
                    List<List<@Nullable String>> read = new ArrayList<>();
                    Values.append(closing, read);
                    for (List<@Nullable String> values : read) {
                        assertThat(values.get(0)).isEqualTo(Integer.toString(row));
                        String text = row % 11 == 0 ? null : (String) rows.get(row).get(1);
                        assertThat(text).isEqualTo(values.get(1));
                        assertThat(values.get(2)).isEqualTo(Integer.toString(row % 4));
                        String bytes = values.get(3);
                        assertThat(bytes == null ? -1 : bytes.length() / 2)
                                .isEqualTo(row % 13 == 0 ? -1 : row % 5 == 0 ? 200_000 : 3);
                        row++;
                    }
                    for (String name : List.of("s", "t")) {
                        ColumnVector column = closing.column(task.columns().indexOf(name));
                        assertThat(column.bytes()).isLessThan(2L * BytesDecoder.FULL);
                    }
                    batches++;
                }
            }
        }
        assertThat(row).isEqualTo(count);
        assertThat(batches).isBetween(3, 40);
    }

    private static String text(int seed, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) ('a' + seed % 26));
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    /** One value beyond the limit alone in its batch. */
    @Test
    void valuesLargerThanTheLimitGoAlone() throws IOException {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            rows.add(List.of(text(i, BytesDecoder.FULL + 1)));
        }
        Path file = folder.resolve("huge.parquet");
        ParquetFile.write(
                file,
                "message m { required binary s (STRING); }",
                rows,
                ParquetFile.Options.DEFAULT.dictionary(false).codec(CompressionCodecName.ZSTD));
        ScanTask task = scans.task(file, 0);
        List<Integer> counts = new ArrayList<>();
        try (BatchStream stream = scans.format.open(task, 1000, scans.pool, scans.metrics)) {
            RecordBatch batch;
            while ((batch = Scans.next(stream)) != null) {
                counts.add(batch.rowCount());
                batch.close();
            }
        }

        assertThat(counts).containsExactly(1, 1, 1, 1, 1);
    }
}
