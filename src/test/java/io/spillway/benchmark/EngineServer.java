package io.spillway.benchmark;

import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.catalog.ConfiguredCatalog;
import io.spillway.catalog.Snapshot;
import io.spillway.encode.BatchEncoders;
import io.spillway.encode.EncodedChunk;
import io.spillway.encode.RowFormat;
import io.spillway.execution.PartitionScheduler;
import io.spillway.memory.MemoryPool;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.rows.EncodedRows;
import io.spillway.rows.Ending;
import io.spillway.rows.ReadContext;
import io.spillway.rows.RowSource;
import io.spillway.rows.RowSources;
import io.spillway.scan.ScanFormat;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.parquet.ParquetFormat;
import io.spillway.storage.LocalFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * The process that measures Spillway's engine alone, without a network: rows as Arrow vectors
 * ({@code arrow COLUMNS}, {@code *} for all) or as text that is dropped ({@code ndjson}). Reads
 * commands from standard input, a line each, and answers each with rows, bytes and nanoseconds on
 * standard output.
 */
final class EngineServer {

    /** Row groups of long texts may be one page a column, which two threads hold side by side. */
    private static final long BUDGET = 1L << 30;

    private static final int BATCH_ROWS = 4096;

    private static final RowFormat NDJSON =
            new RowFormat(RowFormat.Layout.LINES, false, false, false);

    private final Map<String, ScanFormat> formats;
    private final Snapshot snapshot;
    private final PartitionScheduler scheduler;
    private final MemoryPool pool = MemoryPool.root(BUDGET);
    private final ExecutorService waiting = Executors.newVirtualThreadPerTaskExecutor();

    private EngineServer(int threads, String glob) {
        LocalFiles files = new LocalFiles();
        ScanFormat parquet = new ParquetFormat(_ -> files, 64L << 20, ScanMetrics.NONE);
        formats = Map.of(parquet.name(), parquet);
        ConfiguredCatalog catalog =
                new ConfiguredCatalog(
                        Map.of(files.scheme(), files),
                        List.of(parquet),
                        Map.of(),
                        List.of(Path.of(glob).getRoot().toString()),
                        Integer.MAX_VALUE);
        snapshot = catalog.files(parquet.name(), List.of(glob), Map.of());
        scheduler = new PartitionScheduler(threads, Duration.ofSeconds(1), pool::isShort);
    }

    /**
     * Serves until its input ends.
     *
     * @param args the number of threads, and the files' glob
     */
    public static void main(String[] args) throws IOException {
        PrintStream answers = CommandProcess.answers();
        EngineServer server = new EngineServer(Integer.parseInt(args[0]), args[1]);
        answers.println("Spillway");
        try (BufferedReader commands =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                answers.println(server.answer(line));
            }
        }
        System.exit(0);
    }

    private String answer(String command) {
        long start = System.nanoTime();
        long[] sums = command.equals("ndjson") ? ndjson() : arrow(command.substring(6));
        return sums[0] + " " + sums[1] + " " + (System.nanoTime() - start);
    }

    private long[] arrow(String columns) {
        RowSource source = source(columns);
        return drain(
                source.open(0, Long.MAX_VALUE, context()),
                RecordBatch::rowCount,
                RecordBatch::bytes,
                RecordBatch::close);
    }

    private long[] ndjson() {
        RowSource source = source("*");
        return drain(
                EncodedRows.open(
                        source,
                        0,
                        Long.MAX_VALUE,
                        () -> BatchEncoders.json(source.schema(), NDJSON),
                        context()),
                EncodedChunk::rows,
                EncodedChunk::length,
                EncodedChunk::close);
    }

    private RowSource source(String columns) {
        RowSchema all = snapshot.schema();
        RowSchema wanted =
                columns.equals("*")
                        ? all
                        : new RowSchema(
                                Arrays.stream(columns.split(",", -1))
                                        .map(name -> all.column(all.indexOf(name)))
                                        .toList());
        return RowSources.of(new PhysicalPlan.Scan(snapshot.format(), snapshot.files(), wanted));
    }

    private ReadContext context() {
        return new ReadContext(
                formats,
                pool,
                scheduler.group(),
                scheduler.parallelism(),
                BATCH_ROWS,
                waiting,
                ScanMetrics.NONE,
                _ -> {},
                Ending.STOP);
    }

    /** Rows and bytes of all that a stream gives. */
    private static <T> long[] drain(
            PollStream<T> stream,
            ToLongFunction<T> rows,
            ToLongFunction<T> bytes,
            Consumer<T> close) {
        long[] sums = new long[2];
        try (stream) {
            while (true) {
                switch (stream.poll()) {
                    case Poll.Output<T>(T item) -> {
                        sums[0] += rows.applyAsLong(item);
                        sums[1] += bytes.applyAsLong(item);
                        close.accept(item);
                    }
                    case Poll.Blocked<T>(var until) -> until.join();
                    case Poll.Finished<T> _ -> {
                        return sums;
                    }
                }
            }
        }
    }
}
