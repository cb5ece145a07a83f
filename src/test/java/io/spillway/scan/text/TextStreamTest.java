package io.spillway.scan.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.ScanStream;
import io.spillway.scan.ScanTask;
import io.spillway.scan.csv.CsvSyntax;
import io.spillway.scan.ndjson.NdjsonSyntax;
import io.spillway.scan.parquet.Scans;
import io.spillway.scan.parquet.Values;
import io.spillway.storage.FileStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams over texts of both formats, plain and compressed: the contract of every scan. */
class TextStreamTest {

    private static final int ROWS = 5_000;

    @TempDir Path folder;

    private static String csv() {
        StringBuilder text = new StringBuilder("id,name\n");
        for (int i = 0; i < ROWS; i++) {
            text.append(i).append(",\"n\n").append(i % 13).append("\"\n");
        }
        return text.toString();
    }

    private static String ndjson() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < ROWS; i++) {
            text.append("{\"id\":%d,\"name\":\"n\\n%d\"}\n".formatted(i, i % 13));
        }
        return text.toString();
    }

    private static List<List<@Nullable String>> expected(int from, int to) {
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (int i = from; i < to; i++) {
            rows.add(List.of("" + i, "n\n" + i % 13));
        }
        return rows;
    }

    private static byte[] compressed(Compression compression, String text, int members)
            throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < members; i++) {
            int from = (int) ((long) bytes.length * i / members);
            int to = (int) ((long) bytes.length * (i + 1) / members);
            ByteArrayOutputStream member = new ByteArrayOutputStream();
            try (OutputStream out = compressing(compression, member)) {
                out.write(bytes, from, to - from);
            }
            member.writeTo(all);
        }
        return all.toByteArray();
    }

    private static OutputStream compressing(Compression compression, OutputStream out)
            throws IOException {
        return switch (compression) {
            case NONE -> out;
            case GZIP -> new GZIPOutputStream(out);
            case ZSTD -> new com.github.luben.zstd.ZstdOutputStream(out);
            case LZ4 -> new LZ4FrameOutputStream(out);
        };
    }

    @ParameterizedTest
    @EnumSource(Compression.class)
    void anyRowsComeInBatchesOfAnySize(Compression compression) throws IOException {
        for (TextSyntax syntax : List.of(CsvSyntax.DEFAULT, NdjsonSyntax.DEFAULT)) {
            String text = syntax.equals(CsvSyntax.DEFAULT) ? csv() : ndjson();
            try (TextScans scans = new TextScans(folder, syntax, 9_000)) {
                FileStatus file = scans.write(compressed(compression, text, 3));
                RowSchema schema = scans.schema(file);
                List<ScanTask> tasks = scans.tasks(file, schema);
                assertThat(tasks.size() > 1).isEqualTo(compression == Compression.NONE);
                for (int batchRows : new int[] {1, 7, 1024, 100_000}) {
                    assertThat(scans.rows(file, batchRows)).isEqualTo(expected(0, ROWS));
                }
                int first = 0;
                for (ScanTask task : tasks) {
                    int rows = (int) task.rows();
                    for (int from : new int[] {0, 1, rows / 2, rows - 1, rows}) {
                        int to = Math.min(rows, from + 50);
                        assertThat(scans.read(task.between(from, to), 20))
                                .isEqualTo(expected(first + from, first + to));
                    }
                    first += rows;
                }
                RowSchema name = new RowSchema(List.of(schema.column(1)));
                assertThat(scans.rows(file, name, 100).get(14)).containsExactly("n\n1");
                assertThat(scans.rows(file, new RowSchema(List.of()), 100)).hasSize(ROWS);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Compression.class)
    void aReleasedStreamGoesOnWhereItWas(Compression compression) throws IOException {
        try (TextScans scans = new TextScans(folder, CsvSyntax.DEFAULT, 20_000)) {
            FileStatus file = scans.write(compressed(compression, csv(), 2));
            List<List<@Nullable String>> rows = new ArrayList<>();
            for (ScanTask task : scans.tasks(file, scans.schema(file))) {
                try (ScanStream stream = scans.open(task.soon(3), 100)) {
                    int batches = 0;
                    while (true) {
                        if (stream.poll() instanceof Poll.Output<RecordBatch>(var batch)) {
                            try (batch) {
                                assertThat(batches > 0 || batch.rowCount() <= 3).isTrue();
                                Values.append(batch, rows);
                            }
                            batches++;
                            stream.release();
                        } else {
                            try (RecordBatch batch = Scans.next(stream)) {
                                if (batch == null) {
                                    break;
                                }
                                Values.append(batch, rows);
                                batches++;
                            }
                            stream.release();
                        }
                    }
                }
            }
            assertThat(rows).isEqualTo(expected(0, ROWS));
        }
    }

    @Test
    void aStreamMayBeClosedAtAnyMoment() throws IOException {
        for (Compression compression : Compression.values()) {
            try (TextScans scans = new TextScans(folder, CsvSyntax.DEFAULT, 20_000)) {
                FileStatus file = scans.write(compressed(compression, csv(), 2));
                ScanTask task = scans.tasks(file, scans.schema(file)).getFirst();
                for (int polls = 0; polls < 12; polls++) {
                    ScanStream stream = scans.open(task, 10);
                    for (int i = 0; i < polls; i++) {
                        if (stream.poll() instanceof Poll.Output<RecordBatch>(var batch)) {
                            batch.close();
                        }
                    }
                    stream.close();
                    stream.close();
                }
            }
        }
    }

    @Test
    void aFileThatHasChangedGivesNoRows() throws IOException {
        try (TextScans scans = new TextScans(folder, CsvSyntax.DEFAULT, 20_000)) {
            FileStatus file = scans.write(csv());
            ScanTask task = scans.tasks(file, scans.schema(file)).getFirst();
            Files.writeString(Path.of(URI.create(file.uri())), csv().replace('n', 'm'));
            assertThatExceptionOfType(SpillwayException.class)
                    .isThrownBy(() -> scans.read(task, 10))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_CHANGED));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GZIP", "ZSTD", "LZ4"})
    void compressedBytesThatAreDamagedAreRefused(String name) throws IOException {
        Compression compression = Compression.valueOf(name);
        try (TextScans scans = new TextScans(folder, CsvSyntax.DEFAULT, 20_000)) {
            byte[] whole = compressed(compression, csv(), 2);
            for (int cut : new int[] {1, 9, whole.length / 2 + 20, whole.length - 10}) {
                refused(scans, Arrays.copyOf(whole, whole.length - cut));
            }
            byte[] behind = Arrays.copyOf(whole, whole.length + 3);
            behind[whole.length] = 'x';
            refused(scans, behind);
        }
    }

    private static void refused(TextScans scans, byte[] bytes) {
        FileStatus file = scans.write(bytes);
        assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(() -> scans.schema(file))
                .satisfies(
                        e -> {
                            assertThat(e.code())
                                    .as(e.getMessage())
                                    .isEqualTo(ErrorCode.FILE_CORRUPT);
                            assertThat(e.context()).containsEntry("file", file.uri());
                        });
    }
}
