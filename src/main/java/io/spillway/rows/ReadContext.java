package io.spillway.rows;

import io.spillway.execution.PartitionScheduler.TaskGroup;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.ScanFormat;
import io.spillway.scan.ScanMetrics;
import io.spillway.spill.SpillSpace;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * What a reader works with.
 *
 * @param formats scan formats by name
 * @param pool for all buffers of the reader
 * @param spill where state goes that does not fit in memory
 * @param group whose turns the work takes
 * @param parallelism how many partitions may be open at a time
 * @param batchRows rows a batch
 * @param waiting runs what may wait for disk or network
 * @param metrics told what is read
 * @param ending what the stream finds out before it ends
 */
public record ReadContext(
        Map<String, ScanFormat> formats,
        MemoryPool pool,
        SpillSpace spill,
        TaskGroup group,
        int parallelism,
        int batchRows,
        Executor waiting,
        ScanMetrics metrics,
        Ending ending) {

    /** The same for what is below. */
    ReadContext withEnding(Ending below) {
        return below == ending
                ? this
                : new ReadContext(
                        formats,
                        pool,
                        spill,
                        group,
                        parallelism,
                        batchRows,
                        waiting,
                        metrics,
                        below);
    }

    /**
     * The same for a reader to whom rows are no more than their number.
     *
     * @param open how many times as many partitions may be open
     * @param rows how many times as many rows a batch may have
     */
    ReadContext forCounting(int open, int rows) {
        return new ReadContext(
                formats,
                pool,
                spill,
                group,
                Math.multiplyExact(open, parallelism),
                Math.multiplyExact(rows, batchRows),
                waiting,
                metrics,
                ending);
    }
}
