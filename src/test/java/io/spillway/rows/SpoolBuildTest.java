package io.spillway.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.execution.PartitionScheduler;
import io.spillway.memory.MemoryPool;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.ScanFormat;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.ScanStream;
import io.spillway.scan.ScanTask;
import io.spillway.spill.SpillSpace;
import io.spillway.spool.SpoolManager;
import io.spillway.storage.FileStatus;
import io.spillway.testing.SpillFolders;
import io.spillway.testing.SpoolFolders;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A build, the step whose rows it keeps, and the files below it share a job's memory. */
@Timeout(60)
class SpoolBuildTest {

    private static final long LIMIT = 2 << 20;

    /** Half of the limit is for work, and some of it is the step's for as long as it works. */
    private static final long LEFT = LIMIT / 2 - (512 << 10);

    private final MemoryPool root = MemoryPool.root(64 << 20);
    private final MemoryPool job = root.child("job", LIMIT);
    private final SpillSpace space = SpillFolders.space(job);
    private final PartitionScheduler scheduler =
            new PartitionScheduler(2, Duration.ofMillis(20), root::isShort);
    private final ExecutorService waiting = Executors.newVirtualThreadPerTaskExecutor();
    private final SpoolManager spools =
            SpoolFolders.manager(SpillFolders.folder().resolve("build"), waiting);

    @AfterEach
    void nothingIsLeft() {
        scheduler.close();
        waiting.close();
        space.close();
        assertThat(job.admitted()).isZero();
        job.close();
        root.close();
    }

    /** Three files, the last of which takes more than the others. */
    private long build(long lastBytes, int parallelism) {
        PhysicalPlan scan =
                new PhysicalPlan.Scan(
                        "sequence",
                        SequenceFormat.files(List.of(List.of(500), List.of(1), List.of(3_000))),
                        SequenceFormat.SCHEMA);
        RowSource source =
                RowSources.of(
                        new PhysicalPlan.Distinct(scan, List.of(0)),
                        spools.job(UUID.randomUUID().toString()));
        ReadContext context =
                new ReadContext(
                        Map.of("sequence", new Growing(new SequenceFormat(), lastBytes)),
                        job,
                        space,
                        scheduler.group(),
                        parallelism,
                        100,
                        waiting,
                        ScanMetrics.NONE,
                        Ending.STOP);
        try (var count = source.count(Long.MAX_VALUE, context)) {
            CountProgress last = null;
            for (CountProgress next = SourceReading.next(count);
                    next != null;
                    next = SourceReading.next(count)) {
                last = next;
            }
            assertThat(last).isNotNull();
        }
        return source.rowCount().orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void allThatIsLeftIsForTheFiles(int parallelism) {
        assertThat(build(LEFT, parallelism)).isEqualTo(3_501);
    }

    /** The build used to keep more than it had said, and the file waited for ever. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void aFileThatNeverFitsBesideTheStepsIsRefused(int parallelism) {
        assertThatThrownBy(() -> build(LEFT + 1, parallelism))
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT))
                .hasMessageContaining("steps that wait for one another");
    }

    /** Its third file takes as much as it is told. */
    private record Growing(SequenceFormat format, long lastBytes) implements ScanFormat {

        @Override
        public String name() {
            return format.name();
        }

        @Override
        public FileMetadata metadata(FileStatus file) {
            return format.metadata(file);
        }

        @Override
        public long estimateBytes(ScanTask task, int batchRows) {
            return task.toRow() == 3_000 ? lastBytes : 1_000;
        }

        @Override
        public ScanStream open(ScanTask task, int batchRows, MemoryPool pool, ScanMetrics metrics) {
            return format.open(task, batchRows, pool, metrics);
        }
    }
}
