package io.spillway.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.execution.PartitionScheduler;
import io.spillway.expression.Expression;
import io.spillway.expression.Function;
import io.spillway.memory.MemoryPool;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.plan.physical.ScanFilter;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.Pruned;
import io.spillway.scan.ScanFile;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.parquet.ParquetFormat;
import io.spillway.storage.FileStatus;
import io.spillway.storage.LocalFiles;
import io.spillway.testing.SpillFolders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.apache.arrow.vector.BigIntVector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Deep pages of one large Parquet file, behind filters and without, by the bytes they read. */
class CountedScanTest {

    private static final long ROWS = 1_000_000;
    private static final ColumnType INT64 = new ColumnType.Int(64, true);

    private static final LocalFiles FILES = new LocalFiles();
    private static final ParquetFormat FORMAT =
            new ParquetFormat(scheme -> FILES, 1 << 20, ScanMetrics.NONE);
    private static final MemoryPool MEMORY = MemoryPool.root(256 << 20);
    private static final PartitionScheduler SCHEDULER =
            new PartitionScheduler(2, Duration.ofMillis(20), MEMORY::isShort);

    @TempDir static Path root;
    private static ScanFile file;
    private static RowSchema schema;

    private final AtomicLong bytes = new AtomicLong();

    @BeforeAll
    static void write() throws Exception {
        Path path = root.resolve("ids.parquet");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute(
                    """
                    COPY (SELECT i AS id, 'text of row ' || (i * 7919 %% 1000003) AS name
                          FROM range(%d) t(i))
                    TO '%s' (FORMAT parquet, ROW_GROUP_SIZE 20000)
                    """
                            .formatted(ROWS, path));
        }
        FileStatus status = FILES.status(path.toUri().toString());
        FileMetadata metadata = FORMAT.metadata(status);
        file = new ScanFile(status, metadata.partitionRows());
        schema = metadata.schema();
    }

    @AfterAll
    static void close() {
        SCHEDULER.close();
        MEMORY.close();
    }

    /** Rows whose ids leave a rest; all without a modulus. */
    private static RowSource source(long modulus, long rest, boolean hint) {
        PhysicalPlan.Scan scan = new PhysicalPlan.Scan("parquet", List.of(file), schema);
        if (modulus == 0) {
            return RowSources.of(scan);
        }
        Expression id = new Expression.Column(schema.indexOf("id"), INT64);
        Expression condition =
                call(
                        Function.EQUAL,
                        new ColumnType.Bool(),
                        call(Function.REMAINDER, INT64, id, number(modulus)),
                        number(rest));
        if (hint) {
            Expression above =
                    call(
                            Function.GREATER_OR_EQUAL,
                            new ColumnType.Bool(),
                            id,
                            number(ROWS / 2 + 777));
            condition = call(Function.AND, new ColumnType.Bool(), above, condition);
            scan =
                    new PhysicalPlan.Scan(
                            "parquet",
                            Map.of(),
                            List.of(file),
                            schema,
                            ScanFilter.of(condition, new BitSet(), new BitSet()),
                            List.of());
        }
        return RowSources.of(new PhysicalPlan.Filter(scan, condition));
    }

    private static Expression call(Function function, ColumnType type, Expression... arguments) {
        return new Expression.Call(function, List.of(arguments), type);
    }

    private static Expression number(long value) {
        return new Expression.Literal(INT64, Long.toString(value));
    }

    private ReadContext context() {
        return new ReadContext(
                Map.of("parquet", FORMAT),
                MEMORY,
                SpillFolders.space(MEMORY),
                SCHEDULER.group(),
                2,
                4_096,
                Executors.newVirtualThreadPerTaskExecutor(),
                new ScanMetrics() {
                    @Override
                    public void fileOpened() {}

                    @Override
                    public void bytesRead(long count) {
                        bytes.addAndGet(count);
                    }

                    @Override
                    public void pageDecoded(long uncompressedBytes) {}

                    @Override
                    public void pageSkipped() {}

                    @Override
                    public void pruned(Pruned what) {}
                },
                Ending.STOP);
    }

    private List<Long> ids(RowSource source, long from, long to) {
        List<Long> ids = new ArrayList<>();
        try (BatchStream stream = source.open(from, to, context())) {
            @Nullable RecordBatch next;
            while ((next = SourceReading.next(stream)) != null) {
                try (RecordBatch batch = next) {
                    if (batch.column(0) instanceof ColumnVector.Plain(BigIntVector values)) {
                        for (int i = 0; i < batch.rowCount(); i++) {
                            ids.add(values.get(i));
                        }
                    }
                }
            }
        }
        return ids;
    }

    private void count(RowSource source) {
        try (var stream = source.count(Long.MAX_VALUE, context())) {
            while (SourceReading.next(stream) != null) {
                // Until the end.
            }
        }
    }

    @Test
    void aDeepPageReadsItsRowGroup() throws Exception {
        assertThat(ids(source(0, 0, false), ROWS - 10, ROWS))
                .isEqualTo(LongStream.range(ROWS - 10, ROWS).boxed().toList());
        assertThat(bytes.get()).isLessThan(Files.size(root.resolve("ids.parquet")) / 20);
    }

    @Test
    void aDeepPageBehindACountedFilterReadsItsRowGroup() throws Exception {
        long size = Files.size(root.resolve("ids.parquet"));
        RowSource source = source(2, 1, false);
        count(source);
        assertThat(source.rowCount()).hasValue(ROWS / 2);
        assertThat(bytes.getAndSet(0)).as("only the filter's column").isLessThan(size / 2);

        assertThat(ids(source, ROWS / 2 - 5, ROWS / 2 + 5))
                .isEqualTo(LongStream.range(0, 5).map(i -> ROWS - 9 + 2 * i).boxed().toList());
        assertThat(bytes.get()).isLessThan(size / 20);
    }

    /** Rows that pages' statistics rule out do not move the others. */
    @ParameterizedTest
    @CsvSource({"2, 1", "1, 0", "9973, 5", "1000003, 1000002"})
    void whatAFilterLeavesOutIsCounted(long modulus, long rest) {
        RowSource source = source(modulus, rest, true);
        List<Long> expected =
                LongStream.range(ROWS / 2 + 777, ROWS)
                        .filter(i -> i % modulus == rest)
                        .boxed()
                        .toList();
        count(source);
        assertThat(source.rowCount()).hasValue(expected.size());
        RowSource taught = source(modulus, rest, true);
        taught.learn(Objects.requireNonNull(source.counts()));
        RowSource read = source(modulus, rest, true);
        assertThat(ids(read, 0, Long.MAX_VALUE)).isEqualTo(expected);
        assertThat(read.rowCount()).hasValue(expected.size());
        for (long from = 0; from < expected.size(); from += expected.size() / 7 + 1) {
            List<Long> page = expected.stream().skip(from).limit(10).toList();
            assertThat(ids(source, from, from + 10)).isEqualTo(page);
            assertThat(ids(taught, from, from + 10)).isEqualTo(page);
            assertThat(ids(read, from, from + 10)).isEqualTo(page);
        }
    }
}
