package io.spillway.scan.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.spillway.batch.BatchStream;
import io.spillway.batch.RecordBatch;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.ScanTask;
import io.spillway.scan.parquet.Scans;
import io.spillway.scan.parquet.Values;
import io.spillway.storage.FileStatus;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files and streams that were changed in all sorts of ways: rows, or a failure of one of a few
 * codes that names the file, soon, and within the memory that a reader was given.
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
                    ErrorCode.MEMORY_LIMIT);

    private static final int MUTATIONS = 100_000;
    private static final int FIXED = 1000;
    private static final Duration FRESH = Duration.ofSeconds(3);

    private static final long BUDGET = 32 << 20;
    private static final long HEAP = 32 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int BATCH_ROWS = 64;

    /** Files may truly have any number of rows once their numbers are changed. */
    private static final int ENOUGH_ROWS = 2_000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir static Path folder;
    private static Mutator mutator;

    @BeforeAll
    static void makeGoodFiles() throws IOException, InterruptedException {
        List<Mutator.Origin> files = new ArrayList<>();
        for (Path file : PyArrowFiles.write(folder, "small")) {
            files.add(new Mutator.Origin(file.getFileName().toString(), Files.readAllBytes(file)));
        }
        mutator = new Mutator(files);
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
     * @param heap bytes that all threads together allocated
     */
    private record Reading(@Nullable SpillwayException failure, Duration time, long heap) {}

    private static void check(long seed) throws IOException {
        Mutator.Mutant mutant = mutator.mutant(seed);
        Path path = folder.resolve("bad.arrow");
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
        } catch (RuntimeException | Error e) {
            throw new AssertionError("seed " + seed + ": " + mutant, e);
        }
    }

    /** Reads a file as the engine does, with nothing cached and a small budget. */
    private static Reading read(Path path) {
        long start = System.nanoTime();
        long allocated = THREADS.getTotalThreadAllocatedBytes();
        long ours = 0;
        int rows = 0;
        SpillwayException failure = null;
        try (ArrowScans scans = new ArrowScans(BUDGET)) {
            FileStatus status = scans.status(path);
            FileMetadata metadata = scans.format.metadata(status);
            for (int p = 0; p < metadata.partitionRows().size(); p++) {
                long count = metadata.partitionRows().get(p);
                ScanTask task = new ScanTask(status, p, 0, count, metadata.schema());
                assertThat(scans.format.estimateBytes(task, BATCH_ROWS)).isNotNegative();
                try (BatchStream stream = scans.open(task, BATCH_ROWS)) {
                    while (rows < ENOUGH_ROWS) {
                        try (RecordBatch batch = Scans.next(stream)) {
                            if (batch == null) {
                                break;
                            }
                            rows += batch.rowCount();
                            ours += look(batch);
                        }
                    }
                }
            }
        } catch (SpillwayException e) {
            failure = e;
        }
        return new Reading(
                failure,
                Duration.ofNanos(System.nanoTime() - start),
                THREADS.getTotalThreadAllocatedBytes() - allocated - ours);
    }

    /** Looks at every value, and gives the bytes of heap that this alone took. */
    private static long look(RecordBatch batch) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        Values.append(batch, new ArrayList<>());
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
