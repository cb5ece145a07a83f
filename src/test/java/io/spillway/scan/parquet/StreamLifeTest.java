package io.spillway.scan.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.Pruned;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.ScanTask;
import io.spillway.storage.FileStatus;
import io.spillway.storage.RangeReader;
import io.spillway.testing.ForwardingFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stream never waits, can be let go and taken up again, and leaves nothing behind. */
class StreamLifeTest {

    /** So many that the file is too large to come with its footer. */
    private static final int ROWS = 8000;

    /** Local files whose reads wait for permits, and whose open handles are counted. */
    private static final class GatedFiles extends ForwardingFiles {

        private final Semaphore reads = new Semaphore(1 << 29);
        private final AtomicInteger open = new AtomicInteger();

        @Override
        public RangeReader open(FileStatus pinned) {
            RangeReader reader = super.open(pinned);
            open.incrementAndGet();
            return new RangeReader() {
                @Override
                public FileStatus status() {
                    return reader.status();
                }

                @Override
                public void readFully(long position, ByteBuffer into) {
                    reads.acquireUninterruptibly();
                    reader.readFully(position, into);
                }

                @Override
                public void close() {
                    open.decrementAndGet();
                    reader.close();
                }
            };
        }
    }

    /** What was told. */
    private static final class Counts implements ScanMetrics {

        private final LongAdder bytes = new LongAdder();
        private final LongAdder decoded = new LongAdder();
        private final LongAdder skipped = new LongAdder();

        @Override
        public void fileOpened() {}

        @Override
        public void bytesRead(long n) {
            bytes.add(n);
        }

        @Override
        public void pageDecoded(long uncompressedBytes) {
            decoded.increment();
        }

        @Override
        public void pageSkipped() {
            skipped.increment();
        }

        @Override
        public void pruned(Pruned what) {}
    }

    @TempDir Path folder;
    private final GatedFiles files = new GatedFiles();
    private final Counts counts = new Counts();
    private final Scans scans = new Scans(files, counts);
    private Path file;
    private ScanTask task;

    @BeforeEach
    void write() throws IOException {
        file = folder.resolve("file.parquet");
        write(file);
        task = scans.task(file, 0);
    }

    private static void write(Path file) throws IOException {
        Random random = new Random(5);
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            rows.add(List.of((long) i, random.nextDouble(), "text " + random.nextInt(100)));
        }
        ParquetFile.write(
                file,
                "message m { required int64 i; required double d; required binary s (STRING); }",
                rows,
                ParquetFile.Options.DEFAULT
                        .codec(CompressionCodecName.ZSTD)
                        .dictionaryBytes(2000)
                        .pageRows(250));
    }

    @AfterEach
    void close() throws InterruptedException {
        files.reads.release(1 << 20);
        scans.close();
        for (int i = 0; i < 500 && files.open.get() > 0; i++) {
            Thread.sleep(10);
        }
        assertThat(files.open).hasValue(0);
    }

    private static List<List<@Nullable String>> take(BatchStream stream, int batches) {
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (int i = 0; i < batches; i++) {
            try (RecordBatch batch = Scans.next(stream)) {
                if (batch == null) {
                    return rows;
                }
                Values.append(batch, rows);
            }
        }
        return rows;
    }

    private static SpillwayException failure(BatchStream stream) {
        return assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(() -> take(stream, Integer.MAX_VALUE))
                .actual();
    }

    @Test
    void isBlockedWhileBytesAreUnderWay() {
        files.reads.drainPermits();
        try (BatchStream stream = scans.format.open(task, 100, scans.pool, scans.metrics)) {
            for (int i = 0; i < 100; i++) {
                assertThat(stream.poll()).isInstanceOf(Poll.Blocked.class);
            }
            files.reads.release(1000);

            assertThat(take(stream, Integer.MAX_VALUE)).hasSize(ROWS);
        }
    }

    @Test
    void releaseGivesEverythingBackAndGoesOnAtTheSameRow() {
        List<List<@Nullable String>> all = scans.read(task, 100);
        try (BatchStream stream = scans.format.open(task, 100, scans.pool, scans.metrics)) {
            stream.release();
            for (int batch = 0; batch < ROWS / 100; batch++) {
                assertThat(take(stream, 1)).isEqualTo(all.subList(batch * 100, batch * 100 + 100));
                stream.release();
                assertThat(scans.pool.held()).isZero();
                assertThat(files.open).hasValue(0);
            }
            assertThat(stream.poll()).isInstanceOf(Poll.Finished.class);
        }
    }

    @Test
    void releaseInTheMiddleOfABatch() {
        List<List<@Nullable String>> all = scans.read(task, 100);
        files.reads.drainPermits();
        try (BatchStream stream = scans.format.open(task, 300, scans.pool, scans.metrics)) {
            List<List<@Nullable String>> rows = new ArrayList<>();
            for (int i = 0; rows.size() < ROWS; i++) {
                files.reads.release();
                switch (stream.poll()) {
                    case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                        try (batch) {
                            Values.append(batch, rows);
                        }
                    }
                    case Poll.Blocked<RecordBatch>(var until) ->
                            until.handle((_, _) -> true)
                                    .completeOnTimeout(false, 1, TimeUnit.MILLISECONDS)
                                    .join();
                    case Poll.Finished<RecordBatch> _ -> assertThat(rows).hasSize(ROWS);
                }
                if (i % 7 == 3) {
                    stream.release();
                }
            }
            assertThat(rows).isEqualTo(all);
        }
    }

    @Test
    void closeInEveryState() {
        for (int permits = 0; permits < 12; permits++) {
            files.reads.drainPermits();
            files.reads.release(permits);
            BatchStream stream = scans.format.open(task, 100, scans.pool, scans.metrics);
            for (int i = 0; i < permits * 3; i++) {
                if (stream.poll() instanceof Poll.Output<RecordBatch>(RecordBatch batch)) {
                    batch.close();
                }
            }
            stream.close();
            stream.close();
        }
    }

    @Test
    void batchesOutliveTheirStream() {
        RecordBatch batch;
        try (BatchStream stream = scans.format.open(task, 100, scans.pool, scans.metrics)) {
            batch = Scans.next(stream);
        }
        List<List<@Nullable String>> rows = new ArrayList<>();
        try (RecordBatch left = batch) {
            assertThat(left).isNotNull();
            if (left != null) {
                Values.append(left, rows);
            }
        }
        assertThat(rows).isEqualTo(scans.read(Scans.rows(task, 0, 100), 100));
    }

    @Test
    void aFileThatWasReplacedIsNotRead() throws IOException {
        Path other = folder.resolve("other.parquet");
        write(other);
        Files.setLastModifiedTime(other, FileTime.fromMillis(task.file().modifiedMillis()));
        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);

        try (BatchStream stream = scans.format.open(task, 100, scans.pool, scans.metrics)) {
            SpillwayException e = failure(stream);
            assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_CHANGED);
            assertThat(e.context()).containsEntry(SpillwayException.FILE, task.file().uri());
        }
    }

    @Test
    void aFileThatChangesWhileNobodyReadsIsNotReadOn() throws IOException {
        try (BatchStream stream = scans.format.open(task, 100, scans.pool, scans.metrics)) {
            assertThat(take(stream, 3)).hasSize(300);
            stream.release();
            Files.write(file, new byte[1], StandardOpenOption.APPEND);

            assertThat(failure(stream).code()).isEqualTo(ErrorCode.SOURCE_CHANGED);
        }
    }

    @Test
    void aFileThatIsCutWhileItIsReadIsASourceThatChanged() throws IOException {
        files.reads.drainPermits();
        try (BatchStream stream = scans.format.open(task, 100, scans.pool, scans.metrics)) {
            assertThat(stream.poll()).isInstanceOf(Poll.Blocked.class);
            Files.write(file, new byte[100]);
            files.reads.release(1000);

            assertThat(failure(stream).code()).isEqualTo(ErrorCode.SOURCE_CHANGED);
        }
    }

    @Test
    void aFileThatIsGoneIsASourceThatChanged() throws IOException {
        Files.delete(file);
        try (BatchStream stream = scans.format.open(task, 100, scans.pool, scans.metrics)) {
            assertThat(failure(stream).code()).isEqualTo(ErrorCode.SOURCE_CHANGED);
        }
    }

    @Test
    void changesAreNoticedWithoutColumnsToo() throws IOException {
        ScanTask none = Scans.columns(task);
        assertThat(scans.read(none, 1000)).hasSize(ROWS);
        Files.write(file, new byte[1], StandardOpenOption.APPEND);

        try (BatchStream stream = scans.format.open(none, 100, scans.pool, scans.metrics)) {
            assertThat(failure(stream).code()).isEqualTo(ErrorCode.SOURCE_CHANGED);
        }
    }

    @Test
    void pagesBeforeTheFirstRowAreNotLookedAtWhereAnIndexTellsTheirPlaces() {
        long before = counts.decoded.sum();
        ScanTask last = Scans.columns(Scans.rows(task, ROWS - 10, ROWS), "d");

        assertThat(scans.read(last, 10)).hasSize(10);
        assertThat(counts.decoded.sum() - before).isLessThanOrEqualTo(2);
        assertThat(counts.skipped.sum()).isZero();
    }

    @Test
    void onlyTheColumnsThatAreAskedForAreRead() {
        long before = counts.bytes.sum();
        scans.read(Scans.columns(task, "s"), 100);
        long one = counts.bytes.sum() - before;
        scans.read(task, 100);
        long all = counts.bytes.sum() - before - one;

        assertThat(one).isPositive().isLessThan(all / 4);
        assertThat(all).isLessThanOrEqualTo(task.file().size());
    }

    @Test
    void aStreamHoldsNoMoreThanWasEstimated() {
        long estimate = scans.format.estimateBytes(task, 512);
        try (BatchStream stream = scans.format.open(task, 512, scans.pool, scans.metrics)) {
            take(stream, Integer.MAX_VALUE);
        }
        assertThat(scans.pool.peak()).isLessThanOrEqualTo(estimate);
    }

    /** A large row group of small pages: what is held follows from the pages. */
    @Test
    void theEstimateFollowsThePages() throws IOException {
        Path large = folder.resolve("large.parquet");
        Random random = new Random(6);
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < 60_000; i++) {
            byte[] text = new byte[160];
            random.nextBytes(text);
            rows.add(List.of(text));
        }
        ParquetFile.write(
                large,
                "message m { required binary s; }",
                rows,
                ParquetFile.Options.DEFAULT.dictionary(false).pageRows(1000));
        ScanTask all = scans.task(large, 0);
        long estimate = scans.format.estimateBytes(all, 512);
        try (BatchStream stream = scans.format.open(all, 512, scans.pool, scans.metrics)) {
            take(stream, Integer.MAX_VALUE);
        }

        assertThat(estimate)
                .isGreaterThanOrEqualTo(scans.pool.peak())
                .isLessThan(all.file().size());
    }

    @Test
    void aPoolThatIsTooSmallIsATypedErrorAndLeaksNothing() {
        for (long limit = 0; limit < 400_000; limit += 20_000) {
            var pool = scans.pool.child("small", limit);
            try (BatchStream stream = scans.format.open(task, 100, pool, scans.metrics)) {
                List<List<@Nullable String>> rows = take(stream, Integer.MAX_VALUE);
                assertThat(rows).hasSize(ROWS);
            } catch (SpillwayException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT);
            }
            Scans.closeOnceFree(pool);
        }
    }
}
