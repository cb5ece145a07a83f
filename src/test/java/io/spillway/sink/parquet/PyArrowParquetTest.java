package io.spillway.sink.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.RecordBatch;
import io.spillway.scan.parquet.Scans;
import io.spillway.scan.parquet.Values;
import io.spillway.storage.FileWriter;
import io.spillway.storage.LocalFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of random rows, read and validated by pyarrow, which writes what it has read. */
class PyArrowParquetTest {

    private static final int CASES = 12;
    private static final Path SCRIPT = Path.of("src/test/python/parquet_copy.py");

    @TempDir private Path folder;

    @Test
    void whatPyArrowReadsIsWhatWasWritten() throws Exception {
        Random random = new Random(11);
        List<List<List<@Nullable String>>> expected = new ArrayList<>();
        List<String> command =
                new ArrayList<>(
                        List.of(
                                System.getProperty("spillway.python", "python3"),
                                SCRIPT.toString()));
        for (int i = 0; i < CASES; i++) {
            Path file = folder.resolve(i + ".parquet");
            expected.add(write(new RandomTable(random.nextLong()), file));
            command.add(file.toString());
            command.add(copy(i).toString());
        }
        Path errors = folder.resolve("errors");
        Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(errors)).isZero();
        for (int i = 0; i < CASES; i++) {
            try (Scans scans = new Scans()) {
                Values.assertSame(scans.all(copy(i), 1_000), expected.get(i));
            }
        }
    }

    private Path copy(int number) {
        return folder.resolve(number + "-copy.parquet");
    }

    private static List<List<@Nullable String>> write(RandomTable table, Path file) {
        List<List<@Nullable String>> rows = new ArrayList<>();
        try (BufferAllocator allocator = new RootAllocator();
                ParquetSink sink =
                        new ParquetSink(
                                table.schema, 1 << 20, Long.MAX_VALUE, allocator, Map.of());
                FileWriter writer = new LocalFiles().create(file.toUri().toString());
                RecordBatch batch = table.batch(1_500, allocator)) {
            Values.append(batch, rows);
            sink.open(writer);
            assertThat(sink.write(batch, 0, batch.rowCount())).isEqualTo(batch.rowCount());
            sink.seal();
            sink.flush();
            sink.finish();
            writer.commit();
        }
        return rows;
    }
}
