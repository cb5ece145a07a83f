package io.spillway.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.catalog.ConfiguredCatalog;
import io.spillway.execution.PartitionScheduler;
import io.spillway.memory.MemoryPool;
import io.spillway.plan.document.PlanLimits;
import io.spillway.plan.document.PlanRequestParser;
import io.spillway.plan.logical.PlanCompiler;
import io.spillway.plan.physical.Explain;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.plan.physical.PhysicalPlans;
import io.spillway.scan.Pruned;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.parquet.ParquetFormat;
import io.spillway.storage.LocalFiles;
import io.spillway.testing.SpillFolders;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.vector.BigIntVector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A filter prunes what is below it when it is planned, and no row number changes. */
class PrunedScanTest {

    private static final LocalFiles FILES = new LocalFiles();
    private static final ParquetFormat FORMAT =
            new ParquetFormat(scheme -> FILES, 1 << 20, ScanMetrics.NONE);

    @TempDir static Path root;
    private static final MemoryPool MEMORY = MemoryPool.root(256 << 20);
    private static final PartitionScheduler SCHEDULER =
            new PartitionScheduler(2, Duration.ofMillis(20), MEMORY::isShort);

    /** Three folders of one file each; a file has five row groups of 2,048 ascending ids. */
    @BeforeAll
    static void write() throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            for (int day = 1; day <= 3; day++) {
                Files.createDirectories(root.resolve("part=" + day));
                statement.execute(
                        """
                        COPY (SELECT i + %d AS id, 'n' || i %% 100 AS name %s
                              FROM range(10240) t(i))
                        TO '%s/part=%d/data.parquet' (FORMAT parquet, ROW_GROUP_SIZE 2048)
                        """
                                .formatted(
                                        day * 10_240,
                                        day == 2 ? "" : ", i % 7 AS extra",
                                        root,
                                        day));
            }
        }
    }

    @AfterAll
    static void close() {
        SCHEDULER.close();
        MEMORY.close();
    }

    private static PhysicalPlan plan(String where) {
        PlanCompiler compiler =
                new PlanCompiler(
                        new ConfiguredCatalog(
                                Map.of("file", FILES),
                                List.of(FORMAT),
                                Map.of(),
                                List.of(root.toString()),
                                100),
                        PlanLimits.defaults(),
                        Clock.systemUTC());
        String body =
                """
                {"plan": {"from": {"files": {"format": "parquet", "paths": ["%s/**"],
                                   "options": {"partitionTypes": {"part": "int32"}}}},
                          "steps": [{"op": "filter", "where": "%s"}]}}
                """
                        .formatted(root, where);
        return compiler.compile(
                        new PlanRequestParser(PlanLimits.defaults())
                                .parse(body.getBytes(StandardCharsets.UTF_8)))
                .plan();
    }

    private static PhysicalPlan withoutHint(PhysicalPlan plan) {
        return switch (plan) {
            case PhysicalPlan.Scan s ->
                    new PhysicalPlan.Scan(
                            s.format(), s.options(), s.files(), s.schema(), null, s.skipped());
            case PhysicalPlan.Values v -> v;
            case PhysicalPlan.Filter f ->
                    new PhysicalPlan.Filter(withoutHint(f.input()), f.predicate());
            case PhysicalPlan.Project p ->
                    new PhysicalPlan.Project(withoutHint(p.input()), p.expressions(), p.schema());
            case PhysicalPlan.Limit l ->
                    new PhysicalPlan.Limit(withoutHint(l.input()), l.offset(), l.rows());
            default -> throw new IllegalArgumentException("Not among these plans: " + plan);
        };
    }

    private static List<Long> read(PhysicalPlan plan, long from, long to) {
        RowSource source = RowSources.of(plan);
        int id = plan.schema().indexOf("id");
        List<Long> ids = new ArrayList<>();
        try (var waiting = Executors.newVirtualThreadPerTaskExecutor();
                BatchStream stream =
                        source.open(
                                from,
                                to,
                                new ReadContext(
                                        Map.of("parquet", FORMAT),
                                        MEMORY,
                                        SpillFolders.space(MEMORY),
                                        SCHEDULER.group(),
                                        2,
                                        1_000,
                                        waiting,
                                        ScanMetrics.NONE,
                                        Ending.STOP))) {
            while (true) {
                switch (stream.poll()) {
                    case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                        try (batch) {
                            for (int row = 0; row < batch.rowCount(); row++) {
                                ids.add(
                                        ((BigIntVector)
                                                        ((io.spillway.batch.ColumnVector.Plain)
                                                                        batch.column(id))
                                                                .vector())
                                                .get(row));
                            }
                        }
                    }
                    case Poll.Blocked<RecordBatch>(var until) ->
                            until.handle((_, _) -> true).orTimeout(30, TimeUnit.SECONDS).join();
                    case Poll.Finished<RecordBatch> _ -> {
                        return ids;
                    }
                }
            }
        }
    }

    @Test
    void statisticsAndFolderValuesRulePartitionsOut() {
        PhysicalPlan plan = plan("part > 1 AND id >= 30000 AND id < 33000");

        assertThat(plan.pruned())
                .extracting(Pruned::by, Pruned::partitions, Pruned::rows)
                .containsExactly(
                        tuple(Pruned.By.FILE_VALUES, 5L, 10_240L),
                        tuple(Pruned.By.STATISTICS, 7L, 14_336L));
        assertThat(Explain.text(plan))
                .contains("filter (part > 1) AND (id >= 30000) AND (id < 33000)\n")
                .contains("pruned 1 of 3 files by file values, 7 of 15 partitions by statistics\n");
        assertThat(RowSources.of(plan).partitions()).isEqualTo(3);
        String json = PhysicalPlans.toJson(plan);
        assertThat(PhysicalPlans.fromJson(json)).isEqualTo(plan);
        assertThat(json).contains("\"byFileValues\":[0,5]");
    }

    @Test
    void aColumnThatAFileDoesNotHaveIsNullThere() {
        PhysicalPlan plan = plan("extra = 3");
        assertThat(plan.pruned())
                .extracting(Pruned::by, Pruned::partitions)
                .containsExactly(tuple(Pruned.By.FILE_VALUES, 5L));
    }

    @Test
    void nothingIsLeftOfWhatCannotMatch() {
        PhysicalPlan plan = plan("id < 0");
        assertThat(RowSources.of(plan).partitions()).isZero();
        assertThat(RowSources.of(plan).rowCount()).hasValue(0);
        assertThat(read(plan, 0, Long.MAX_VALUE)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "part > 1 AND id >= 30000 AND id < 33000",
                "part = 2",
                "extra IS NULL AND id % 100 = 5",
                "id = 12345 OR id = 40000 OR part = 9",
                "name = 'n7' AND id > 20000",
                "name LIKE 'n9%' AND extra > 5",
                "NOT (id < 40000)",
                "id < 0"
            })
    void rowNumbersAreTheSameWithAndWithoutTheHint(String where) {
        PhysicalPlan plan = plan(where);
        PhysicalPlan plain = withoutHint(plan);
        List<Long> all = read(plain, 0, Long.MAX_VALUE);

        assertThat(read(plan, 0, Long.MAX_VALUE)).isEqualTo(all);
        for (long from : new long[] {0, 1, all.size() / 2, all.size()}) {
            assertThat(read(plan, from, from + 10))
                    .isEqualTo(all.stream().skip(from).limit(10).toList());
        }
        PhysicalPlan limited = new PhysicalPlan.Limit(plan, 3, 5);
        assertThat(read(limited, 0, Long.MAX_VALUE))
                .isEqualTo(all.stream().skip(3).limit(5).toList());
    }
}
