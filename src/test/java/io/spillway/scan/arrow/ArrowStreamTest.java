package io.spillway.scan.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.ScanStream;
import io.spillway.scan.ScanTask;
import io.spillway.scan.parquet.Scans;
import io.spillway.scan.parquet.Values;
import io.spillway.storage.FileStatus;
import io.spillway.storage.FileSystemAccess;
import io.spillway.storage.RangeReader;
import io.spillway.storage.ReadProfile;
import io.spillway.testing.ForwardingFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams over batches of all sizes: the contract of every scan, and memory that stays small. */
class ArrowStreamTest {

    private static final Field ID = Field.nullable("id", new ArrowType.Int(64, true));
    private static final Field TEXT = Field.nullable("text", ArrowType.Utf8.INSTANCE);
    private static final Field LIST =
            new Field(
                    "list",
                    FieldType.nullable(ArrowType.List.INSTANCE),
                    List.of(Field.nullable("element", new ArrowType.Int(64, true))));

    @TempDir Path folder;

    /** A file of batches of so many rows; a text's length and a list's are told by the row. */
    private Path write(boolean isFile, int longRow, int longText, int... batches)
            throws IOException {
        Schema schema = new Schema(List.of(ID, TEXT, LIST));
        try (ArrowWriting writing =
                        isFile ? ArrowWriting.file(schema) : ArrowWriting.stream(schema);
                RootAllocator allocator = new RootAllocator();
                BigIntVector ids = (BigIntVector) ID.createVector(allocator);
                VarCharVector texts = (VarCharVector) TEXT.createVector(allocator);
                ListVector lists = (ListVector) LIST.createVector(allocator)) {
            BigIntVector elements = (BigIntVector) lists.getDataVector();
            int first = 0;
            for (int rows : batches) {
                for (int i = 0; i < rows; i++) {
                    int id = first + i;
                    ids.setSafe(i, id);
                    texts.setSafe(i, text(id, id == longRow ? longText : id % 17));
                    int start = lists.startNewValue(i);
                    for (int j = 0; j < id % 5; j++) {
                        elements.setSafe(start + j, id + j);
                    }
                    lists.endValue(i, id % 5);
                }
                ids.setValueCount(rows);
                texts.setValueCount(rows);
                lists.setValueCount(rows);
                writing.batch(List.of(ids, texts, lists), rows);
                first += rows;
            }
            return Files.write(Files.createTempFile(folder, "rows", ".arrow"), writing.end());
        }
    }

    private static byte[] text(int id, int length) {
        return "%d".formatted(id).repeat(length).getBytes(StandardCharsets.UTF_8);
    }

    private static List<List<@Nullable String>> expected(int from, int to) {
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (int id = from; id < to; id++) {
            List<String> list = new ArrayList<>();
            for (int j = 0; j < id % 5; j++) {
                list.add("" + (id + j));
            }
            rows.add(
                    List.of(
                            "" + id,
                            ("" + id).repeat(id % 17),
                            "[" + String.join(", ", list) + "]"));
        }
        return rows;
    }

    @Test
    void aBatchIsReadInPartsThatFitWhateverItsSize() throws IOException {
        int rows = 250_000;
        Path path = write(true, -1, 0, rows);
        assertThat(Files.size(path)).isGreaterThan(18 << 20);
        try (ArrowScans scans = new ArrowScans(16 << 20)) {
            FileStatus file = scans.status(path);
            ScanTask task = scans.tasks(file, scans.schema(file)).getFirst();
            for (int from : new int[] {0, 1, 99_999, 124_987, rows - 1}) {
                int to = Math.min(rows, from + 2_500);
                Values.assertSame(scans.read(task.between(from, to), 1000), expected(from, to));
            }
            assertThat(scans.format.estimateBytes(task, 4096)).isLessThan(10 << 20);
            Values.assertSame(scans.read(task, 4096), expected(0, rows));
        }
    }

    @Test
    void aRowThatIsFarLargerThanOthersStandsInASmallBatch() throws IOException {
        int rows = 100_000;
        Path path = write(false, 50_000, 2_000_000, rows);
        try (ArrowScans scans = new ArrowScans(48 << 20)) {
            FileStatus file = scans.status(path);
            ScanTask task = scans.tasks(file, scans.schema(file)).getFirst();
            try (ScanStream stream = scans.open(task, 4096)) {
                int from = 0;
                for (RecordBatch next = Scans.next(stream);
                        next != null;
                        next = Scans.next(stream)) {
                    try (RecordBatch batch = next) {
                        assertThat(batch.rowCount() > 1 && batch.bytes() > 8 << 20).isFalse();
                        from += batch.rowCount();
                    }
                }
                assertThat(from).isEqualTo(rows);
            }
        }
    }

    @Test
    void smallBatchesAreOnePartition() throws IOException {
        int[] batches = new int[500];
        int rows = 0;
        for (int i = 0; i < batches.length; i++) {
            batches[i] = i % 7;
            rows += i % 7;
        }
        for (boolean isFile : new boolean[] {true, false}) {
            Path path = write(isFile, -1, 0, batches);
            try (ArrowScans scans = new ArrowScans()) {
                FileStatus file = scans.status(path);
                assertThat(scans.format.metadata(file).partitionRows())
                        .containsExactly((long) rows);
                assertThat(scans.rows(path, 4)).isEqualTo(expected(0, rows));
                ScanTask task = scans.tasks(file, scans.schema(file)).getFirst();
                for (int from = 0; from < rows; from += 97) {
                    assertThat(scans.read(task.between(from, rows), 1000))
                            .isEqualTo(expected(from, rows));
                }
            }
        }
    }

    @Test
    void largeBatchesArePartitionsOfTheirOwn() throws IOException {
        Path path = write(true, -1, 0, 80_000, 80_000, 100_000, 10);
        try (ArrowScans scans = new ArrowScans()) {
            FileStatus file = scans.status(path);
            assertThat(scans.format.metadata(file).partitionRows())
                    .containsExactly(160_000L, 100_010L);
            RowSchema id = new RowSchema(List.of(scans.schema(file).column(0)));
            assertThat(scans.rows(file, id, 4096).get(160_000)).containsExactly("160000");
        }
    }

    @Test
    void whereRequestsTakeTimeThereAreFewerAndSeveralAtATime() throws IOException {
        AtomicInteger requests = new AtomicInteger();
        FileSystemAccess slow =
                new ForwardingFiles() {
                    @Override
                    public ReadProfile profile() {
                        return new ReadProfile(16, 1 << 20, 16 << 20);
                    }

                    @Override
                    public RangeReader open(FileStatus pinned) {
                        RangeReader reader = super.open(pinned);
                        return new RangeReader() {
                            @Override
                            public FileStatus status() {
                                return reader.status();
                            }

                            @Override
                            public void readFully(long position, ByteBuffer into) {
                                requests.incrementAndGet();
                                reader.readFully(position, into);
                            }

                            @Override
                            public void close() {
                                reader.close();
                            }
                        };
                    }
                };
        int[] batches = new int[70];
        Arrays.fill(batches, 100);
        Path path = write(true, -1, 0, batches);
        try (ArrowScans scans = new ArrowScans(slow, 256 << 20)) {
            FileStatus file = scans.status(path);
            ScanTask task = scans.tasks(file, scans.schema(file)).getFirst();
            assertThat(requests.getAndSet(0)).isLessThan(80);
            Values.assertSame(scans.read(task, 4096), expected(0, 7_000));
            // One for the metadata of a batch or two, and one for its buffers.
            assertThat(requests.get()).isLessThan(145);
            byte[] bytes = Files.readAllBytes(path);
            Files.write(path, Arrays.copyOf(bytes, bytes.length - 1));
            assertThatExceptionOfType(SpillwayException.class)
                    .isThrownBy(() -> scans.rows(path, 100))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT));
        }
    }

    @Test
    void aReleasedStreamGoesOnWhereItWas() throws IOException {
        Path path = write(false, -1, 0, 700, 1, 1_000);
        try (ArrowScans scans = new ArrowScans()) {
            FileStatus file = scans.status(path);
            ScanTask task = scans.tasks(file, scans.schema(file)).getFirst();
            List<List<@Nullable String>> rows = new ArrayList<>();
            try (ScanStream stream = scans.open(task.soon(3), 100)) {
                int batches = 0;
                while (true) {
                    if (stream.poll() instanceof Poll.Output<RecordBatch>(var early)) {
                        try (early) {
                            Values.append(early, rows);
                        }
                    } else {
                        try (RecordBatch batch = Scans.next(stream)) {
                            if (batch == null) {
                                break;
                            }
                            assertThat(batches > 0 || batch.rowCount() <= 3).isTrue();
                            Values.append(batch, rows);
                        }
                    }
                    batches++;
                    stream.release();
                }
            }
            assertThat(rows).isEqualTo(expected(0, 1_701));
        }
    }

    @Test
    void aStreamMayBeClosedAtAnyMoment() throws IOException {
        Path path = write(true, -1, 0, 30_000, 30_000, 30_000);
        try (ArrowScans scans = new ArrowScans()) {
            FileStatus file = scans.status(path);
            ScanTask task = scans.tasks(file, scans.schema(file)).getFirst();
            for (int polls = 0; polls < 40; polls++) {
                ScanStream stream = scans.open(task, 5_000);
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

    @Test
    void aFileThatHasChangedGivesNoRows() throws IOException {
        Path path = write(true, -1, 0, 100);
        try (ArrowScans scans = new ArrowScans()) {
            FileStatus file = scans.status(path);
            ScanTask task = scans.tasks(file, scans.schema(file)).getFirst();
            Files.setLastModifiedTime(path, FileTime.fromMillis(1));
            assertThatExceptionOfType(SpillwayException.class)
                    .isThrownBy(() -> scans.read(task, 10))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_CHANGED));
        }
    }
}
