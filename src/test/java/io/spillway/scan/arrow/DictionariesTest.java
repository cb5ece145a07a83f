package io.spillway.scan.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.Dictionary;
import io.spillway.batch.RecordBatch;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.ScanStream;
import io.spillway.scan.ScanTask;
import io.spillway.scan.parquet.Scans;
import io.spillway.storage.FileStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dictionaries that change from one record batch to the next. */
class DictionariesTest {

    private static final Schema SCHEMA = new Schema(List.of(ArrowWriting.encodedTexts("where")));

    @TempDir Path folder;

    private Path write(byte[] bytes) throws IOException {
        return Files.write(Files.createTempFile(folder, "dictionaries", ".arrow"), bytes);
    }

    private List<@Nullable String> read(byte[] bytes, int batchRows) throws IOException {
        Path file = write(bytes);
        try (ArrowScans scans = new ArrowScans()) {
            List<@Nullable String> values = new ArrayList<>();
            scans.rows(file, batchRows).forEach(row -> values.add(row.getFirst()));
            return values;
        }
    }

    private static ArrowWriting changing(ArrowWriting writing) {
        return writing.dictionary(false, "north")
                .indices(0)
                .dictionary(false, "south", "east")
                .indices(0, 1)
                .dictionary(true, "west")
                .indices(2, null)
                .dictionary(false, "north")
                .indices(0);
    }

    @Test
    void aDictionaryHoldsUntilItIsReplacedAndADeltaAddsToIt() throws IOException {
        for (int batchRows : new int[] {1, 2, 100}) {
            try (ArrowWriting stream = ArrowWriting.stream(SCHEMA);
                    ArrowWriting file = ArrowWriting.file(SCHEMA)) {
                assertThat(read(changing(stream).end(), batchRows))
                        .containsExactly("north", "south", "east", "west", null, "north");
                assertThat(read(changing(file).end(), batchRows))
                        .containsExactly("north", "south", "east", "west", null, "north");
            }
        }
    }

    @Test
    void anyRowHasTheDictionaryOfItsPlace() throws IOException {
        try (ArrowWriting stream = ArrowWriting.stream(SCHEMA);
                ArrowScans scans = new ArrowScans()) {
            FileStatus file = scans.status(write(changing(stream).end()));
            ScanTask task = scans.tasks(file, scans.schema(file)).getFirst();
            for (int from = 0; from < 6; from++) {
                assertThat(scans.read(task.between(from, 6), 2))
                        .isEqualTo(scans.read(task, 100).subList(from, 6));
            }
        }
    }

    @Test
    void aFilesDictionariesHoldForAllOfIt() throws IOException {
        try (ArrowWriting file = ArrowWriting.file(SCHEMA)) {
            byte[] bytes =
                    file.indices(2, 1)
                            .dictionary(false, "a", "b")
                            .indices(0)
                            .dictionary(true, "c")
                            .reversed()
                            .end();
            assertThat(read(bytes, 10)).containsExactly("a", "c", "b");
        }
    }

    @Test
    void entriesMayBeNull() throws IOException {
        try (ArrowWriting stream = ArrowWriting.stream(SCHEMA)) {
            byte[] bytes =
                    stream.dictionary(false, "a", null)
                            .indices(0, 1, null)
                            .dictionary(true, null, "b")
                            .indices(0, 1, 2, 3)
                            .end();
            assertThat(read(bytes, 10)).containsExactly("a", null, null, "a", null, null, "b");
        }
    }

    @Test
    void aDictionaryThatHoldsIsTheSameObject() throws IOException {
        try (ArrowWriting stream = ArrowWriting.stream(SCHEMA);
                ArrowScans scans = new ArrowScans()) {
            byte[] bytes = stream.dictionary(false, "a").indices(0).indices(0, 0).end();
            FileStatus file = scans.status(write(bytes));
            ScanTask task = scans.tasks(file, scans.schema(file)).getFirst();
            try (ScanStream rows = scans.open(task, 10);
                    RecordBatch first = Scans.next(rows);
                    RecordBatch second = Scans.next(rows)) {
                assertThat(dictionary(first)).isNotNull().isSameAs(dictionary(second));
            }
        }
    }

    private static @Nullable Dictionary dictionary(@Nullable RecordBatch batch) {
        return batch != null && batch.column(0) instanceof ColumnVector.Encoded encoded
                ? encoded.dictionary()
                : null;
    }

    @Test
    void whatPointsToNoEntryIsRefused() throws IOException {
        try (ArrowWriting stream = ArrowWriting.stream(SCHEMA)) {
            refused(stream.dictionary(false, "a").indices(0).indices(0, 1).end(), 1);
        }
        try (ArrowWriting stream = ArrowWriting.stream(SCHEMA)) {
            refused(stream.dictionary(false, "a").indices(-1).end(), 0);
        }
        try (ArrowWriting stream = ArrowWriting.stream(SCHEMA)) {
            refused(stream.indices(0).dictionary(false, "a").end(), 0);
        }
        try (ArrowWriting stream = ArrowWriting.stream(SCHEMA)) {
            refused(stream.dictionary(true, "a").indices(0).end(), 0);
        }
    }

    private void refused(byte[] bytes, int batch) throws IOException {
        Path path = write(bytes);
        assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(
                        () -> {
                            try (ArrowScans scans = new ArrowScans()) {
                                scans.rows(path, 10);
                            }
                        })
                .satisfies(
                        e -> {
                            assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT);
                            assertThat(e.context())
                                    .containsEntry("file", path.toUri().toString())
                                    .containsEntry("recordBatch", batch);
                        });
    }
}
