package io.spillway.sink.parquet;

import io.spillway.batch.RecordBatch;
import io.spillway.scan.parquet.Scans;
import io.spillway.scan.parquet.Values;
import io.spillway.storage.FileWriter;
import io.spillway.storage.LocalFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;

/** Rows come back from the files as they went in. */
class ParquetSinkTest {

    private static List<List<@Nullable String>> read(Path file) {
        try (Scans scans = new Scans()) {
            return scans.all(file, 777);
        }
    }

    @Property(tries = 40)
    void rowsOfAnySchemaComeBack(@ForAll long seed) throws IOException {
        Random random = new Random(seed);
        RandomTable table = new RandomTable(seed);
        Path file = Files.createTempFile("sink", ".parquet");
        List<List<@Nullable String>> expected = new ArrayList<>();
        int batches = random.nextInt(4);
        long rowGroup = random.nextBoolean() ? 1 << 16 : 1 << 24;
        try (BufferAllocator allocator = new RootAllocator();
                ParquetSink sink =
                        new ParquetSink(
                                table.schema,
                                rowGroup,
                                Long.MAX_VALUE,
                                allocator,
                                Map.of("k", "v"));
                FileWriter writer = new LocalFiles().create(file.toUri().toString())) {
            sink.open(writer);
            for (int b = 0; b < batches; b++) {
                try (RecordBatch batch = table.batch(random.nextInt(3_000), allocator)) {
                    Values.append(batch, expected);
                    write(sink, batch);
                }
            }
            sink.seal();
            sink.flush();
            sink.finish();
            writer.commit();
        }
        Values.assertSame(read(file), expected);
        Files.delete(file);
    }

    private static void write(ParquetSink sink, RecordBatch batch) {
        int at = 0;
        while (at < batch.rowCount()) {
            at = sink.write(batch, at, batch.rowCount());
            if (sink.isFull()) {
                sink.seal();
                sink.flush();
            }
        }
    }
}
