package io.spillway.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.catalog.ConfiguredCatalog;
import io.spillway.catalog.DatasetDefinition;
import io.spillway.encode.EncodedChunk;
import io.spillway.encode.JsonFormat;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.execution.PartitionScheduler;
import io.spillway.expression.Decode;
import io.spillway.job.JdbcSpoolStore;
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
import io.spillway.spill.SpillManager;
import io.spillway.spill.SpillSpace;
import io.spillway.spool.SpoolManager;
import io.spillway.storage.LocalFiles;
import io.spillway.testing.SpoolFolders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.commons.io.file.PathUtils;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Engines of 1, 2 and 8 threads, without the service around them. What one of them gives, the
 * others give to the byte: in ample memory, in hardly any, and beside somebody who holds nearly
 * all.
 */
final class Engines implements AutoCloseable {

    private static final JsonFormat NDJSON =
            new JsonFormat(JsonFormat.Layout.LINES, false, false, false);
    private static final int BATCH_ROWS = 1024;
    private static final long QUOTA = 1L << 32;
    private static final long SEGMENT_BYTES = 1 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** What a job may take where it needs not spill. */
    private static final long AMPLE = 256 << 20;

    /**
     * What a job, or a hog beside it, leaves first where memory is scarce; as long as it is too
     * little to work, twice as much.
     */
    private static final long SCARCE = 1 << 20;

    private final Map<String, ScanFormat> formats;
    private final PlanCompiler compiler;
    private final ExecutorService waiting = Executors.newVirtualThreadPerTaskExecutor();
    private final Path folder;
    private final Path spoolFolder;
    private final SpillManager spill;
    private final SpoolManager spools;
    private final List<PartitionScheduler> schedulers;
    private int spilled;

    /**
     * Starts them.
     *
     * @param root the folder that they may read
     * @param datasets Parquet files by name
     */
    Engines(Path root, Map<String, Path> datasets) {
        LocalFiles files = new LocalFiles();
        ScanFormat parquet = new ParquetFormat(_ -> files, 64L << 20, ScanMetrics.NONE);
        formats = Map.of(parquet.name(), parquet);
        compiler =
                new PlanCompiler(
                        new ConfiguredCatalog(
                                Map.of(files.scheme(), files),
                                List.of(parquet),
                                datasets.entrySet().stream()
                                        .collect(
                                                Collectors.toMap(
                                                        Map.Entry::getKey,
                                                        e -> dataset(parquet, e.getValue()))),
                                List.of(root.toUri().toString()),
                                Integer.MAX_VALUE),
                        PlanLimits.defaults(),
                        Clock.systemUTC());
        try {
            folder = Files.createTempDirectory("spillway-engines").toRealPath();
            spoolFolder = Files.createDirectory(folder.resolve("spool"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        spill = SpillManager.open(folder.resolve("spill"), QUOTA, Decode::decode);
        spools =
                new SpoolManager(
                        new JdbcSpoolStore(JdbcClient.create(SpoolFolders.database())),
                        files,
                        spoolFolder.toUri().toString().replaceAll("/+$", ""),
                        QUOTA,
                        SEGMENT_BYTES,
                        Decode::decode,
                        waiting);
        schedulers =
                IntStream.of(1, 2, 8)
                        .mapToObj(
                                n -> new PartitionScheduler(n, Duration.ofSeconds(1), () -> false))
                        .toList();
    }

    private static DatasetDefinition dataset(ScanFormat format, Path file) {
        return new DatasetDefinition(format.name(), List.of(file.toString()), Map.of());
    }

    /** The rows that a plan has everywhere, as NDJSON. */
    synchronized List<String> rows(String plan) {
        PhysicalPlan physical =
                compiler.compile(
                                new PlanRequestParser(PlanLimits.defaults())
                                        .parse(
                                                "{\"plan\":%s}"
                                                        .formatted(plan)
                                                        .getBytes(StandardCharsets.UTF_8)))
                        .plan();
        String first = run(physical, schedulers.getFirst(), AMPLE, AMPLE / 2);
        boolean spills = false;
        for (PartitionScheduler scheduler : schedulers) {
            int threads = scheduler.parallelism();
            if (threads > 1) {
                same(run(physical, scheduler, AMPLE, AMPLE / 2), first, threads + " threads");
            }
            long before = spill.written();
            inTheLeast(
                    memory -> run(physical, scheduler, memory, AMPLE / 2),
                    first,
                    threads + " threads, little memory");
            inTheLeast(
                    left -> run(physical, scheduler, AMPLE, left),
                    first,
                    threads + " threads beside a hog");
            spills |= spill.written() > before;
        }
        spilled += spills ? 1 : 0;
        return first.lines().toList();
    }

    /** Runs a plan in the least memory in which it works. */
    private static void inTheLeast(LongFunction<String> run, String expected, String where) {
        for (long memory = SCARCE; ; memory *= 2) {
            try {
                same(run.apply(memory), expected, where);
                return;
            } catch (OutOfMemoryException | SpillwayException e) {
                if (!isTooLittle(e) || memory > AMPLE / 8) {
                    throw e;
                }
            }
        }
    }

    private static boolean isTooLittle(RuntimeException refused) {
        return refused instanceof OutOfMemoryException
                || (refused instanceof SpillwayException e && e.code() == ErrorCode.MEMORY_LIMIT);
    }

    private static void same(String actual, String expected, String where) {
        if (!actual.equals(expected)) {
            assertThat(actual.lines().toList()).as(where).isEqualTo(expected.lines().toList());
        }
    }

    /**
     * All rows, as text.
     *
     * @param limit of the job's memory
     * @param left what a hog leaves of the memory that all have for work
     */
    private String run(PhysicalPlan plan, PartitionScheduler scheduler, long limit, long left) {
        try (MemoryPool root = MemoryPool.root(AMPLE);
                MemoryPool pool = root.child("job", limit);
                SpillSpace space = spill.space("job", pool)) {
            try (Hog hog = new Hog(root, left)) {
                ReadContext context =
                        new ReadContext(
                                formats,
                                pool,
                                space,
                                scheduler.group(),
                                scheduler.parallelism(),
                                BATCH_ROWS,
                                waiting,
                                ScanMetrics.NONE,
                                Ending.STOP);
                RowSource source = RowSources.of(plan, spools.job(UUID.randomUUID().toString()));
                if (!source.reaches(0)) {
                    drain(source.count(0, context), hog, _ -> {});
                }
                ByteArrayOutputStream text = new ByteArrayOutputStream();
                drain(
                        EncodedRows.open(source, 0, Long.MAX_VALUE, NDJSON, context),
                        hog,
                        chunk -> take(chunk, text));
                return text.toString(StandardCharsets.UTF_8);
            } finally {
                settle(pool);
                assertThat(spill.files()).as("spill files").isZero();
                clean(spoolFolder);
            }
        }
    }

    private static void take(EncodedChunk chunk, ByteArrayOutputStream text) {
        try (chunk) {
            byte[] bytes = new byte[chunk.length()];
            chunk.bytes().getBytes(0, bytes);
            text.writeBytes(bytes);
        }
    }

    private static <T> void drain(PollStream<T> stream, Hog hog, Consumer<T> consumer) {
        try (stream) {
            while (true) {
                switch (stream.poll()) {
                    case Poll.Output<T>(T item) -> consumer.accept(item);
                    case Poll.Blocked<T>(var until) -> hog.await(until);
                    case Poll.Finished<T>() -> {
                        return;
                    }
                }
            }
        }
    }

    /** Tasks that were cancelled end in their own time. */
    private static void settle(MemoryPool pool) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(PATIENCE)
                .until(() -> pool.held() == 0 && pool.admitted() == 0);
    }

    private static void clean(Path folder) {
        try {
            PathUtils.cleanDirectory(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How many plans have spilled. */
    int spilled() {
        return spilled;
    }

    @Override
    public void close() {
        schedulers.forEach(PartitionScheduler::close);
        spill.close();
        waiting.close();
        try {
            PathUtils.deleteDirectory(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
