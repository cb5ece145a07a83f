package io.spillway.encode;

import io.spillway.batch.RecordBatch;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Batches of {@link TripsData} encoded by one thread: rows, and bytes, a second. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"
        })
public class EncodeBenchmark {

    private static final int BATCH_ROWS = 4096;
    private static final int ROWS = 30 * BATCH_ROWS;

    private static final JsonFormat ROWS_OF_JSON =
            new JsonFormat(JsonFormat.Layout.LINES, false, false, false);

    /** How the columns of few values come. */
    public enum Form {
        PLAIN,
        DICTIONARY
    }

    /** What becomes of them. */
    public enum Target {
        NDJSON,
        CSV,
        ARROW,
        EVENT_A_ROW,
        EVENT_A_THOUSAND;

        private RowFormat format() {
            return switch (this) {
                case NDJSON -> ROWS_OF_JSON;
                case CSV -> new CsvFormat(false);
                case ARROW -> new ArrowFormat(false);
                case EVENT_A_ROW ->
                        new GroupFormat(ROWS_OF_JSON, 0, 1, new RowEvents(EncodeBenchmark::id));
                case EVENT_A_THOUSAND ->
                        new GroupFormat(ROWS_OF_JSON, 0, 1000, new RowEvents(EncodeBenchmark::id));
            };
        }
    }

    /** What was encoded. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Encoded {
        public long rows;
        public long bytes;
    }

    @Param public Form form = Form.PLAIN;

    @Param public Target target = Target.NDJSON;

    private final BufferAllocator allocator = new RootAllocator();
    private RecordBatch[] batches = {};

    @Setup
    public void setUp() {
        batches = new RecordBatch[ROWS / BATCH_ROWS];
        try (RecordBatch all = TripsData.batch(ROWS, form == Form.DICTIONARY, allocator)) {
            for (int i = 0; i < batches.length; i++) {
                batches[i] = all.slice(i * BATCH_ROWS, BATCH_ROWS);
            }
        }
    }

    @TearDown
    public void tearDown() {
        for (RecordBatch batch : batches) {
            batch.close();
        }
        allocator.close();
    }

    /** One partition, as a reader would see it: an encoder of its own and all its batches. */
    @Benchmark
    public void partition(Encoded encoded) {
        try (BatchEncoder encoder = BatchEncoders.of(TripsData.SCHEMA, target.format())) {
            long first = 0;
            for (RecordBatch batch : batches) {
                int rows = batch.rowCount();
                for (int row = 0; row < rows; ) {
                    try (EncodedChunk chunk = encoder.encode(batch, first, row, rows, allocator)) {
                        row += (int) chunk.rows();
                        encoded.rows += chunk.rows();
                        encoded.bytes += chunk.length();
                    }
                }
                first += rows;
            }
        }
    }

    /** An event id of usual length. */
    private static String id(long row) {
        return "0123456789abcdefghijklmnop." + row + ".012345";
    }

    /** Runs this benchmark alone. */
    public static void main(String[] args) throws RunnerException {
        new Runner(new OptionsBuilder().include(EncodeBenchmark.class.getName()).build()).run();
    }
}
