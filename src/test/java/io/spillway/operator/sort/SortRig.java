package io.spillway.operator.sort;

import io.spillway.execution.PartitionScheduler;
import io.spillway.execution.PartitionScheduler.TaskGroup;
import io.spillway.expression.Decode;
import io.spillway.memory.MemoryPool;
import io.spillway.operator.WorkContext;
import io.spillway.spill.SpillManager;
import io.spillway.spill.SpillSpace;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;

/** Threads, memory and a disk for one operator; closing it checks that nothing is left. */
public final class SortRig implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final MemoryPool pool;
    private final SpillManager manager;
    private final SpillSpace space;
    private final PartitionScheduler scheduler;
    private final TaskGroup group;
    private final int parallelism;
    private final int batchRows;

    public SortRig(Path folder, long memory, int parallelism, int batchRows) {
        this(
                SpillManager.open(folder, Long.MAX_VALUE, Decode::decode),
                memory,
                parallelism,
                batchRows);
    }

    public SortRig(SpillManager manager, long memory, int parallelism, int batchRows) {
        this.pool = MemoryPool.root(memory);
        this.manager = manager;
        this.space = manager.space("job", pool);
        this.scheduler = new PartitionScheduler(parallelism, Duration.ofSeconds(1), () -> false);
        this.group = scheduler.group();
        this.parallelism = parallelism;
        this.batchRows = batchRows;
    }

    public MemoryPool pool() {
        return pool;
    }

    public SpillManager manager() {
        return manager;
    }

    public WorkContext context() {
        return new WorkContext(pool, group, parallelism, batchRows, space);
    }

    /** Waits until all tasks have ended. */
    public void settle() {
        Assertions.assertTimeoutPreemptively(
                PATIENCE,
                () -> {
                    while (group.live() > 0) {
                        Thread.onSpinWait();
                    }
                });
    }

    /** The last task gives memory back a moment after it is no longer counted. */
    private void awaitFree() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (pool.admitted() > 0 && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        try {
            settle();
            awaitFree();
            Assertions.assertEquals(0, pool.held(), "bytes held");
            Assertions.assertEquals(0, pool.admitted(), "bytes admitted");
            Assertions.assertEquals(0, manager.files(), "spill files");
            Assertions.assertEquals(0, manager.held(), "bytes on disk");
        } finally {
            scheduler.close();
            space.close();
            manager.close();
            pool.close();
        }
    }
}
