package io.spillway.job;

import io.spillway.error.SpillwayException;
import io.spillway.execution.PartitionScheduler.TaskGroup;
import io.spillway.memory.MemoryPool;
import io.spillway.rows.RowSource;
import io.spillway.scan.ScanMetrics;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What a job has in this process while it is read: its row source, its turn, its memory, its
 * readers.
 */
final class RunningJob {

    private final Job job;
    private final RowSource source;
    private final MemoryPool pool;
    private final TaskGroup group;
    private final JobScanMetrics metrics;
    private final Set<JobReader> readers = ConcurrentHashMap.newKeySet();
    private final LongAdder rowsOut = new LongAdder();
    private volatile @Nullable Long rowCount;
    private volatile long lastUsed = System.nanoTime();

    RunningJob(Job job, RowSource source, MemoryPool pool, TaskGroup group, ScanMetrics metrics) {
        this.job = job;
        this.source = source;
        this.pool = pool;
        this.group = group;
        this.metrics = new JobScanMetrics(metrics, job.plan().pruned());
        this.rowCount = source.rowCount().isPresent() ? source.rowCount().getAsLong() : null;
    }

    Job job() {
        return job;
    }

    RowSource source() {
        return source;
    }

    MemoryPool pool() {
        return pool;
    }

    TaskGroup group() {
        return group;
    }

    JobScanMetrics metrics() {
        return metrics;
    }

    Set<JobReader> readers() {
        return readers;
    }

    @Nullable Long rowCount() {
        return rowCount;
    }

    /** An execution came to the end of the rows. */
    void learned(long total) {
        rowCount = total;
    }

    void counted(long rows) {
        rowsOut.add(rows);
    }

    long rowsOut() {
        return rowsOut.sum();
    }

    void joined(JobReader reader) {
        lastUsed = System.nanoTime();
        readers.add(reader);
    }

    void left(JobReader reader) {
        lastUsed = System.nanoTime();
        readers.remove(reader);
    }

    /** Interrupts all readers. */
    void interrupt(SpillwayException reason) {
        readers.forEach(reader -> reader.interrupt(reason));
    }

    /** True if nothing of the job is left here and nobody has asked for it for a while. */
    boolean unused(long now, long keepNanos) {
        return readers.isEmpty()
                && group.live() == 0
                && pool.held() == 0
                && now - lastUsed >= keepNanos;
    }
}
