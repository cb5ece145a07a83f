package io.spillway.benchmark;

import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.catalog.ConfiguredCatalog;
import io.spillway.catalog.Snapshot;
import io.spillway.encode.EncodedChunk;
import io.spillway.encode.JsonFormat;
import io.spillway.execution.PartitionScheduler;
import io.spillway.memory.MemoryPool;
import io.spillway.plan.document.PlanLimits;
import io.spillway.plan.document.PlanRequestParser;
import io.spillway.plan.logical.PlanCompiler;
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
import io.spillway.testing.SpillFolders;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * The process that measures Spillway's engine alone, without a network: rows as Arrow vectors
 * ({@code arrow COLUMNS}, {@code *} for all) or as text that is dropped ({@code ndjson}); how many
 * rows a filter leaves ({@code count CONDITION}), and, once that is known, 100 of them ({@code page
 * OFFSET CONDITION}). Reads commands from standard input, a line each, and answers each with rows,
 * bytes and nanoseconds on standard output.
 */
final class EngineServer {

    /** Row groups of long texts may be one page a column, which two threads hold side by side. */
    private static final long BUDGET = 1L << 30;

    private static final int BATCH_ROWS = 4096;

    private static final long PAGE_ROWS = 100;

    private static final JsonFormat NDJSON =
            new JsonFormat(JsonFormat.Layout.LINES, false, false, false);

    private final Map<String, ScanFormat> formats;
    private final String glob;
    private final Snapshot snapshot;
    private final PlanCompiler compiler;
    private final Map<String, RowSource> counted = new HashMap<>();
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
        this.glob = glob;
        compiler = new PlanCompiler(catalog, PlanLimits.defaults(), Clock.systemUTC());
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
        String[] words = command.split(" ", 3);
        RowSource source =
                switch (words[0]) {
                    case "arrow" -> source(words[1]);
                    case "ndjson" -> source("*");
                    case "count" -> filtered(command.substring(6));
                    default -> counted(words[2]);
                };
        long start = System.nanoTime();
        long[] sums =
                switch (words[0]) {
                    case "arrow" -> arrow(source, 0, Long.MAX_VALUE);
                    case "ndjson" -> ndjson(source);
                    case "count" -> count(source);
                    default -> page(source, Long.parseLong(words[1]));
                };
        return sums[0] + " " + sums[1] + " " + (System.nanoTime() - start);
    }

    private long[] arrow(RowSource source, long from, long to) {
        return drain(
                source.open(from, to, context()),
                RecordBatch::rowCount,
                RecordBatch::bytes,
                RecordBatch::close);
    }

    private long[] ndjson(RowSource source) {
        return drain(
                EncodedRows.open(source, 0, Long.MAX_VALUE, NDJSON, context()),
                EncodedChunk::rows,
                EncodedChunk::length,
                EncodedChunk::close);
    }

    /** Counts rows. */
    private long[] count(RowSource source) {
        drain(source.count(Long.MAX_VALUE, context()), _ -> 0, _ -> 0, _ -> {});
        return new long[] {source.rowCount().orElseThrow(), 0};
    }

    /** All files' columns, of the rows for which a condition is true. */
    private RowSource filtered(String condition) {
        String plan =
                """
                {"plan": {"from": {"files": {"format": "parquet", "paths": ["%s"]}},
                          "steps": [{"op": "filter", "where": "%s"}]}}
                """
                        .formatted(glob, condition);
        return RowSources.of(
                compiler.compile(
                                new PlanRequestParser(PlanLimits.defaults())
                                        .parse(plan.getBytes(StandardCharsets.UTF_8)))
                        .plan());
    }

    /** The same, and where each row is has been found out. */
    private RowSource counted(String condition) {
        return counted.computeIfAbsent(
                condition,
                _ -> {
                    RowSource source = filtered(condition);
                    count(source);
                    return source;
                });
    }

    private long[] page(RowSource source, long offset) {
        return arrow(source, offset, offset + PAGE_ROWS);
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
                SpillFolders.space(pool),
                scheduler.group(),
                scheduler.parallelism(),
                BATCH_ROWS,
                waiting,
                ScanMetrics.NONE,
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
