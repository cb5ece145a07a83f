package io.spillway.rows;

import static org.awaitility.Awaitility.await;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.execution.PartitionScheduler;
import io.spillway.memory.MemoryPool;
import io.spillway.rows.PlanModel.Row;
import io.spillway.scan.ScanMetrics;
import io.spillway.testing.SpillFolders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads sources over {@link SequenceFormat}, and sees that they give back what they took. */
final class SourceReading implements AutoCloseable {

    final MemoryPool memory = MemoryPool.root(64 << 20);
    final PartitionScheduler scheduler;
    final SequenceFormat format = new SequenceFormat();
    private final ExecutorService waiting = Executors.newVirtualThreadPerTaskExecutor();
    private int parallelism;

    SourceReading(int threads) {
        scheduler = new PartitionScheduler(threads, Duration.ofMillis(20), memory::isShort);
        parallelism = threads;
    }

    void parallelism(int partitions) {
        parallelism = partitions;
    }

    ReadContext context(Ending ending) {
        return new ReadContext(
                Map.of("sequence", format),
                memory,
                SpillFolders.space(memory),
                scheduler.group(),
                parallelism,
                100,
                waiting,
                ScanMetrics.NONE,
                ending);
    }

    List<Row> rows(RowSource source, long from, long to) {
        return rows(source, from, to, Ending.STOP);
    }

    List<Row> rows(RowSource source, long from, long to, Ending ending) {
        List<Row> rows = new ArrayList<>();
        try (BatchStream stream = source.open(from, to, context(ending))) {
            while (take(stream, rows)) {
                // All is in the condition.
            }
        }
        return rows;
    }

    /** Takes one batch of a stream, with or without a second column; false at the end. */
    static boolean take(BatchStream stream, List<Row> into) {
        RecordBatch next = next(stream);
        if (next == null) {
            return false;
        }
        try (RecordBatch batch = next) {
            for (int i = 0; i < batch.rowCount(); i++) {
                into.add(
                        new Row(
                                (Long) Objects.requireNonNull(value(batch.column(0), i)),
                                batch.schema().size() == 1 ? null : value(batch.column(1), i)));
            }
        }
        return true;
    }

    private static @Nullable Object value(ColumnVector column, int row) {
        if (column instanceof ColumnVector.Plain(var vector)) {
            return vector.getObject(row);
        }
        throw new IllegalArgumentException("not plain: " + column);
    }

    /** Counts rows. */
    void count(RowSource source, long upTo) {
        count(source, upTo, Integer.MAX_VALUE);
    }

    /** Counts rows, but gives up after some pulls. */
    void count(RowSource source, long upTo, int pulls) {
        try (PollStream<CountProgress> stream = source.count(upTo, context(Ending.STOP))) {
            for (int i = 0; i < pulls && next(stream) != null; i++) {
                // Until the end.
            }
        }
    }

    /** The next item, waited for; null at the end. */
    static <T> @Nullable T next(PollStream<T> stream) {
        while (true) {
            switch (stream.poll()) {
                case Poll.Output<T>(T item) -> {
                    return item;
                }
                case Poll.Blocked<T>(var until) ->
                        until.handle((_, _) -> true).orTimeout(10, TimeUnit.SECONDS).join();
                case Poll.Finished<T>() -> {
                    return null;
                }
            }
        }
    }

    void nothingIsLeft() {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(Duration.ofSeconds(5))
                .until(
                        () ->
                                format.open.get() == 0
                                        && memory.held() == 0
                                        && memory.admitted() == 0);
    }

    @Override
    public void close() {
        scheduler.close();
        waiting.close();
        memory.close();
    }
}
