package io.spillway.benchmark;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.execution.PartitionScheduler;
import io.spillway.expression.Decode;
import io.spillway.memory.MemoryPool;
import io.spillway.operator.WorkContext;
import io.spillway.operator.aggregate.AggregateCall;
import io.spillway.operator.aggregate.AggregateFunction;
import io.spillway.operator.aggregate.AggregateOperator;
import io.spillway.operator.aggregate.UnorderedAggregate;
import io.spillway.operator.join.JoinKey;
import io.spillway.operator.join.JoinOperator;
import io.spillway.operator.join.JoinType;
import io.spillway.operator.join.UnorderedJoin;
import io.spillway.spill.SpillManager;
import io.spillway.spill.SpillSpace;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * Measures what it costs that rows come out in order: joins in the order of their left rows and an
 * aggregation in the order of first appearance, in memory and with less memory than they need. Each
 * runs beside the same work without any order. In memory that is a join whose threads take left
 * rows as they come; on disk, a Grace hash join that spreads whole rows, without numbers, and gives
 * one partition after the other; an aggregation that does so. They take turns; what is printed, as
 * a Markdown table, are medians of the processor time of all threads and of the time on the clock.
 *
 * <p>Settings, as system properties: {@code benchmark.rounds} (7, after three that do not count),
 * {@code benchmark.threads} (2), {@code benchmark.rows} (4,000,000, of the larger table), {@code
 * benchmark.memory} (64, in MiB, where rows go to disk), {@code benchmark.only} (a part of the
 * names of the lines).
 */
public final class OrderBenchmark {

    private static final int WARM_UP = 3;
    private static final int BATCH_ROWS = 8_192;
    private static final int ROWS_PER_KEY = 4;
    private static final long LARGE = 2L << 30;

    /** Columns of both sides: of the same width, or many on the left and what is looked up. */
    private static final List<List<Integer>> SAME =
            List.of(List.of(0, 1, 2, 3), List.of(0, 1, 2, 3));

    private static final List<List<Integer>> WIDE =
            List.of(List.of(0, 1, 2, 3, 1, 2, 3, 1, 2, 3), List.of(0, 3));

    private final PrintStream out;
    private final int rounds;
    private final int threads;
    private final Path folder;
    private final OrderTables tables;

    private OrderBenchmark(
            PrintStream out, int rounds, int threads, Path folder, OrderTables tables) {
        this.out = out;
        this.rounds = rounds;
        this.threads = threads;
        this.folder = folder;
        this.tables = tables;
    }

    /** Runs everything. */
    public static void main(String[] args) throws IOException {
        long rows = Long.getLong("benchmark.rows", 4_000_000L);
        Path folder = Files.createTempDirectory("order");
        folder.toFile().deleteOnExit();
        long small = Long.getLong("benchmark.memory", 64L) << 20;
        try (BufferAllocator allocator = new RootAllocator();
                OrderTables tables =
                        new OrderTables(rows, rows / ROWS_PER_KEY, BATCH_ROWS, allocator)) {
            OrderBenchmark benchmark =
                    new OrderBenchmark(
                            System.out,
                            Integer.getInteger("benchmark.rounds", 7),
                            Integer.getInteger("benchmark.threads", 2),
                            folder,
                            tables);
            benchmark.out.println(
                    "| | in order, CPU ms | without order, CPU ms | cost of order | in order, ms"
                            + " | without order, ms |");
            benchmark.out.println("|---|---:|---:|---:|---:|---:|");
            benchmark.compare("join in memory", LARGE, join(SAME));
            benchmark.compare("join on disk", small, join(SAME));
            benchmark.compare("join of wide left rows on disk", small, join(WIDE));
            benchmark.compare("aggregation in memory", LARGE, aggregate());
            benchmark.compare("aggregation on disk", small, aggregate());
        }
    }

    /** The same work in order and without any. */
    private interface Work {

        BatchStream ordered(OrderTables tables, WorkContext context);

        void unordered(OrderTables tables, WorkContext context, Consumer<RecordBatch> to);
    }

    private static Work join(List<List<Integer>> sides) {
        RowSchema left = OrderTables.schema(OrderTables.schema("sale"), sides.getFirst());
        RowSchema right = OrderTables.schema(OrderTables.schema("customer"), sides.getLast());
        List<ColumnSchema> columns = new ArrayList<>(left.columns());
        columns.addAll(right.columns());
        JoinOperator join =
                new JoinOperator(
                        JoinType.INNER,
                        List.of(new JoinKey(0, 0, false)),
                        null,
                        left,
                        right,
                        new RowSchema(columns));
        return new Work() {
            @Override
            public BatchStream ordered(OrderTables tables, WorkContext context) {
                return join.over(
                        List.of(
                                OrderTables.stream(tables.left, sides.getFirst()),
                                OrderTables.stream(tables.right, sides.getLast())),
                        context);
            }

            @Override
            public void unordered(
                    OrderTables tables, WorkContext context, Consumer<RecordBatch> to) {
                UnorderedJoin.run(
                        join,
                        OrderTables.stream(tables.left, sides.getFirst()),
                        OrderTables.stream(tables.right, sides.getLast()),
                        context,
                        to);
            }
        };
    }

    private static AggregateCall call(AggregateFunction function, int column) {
        return new AggregateCall(
                function, List.of(column), false, null, List.of(), List.of(), OrderTables.LONG);
    }

    private static Work aggregate() {
        List<Integer> all = SAME.getFirst();
        RowSchema input = OrderTables.schema(OrderTables.schema("sale"), all);
        RowSchema schema =
                new RowSchema(
                        List.of(
                                input.column(0),
                                input.column(3),
                                new ColumnSchema("sum", OrderTables.LONG, true),
                                new ColumnSchema("max", OrderTables.LONG, true)));
        AggregateOperator aggregate =
                new AggregateOperator(
                        input,
                        List.of(0, 3),
                        List.of(call(AggregateFunction.SUM, 1), call(AggregateFunction.MAX, 1)),
                        schema);
        return new Work() {
            @Override
            public BatchStream ordered(OrderTables tables, WorkContext context) {
                return aggregate.over(List.of(OrderTables.stream(tables.left, all)), context);
            }

            @Override
            public void unordered(
                    OrderTables tables, WorkContext context, Consumer<RecordBatch> to) {
                UnorderedAggregate.run(
                        aggregate, OrderTables.stream(tables.left, all), context, to);
            }
        };
    }

    /** What one run took. */
    private record Sample(double cpuMillis, double millis, long rows, long keys, long written) {}

    private void compare(String label, long memory, Work work) throws IOException {
        if (!label.replace(' ', '-').contains(System.getProperty("benchmark.only", ""))) {
            return;
        }
        List<Sample> ordered = new ArrayList<>();
        List<Sample> unordered = new ArrayList<>();
        for (int round = -WARM_UP; round < rounds; round++) {
            Sample with = sample(memory, work, true);
            Sample without = sample(memory, work, false);
            if (with.rows != without.rows
                    || with.keys != without.keys
                    || with.written > 0 != (memory < LARGE)
                    || without.written > 0 != (memory < LARGE)) {
                throw new IllegalStateException(label + ": " + with + " and " + without);
            }
            if (round >= 0) {
                ordered.add(with);
                unordered.add(without);
            }
        }
        double with = Contest.median(ordered, Sample::cpuMillis);
        double without = Contest.median(unordered, Sample::cpuMillis);
        out.printf(
                Locale.ROOT,
                "| %s | %,.0f | %,.0f | %+.0f %% | %,.0f | %,.0f |%n",
                label,
                with,
                without,
                100 * (with / without - 1),
                Contest.median(ordered, Sample::millis),
                Contest.median(unordered, Sample::millis));
    }

    private Sample sample(long memory, Work work, boolean inOrder) {
        AtomicLong rows = new AtomicLong();
        AtomicLong keys = new AtomicLong();
        Consumer<RecordBatch> to =
                batch -> {
                    rows.addAndGet(batch.rowCount());
                    keys.addAndGet(OrderTables.keys(batch));
                };
        try (SpillManager manager = SpillManager.open(folder, Long.MAX_VALUE, Decode::decode);
                MemoryPool pool = MemoryPool.root(memory);
                SpillSpace space = manager.space("order", pool);
                PartitionScheduler scheduler =
                        new PartitionScheduler(threads, Duration.ofSeconds(1), pool::isShort)) {
            WorkContext context =
                    new WorkContext(pool, scheduler.group(), threads, BATCH_ROWS, space);
            long cpu = cpuNanos();
            long start = System.nanoTime();
            if (inOrder) {
                drain(work.ordered(tables, context), to);
            } else {
                work.unordered(tables, context, to);
            }
            long end = System.nanoTime();
            return new Sample(
                    (cpuNanos() - cpu) / 1e6,
                    (end - start) / 1e6,
                    rows.get(),
                    keys.get(),
                    manager.written());
        }
    }

    private static void drain(BatchStream stream, Consumer<RecordBatch> to) {
        try (stream) {
            while (true) {
                switch (stream.poll()) {
                    case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                        try (batch) {
                            to.accept(batch);
                        }
                    }
                    case Poll.Blocked<RecordBatch> blocked -> {
                        var _ = blocked.until().join();
                    }
                    case Poll.Finished<RecordBatch> _ -> {
                        return;
                    }
                }
            }
        }
    }

    /** Processor time of all threads of this process, those of the compiler included. */
    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean)
                        ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
