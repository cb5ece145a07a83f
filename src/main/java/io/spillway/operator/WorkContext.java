package io.spillway.operator;

import io.spillway.execution.PartitionScheduler.TaskGroup;
import io.spillway.memory.MemoryPool;
import io.spillway.spill.SpillSpace;

/**
 * What a {@link BlockingOperator} works with.
 *
 * @param pool for its buffers and its state
 * @param group whose turns its tasks take
 * @param parallelism how many tasks it may run at a time
 * @param batchRows rows of the batches that come out
 * @param spill where state goes that does not fit in memory
 */
public record WorkContext(
        MemoryPool pool, TaskGroup group, int parallelism, int batchRows, SpillSpace spill) {}
