package io.spillway.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.execution.PartitionScheduler;
import io.spillway.memory.MemoryPool;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.rows.SharedRows.Company;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.Pruned;
import io.spillway.scan.ScanFile;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.parquet.ParquetFormat;
import io.spillway.storage.FileStatus;
import io.spillway.storage.LocalFiles;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.SpillFolders;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What holders of leases read of a Parquet file and decode of its pages, all at once and each at
 * its own pace: together hardly more than one scan.
 */
@SuppressWarnings("NullAway.Init") // the file is there before all tests
class LeaseScansTest {

    private static final int HOLDERS = 8;
    private static final LocalFiles FILES = new LocalFiles();

    private static final int ROWS = 1_000_000;

    @TempDir static Path folder;
    private static Path file;

    private final MemoryPool memory = MemoryPool.root(256 << 20);

    /** So that nothing is read again because this machine has other things to do. */
    private final PartitionScheduler scheduler =
            new PartitionScheduler(2, Duration.ofMinutes(5), memory::isShort);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicLong read = new AtomicLong();
    private final AtomicLong decoded = new AtomicLong();

    private final ScanMetrics metrics =
            new ScanMetrics() {
                @Override
                public void fileOpened() {}

                @Override
                public void bytesRead(long bytes) {
                    read.addAndGet(bytes);
                }

                @Override
                public void pageDecoded(long uncompressedBytes) {
                    decoded.addAndGet(uncompressedBytes);
                }

                @Override
                public void pageSkipped() {}

                @Override
                public void pruned(Pruned what) {}
            };

    private final ParquetFormat format =
            new ParquetFormat(scheme -> FILES, 1 << 20, ScanMetrics.NONE);

    @BeforeAll
    static void write() {
        file =
                ParquetFiles.write(
                        folder.resolve("rows.parquet"),
                        "SELECT range AS id, 'text of row ' || (range * 7919 % 1000003) AS name"
                                + " FROM range("
                                + ROWS
                                + ")",
                        "ROW_GROUP_SIZE 20000");
    }

    @AfterEach
    void close() {
        threads.close();
        scheduler.close();
        memory.close();
    }

    private RowSource source() {
        FileStatus status = FILES.status(file.toUri().toString());
        FileMetadata metadata = format.metadata(status);
        ScanFile scanned = new ScanFile(status, metadata.partitionRows());
        return RowSources.of(new PhysicalPlan.Scan("parquet", List.of(scanned), metadata.schema()));
    }

    private ReadContext context() {
        return new ReadContext(
                Map.of("parquet", format),
                memory,
                SpillFolders.space(memory),
                scheduler.group(),
                2,
                4_096,
                threads,
                metrics,
                Ending.STOP);
    }

    /** Reads to the end, and counts. */
    private static long rows(BatchStream stream) throws Exception {
        try (stream) {
            long rows = 0;
            while (true) {
                switch (stream.poll()) {
                    case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                        try (batch) {
                            rows += batch.rowCount();
                        }
                    }
                    case Poll.Blocked<RecordBatch>(CompletableFuture<?> until) ->
                            until.handle((done, failure) -> null).get(60, TimeUnit.SECONDS);
                    case Poll.Finished<RecordBatch>() -> {
                        return rows;
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"500, 1", "5000, 2", "20000, 3"})
    void holdersReadAllOnceTogether(int size, long seed) throws Exception {
        RowSource source = source();
        long total = rows(source.open(0, Long.MAX_VALUE, context()));
        long scanRead = read.getAndSet(0);
        long scanDecoded = decoded.getAndSet(0);

        SharedRows shared = new SharedRows(source, memory);
        AtomicInteger next = new AtomicInteger();
        SplittableRandom seeds = new SplittableRandom(seed);
        List<Future<Long>> holders = new ArrayList<>();
        for (int i = 0; i < HOLDERS; i++) {
            SplittableRandom random = seeds.split();
            holders.add(threads.submit(() -> hold(shared, next, size, total, random)));
        }
        long held = 0;
        for (Future<Long> holder : holders) {
            held += holder.get(5, TimeUnit.MINUTES);
        }
        shared.close();
        assertThat(held).isEqualTo(total);
        assertThat(read.get()).isLessThanOrEqualTo(scanRead * 12 / 10);
        assertThat(decoded.get()).isLessThanOrEqualTo(scanDecoded * 12 / 10);
    }

    /** One holder of lease after lease, until there are no more. */
    private long hold(
            SharedRows shared, AtomicInteger next, int size, long total, SplittableRandom random)
            throws Exception {
        long rows = 0;
        for (long from = (long) size * next.getAndIncrement();
                from < total;
                from = (long) size * next.getAndIncrement()) {
            LockSupport.parkNanos(random.nextInt(2_000_000));
            shared.joined(Company.PASSES);
            rows +=
                    rows(
                            shared.open(
                                    from, Math.min(from + size, total), Company.PASSES, context()));
            shared.left(Company.PASSES);
        }
        return rows;
    }
}
