package io.spillway.job;

import io.spillway.execution.PartitionScheduler;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.ScanFormat;
import io.spillway.scan.ScanMetrics;
import io.spillway.spill.SpillManager;
import io.spillway.spool.SpoolManager;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * What all jobs of a process share.
 *
 * @param formats scan formats by name
 * @param scheduler whose threads do the work
 * @param memory the whole budget
 * @param spill where work goes that does not fit in it
 * @param spools where results go that are computed once
 * @param metrics told of everything that all jobs read
 * @param waiting runs what may wait for disk, network or database
 */
record Engine(
        Map<String, ScanFormat> formats,
        PartitionScheduler scheduler,
        MemoryPool memory,
        SpillManager spill,
        SpoolManager spools,
        ScanMetrics metrics,
        Executor waiting) {

    Engine {
        formats = Map.copyOf(formats);
    }
}
