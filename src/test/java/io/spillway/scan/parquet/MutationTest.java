package io.spillway.scan.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.spillway.batch.BatchStream;
import io.spillway.batch.RecordBatch;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.ScanTask;
import io.spillway.storage.FileStatus;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that were changed in all sorts of ways: rows, or a failure of one of a few codes, soon, and
 * within the memory that a reader was given. Where pages have checksums and only bytes of pages
 * were changed, the rows that come are the file's own.
 *
 * <p>A failure names the seed that makes its file again.
 */
@SuppressWarnings("NullAway.Init") // the folder and the files are there before all tests
class MutationTest {

    private static final Set<ErrorCode> ALLOWED =
            EnumSet.of(
                    ErrorCode.FILE_CORRUPT,
                    ErrorCode.FILE_NOT_SUPPORTED,
                    ErrorCode.SCHEMA_MISMATCH,
                    ErrorCode.MEMORY_LIMIT,
                    // INT96 timestamps that 64 bits do not hold
                    ErrorCode.INVALID_CAST);

    private static final int MUTATIONS = 100_000;
    private static final int FIXED = 600;
    private static final Duration FRESH = Duration.ofSeconds(3);

    private static final long BUDGET = 64 << 20;
    private static final long HEAP = 64 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int BATCH_ROWS = 1024;

    /** Files may truly have any number of rows once their numbers are changed. */
    private static final int ENOUGH_ROWS = 20_000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir static Path folder;
    private static Mutator mutator;
    private static final Map<String, List<List<@Nullable String>>> CHECKSUMMED = new HashMap<>();

    @BeforeAll
    static void makeGoodFiles() throws IOException, SQLException {
        List<MutableFile> files = MutationCorpus.files(folder);
        mutator = new Mutator(files);
        Path path = folder.resolve("good.parquet");
        for (MutableFile file : files) {
            if (file.isChecksummed()) {
                Files.write(path, file.bytes());
                Reading good = read(path);
                if (good.failure() == null) {
                    CHECKSUMMED.put(file.name(), good.rows());
                }
            }
        }
        assertThat(CHECKSUMMED).hasSizeGreaterThanOrEqualTo(5);
    }

    @Test
    void theSameChangesEveryTime() throws IOException {
        for (long seed = 0; seed < FIXED; seed++) {
            check(seed);
        }
    }

    @Test
    void otherChangesEveryTime(TestReporter reporter) throws IOException {
        long first = new Random().nextLong();
        reporter.publishEntry("first seed", Long.toString(first));
        long end = System.nanoTime() + FRESH.toNanos();
        for (long seed = first; System.nanoTime() < end; seed++) {
            check(seed);
        }
    }

    @Test
    @Tag("long")
    void aHundredThousandChanges(TestReporter reporter) throws IOException {
        long first = new Random().nextLong();
        reporter.publishEntry("first seed", Long.toString(first));
        for (long seed = first; seed < first + MUTATIONS; seed++) {
            check(seed);
        }
    }

    /**
     * What came of reading a file.
     *
     * @param rows as far as they came, and no more than were wanted
     * @param heap bytes that all threads together allocated
     */
    private record Reading(
            List<List<@Nullable String>> rows,
            @Nullable SpillwayException failure,
            Duration time,
            long heap) {}

    static void check(long seed) throws IOException {
        Mutant mutant = mutator.mutant(seed);
        Path path = folder.resolve("bad.parquet");
        Files.write(path, mutant.bytes());
        try {
            Reading reading = read(path);
            if (reading.time().compareTo(PATIENCE) > 0) {
                reading = read(path);
            }
            assertThat(reading.time()).isLessThan(PATIENCE);
            assertThat(reading.heap()).isLessThan(HEAP);
            SpillwayException failure = reading.failure();
            if (failure != null) {
                assertThat(ALLOWED).contains(failure.code());
                assertThat(failure.context()).containsKey(SpillwayException.FILE);
            }
            List<List<@Nullable String>> good = CHECKSUMMED.get(mutant.origin());
            if (mutant.inPages() && good != null) {
                Values.assertSame(
                        reading.rows(),
                        failure == null ? good : good.subList(0, reading.rows().size()));
            }
        } catch (RuntimeException | Error e) {
            throw new AssertionError("seed " + seed + ": " + mutant, e);
        }
    }

    /** Reads a file as the engine does, with nothing cached and a small budget. */
    private static Reading read(Path path) {
        List<List<@Nullable String>> rows = new ArrayList<>();
        long start = System.nanoTime();
        long allocated = THREADS.getTotalThreadAllocatedBytes();
        long ours = 0;
        SpillwayException failure = null;
        try (Scans scans = new Scans(BUDGET)) {
            FileStatus status = scans.status(path);
            FileMetadata metadata = scans.format.metadata(status);
            for (int p = 0; p < metadata.partitionRows().size(); p++) {
                long count = metadata.partitionRows().get(p);
                ScanTask task = new ScanTask(status, p, 0, count, metadata.schema());
                assertThat(scans.format.estimateBytes(task, BATCH_ROWS)).isNotNegative();
                try (BatchStream stream =
                        scans.format.open(task, BATCH_ROWS, scans.pool, scans.metrics)) {
                    int before = -1;
                    while (rows.size() < ENOUGH_ROWS && rows.size() > before) {
                        before = rows.size();
                        ours += append(stream, rows);
                    }
                }
            }
        } catch (SpillwayException e) {
            failure = e;
        }
        return new Reading(
                rows,
                failure,
                Duration.ofNanos(System.nanoTime() - start),
                THREADS.getTotalThreadAllocatedBytes() - allocated - ours);
    }

    /** Appends the next batch's rows, and gives the bytes of heap that this alone took. */
    private static long append(BatchStream stream, List<List<@Nullable String>> rows) {
        try (RecordBatch batch = Scans.next(stream)) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            if (batch != null) {
                Values.append(batch, rows);
            }
            return THREADS.getCurrentThreadAllocatedBytes() - before;
        }
    }
}
