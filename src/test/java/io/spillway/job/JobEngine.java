package io.spillway.job;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.Poll;
import io.spillway.batch.RowSchema;
import io.spillway.encode.EncodedChunk;
import io.spillway.encode.JsonFormat;
import io.spillway.execution.PartitionScheduler;
import io.spillway.expression.Expression;
import io.spillway.memory.MemoryPool;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.scan.ScanMetrics;
import io.spillway.testing.SpillFolders;
import io.spillway.testing.SpoolFolders;
import java.io.ByteArrayOutputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;

/** Jobs over rows that stand in their plans, with real scheduler, memory and store. */
final class JobEngine implements AutoCloseable {

    static final JsonFormat LINES = new JsonFormat(JsonFormat.Layout.LINES, false, false, false);

    final MemoryPool memory;
    final PartitionScheduler scheduler;
    final JobStore store;
    final JobManager manager;
    private final ExecutorService waiting = Executors.newVirtualThreadPerTaskExecutor();

    JobEngine(long budget, Duration stall) {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        store = JobStoreContract.migrated(database);
        memory = MemoryPool.root(budget);
        scheduler = new PartitionScheduler(2, Duration.ofSeconds(1), memory::isShort);
        JobSettings settings =
                new JobSettings(
                        Duration.ofHours(1),
                        Duration.ofHours(1),
                        100,
                        Duration.ofHours(1),
                        100,
                        budget,
                        stall,
                        Duration.ofSeconds(1),
                        Duration.ofHours(1));
        manager =
                new JobManager(
                        store,
                        settings,
                        Map.of(),
                        scheduler,
                        memory,
                        SpillFolders.manager(),
                        SpoolFolders.manager(SpillFolders.folder(), database, 1L << 30, waiting),
                        ScanMetrics.NONE,
                        waiting,
                        Clock.systemUTC());
    }

    /** A stored job of rows 0 to n − 1. */
    Job job(int rows) {
        ColumnType type = new ColumnType.Int(64, true);
        RowSchema schema = new RowSchema(List.of(new ColumnSchema("n", type, false)));
        PhysicalPlan plan =
                new PhysicalPlan.Values(
                        schema,
                        LongStream.range(0, rows)
                                .mapToObj(
                                        n ->
                                                List.of(
                                                        new Expression.Literal(
                                                                type, Long.toString(n))))
                                .toList());
        Instant now = Instant.now();
        Job job =
                new Job(
                        JobIds.next(),
                        "ann",
                        null,
                        now,
                        Duration.ofHours(1),
                        now.plus(Duration.ofHours(1)),
                        Job.StoredState.READY,
                        null,
                        "{}",
                        "",
                        "",
                        plan,
                        "0".repeat(64),
                        100,
                        memory.limit(),
                        null);
        return store.add(job, "{}", null);
    }

    JobReader read(Job job, long from) {
        return manager.open(JobPart.all(job), Reading.rows(from, Long.MAX_VALUE, LINES));
    }

    /** The next bytes of a reader, waiting for them; null at the end. */
    static byte @Nullable [] next(JobReader reader) throws Exception {
        while (true) {
            switch (reader.poll()) {
                case Poll.Output<EncodedChunk>(EncodedChunk chunk) -> {
                    try (chunk) {
                        byte[] bytes = new byte[chunk.length()];
                        chunk.bytes().getBytes(0, bytes);
                        return bytes;
                    }
                }
                case Poll.Blocked<EncodedChunk>(CompletableFuture<?> until) ->
                        until.handle((done, failure) -> null).get(30, TimeUnit.SECONDS);
                case Poll.Finished<EncodedChunk>() -> {
                    return null;
                }
            }
        }
    }

    /** All bytes that are left of a reader. */
    static byte[] rest(JobReader reader) throws Exception {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] bytes = next(reader); bytes != null; bytes = next(reader)) {
            all.writeBytes(bytes);
        }
        return all.toByteArray();
    }

    @Override
    public void close() {
        manager.close();
        scheduler.close();
        waiting.close();
    }
}
