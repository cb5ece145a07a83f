package io.spillway.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.ChunkedResponse;
import io.spillway.tpch.TpchData;
import io.spillway.tpch.TpchQuery;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Queries over far more data than their jobs' memory: the process stays within its heap, its budget
 * and what a JVM needs besides, and nothing is left on the disk.
 */
class QueryMemoryTest {

    private static final String NDJSON = "application/x-ndjson";
    private static final long HEAP = 512L << 20;
    private static final long BUDGET = 128L << 20;
    private static final long PER_JOB = 64L << 20;

    /** Classes, compiled code, threads and their like. */
    private static final long BESIDES = 96L << 20;

    @Test
    @Tag("long")
    void theProcessStaysWithinBudgetAndHeap() throws Exception {
        Path data = TpchData.make(1);
        List<String> settings = new ArrayList<>();
        TpchData.settings(data).forEach((name, value) -> settings.add("--" + name + "=" + value));
        settings.add("--spillway.memory.budget=" + BUDGET + "B");
        settings.add("--spillway.memory.per-job=" + PER_JOB + "B");
        try (ServiceProcess service =
                new ServiceProcess(ServiceProcess.classes(), List.of(), settings)) {
            for (TpchQuery query : TpchQuery.all()) {
                String job = service.submit(query.plan());
                service.awaitCount(job);
                try (ChunkedResponse rows = service.ok(job + "/rows", NDJSON)) {
                    rows.drain();
                }
            }
            assertThat(service.metric("spillway_spill_written_bytes_total")).isPositive();
            assertThat(service.metric("spillway_spill_files")).isZero();
            assertThat(ProcessMemory.peakBytes(service.pid()))
                    .isLessThanOrEqualTo(HEAP + BUDGET + BESIDES);
        }
    }
}
