package io.spillway.tpch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.memory.MemoryPool;
import io.spillway.oracle.DuckDb;
import io.spillway.spill.SpillManager;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Services of 1, 2 and 8 threads over the tables of one scale, and DuckDB over the same. What the
 * services give must be DuckDB's answers, and the same bytes from all of them, whether a job has
 * memory enough or must spill.
 */
final class TpchSuite implements AutoCloseable {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final long ample;
    private final long scarce;
    private final DuckDb duckdb = new DuckDb();
    private final List<TpchService> services;

    /** The queries that have spilled. */
    private final TreeSet<Integer> spilled = new TreeSet<>();

    /**
     * Makes the tables where they are missing, and starts the services.
     *
     * @param scale TPC-H's scale factor
     * @param ample bytes that a job may take where it should not spill
     * @param scarce bytes that a job may take where some must
     */
    TpchSuite(double scale, long ample, long scarce) throws IOException, SQLException {
        this.ample = ample;
        this.scarce = scarce;
        Path data = TpchData.make(scale);
        TpchData.views(data).forEach(duckdb::execute);
        services =
                IntStream.of(1, 2, 8)
                        .mapToObj(
                                threads ->
                                        new TpchService(
                                                data,
                                                "spillway.scheduler.threads",
                                                Integer.toString(threads),
                                                "spillway.memory.budget",
                                                ample + "B",
                                                "spillway.memory.per-job",
                                                ample + "B"))
                        .toList();
    }

    /** Runs a query everywhere. */
    void check(TpchQuery query) {
        TpchService.Result first = services.getFirst().run(query, ample);
        TpchAnswer.of(query, duckdb).check(first);
        for (TpchService service : services) {
            assertThat(service.run(query, ample)).isEqualTo(first);
            SpillManager spill = spill(service);
            long before = spill.written();
            assertThat(service.run(query, scarce)).isEqualTo(first);
            if (spill.written() > before) {
                spilled.add(query.number());
            }
        }
    }

    /** The numbers of the queries that have spilled. */
    List<Integer> spilled() {
        return List.copyOf(spilled);
    }

    /** Asserts that no service has anything in memory or on the disk any more. */
    void nothingIsLeft() {
        for (TpchService service : services) {
            MemoryPool memory = service.server().bean("memory", MemoryPool.class);
            SpillManager spill = spill(service);
            await().atMost(SOON)
                    .until(
                            () ->
                                    memory.held() == 0
                                            && memory.admitted() == 0
                                            && spill.files() == 0
                                            && spill.held() == 0);
        }
    }

    private static SpillManager spill(TpchService service) {
        SpillwayServer server = service.server();
        return server.bean("spillManager", SpillManager.class);
    }

    @Override
    public void close() {
        services.forEach(TpchService::close);
        duckdb.close();
    }
}
