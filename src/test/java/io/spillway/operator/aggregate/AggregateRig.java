package io.spillway.operator.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.execution.PartitionScheduler;
import io.spillway.expression.Decode;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import io.spillway.operator.BlockingOperator;
import io.spillway.operator.Streams;
import io.spillway.operator.WorkContext;
import io.spillway.spill.SpillManager;
import io.spillway.spill.SpillSpace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;

/** What operators work with, and a check that they leave nothing. */
final class AggregateRig implements AutoCloseable {

    private final MemoryPool root;
    private final MemoryPool pool;
    private final SpillManager manager;
    private final SpillSpace space;
    private final PartitionScheduler scheduler;
    private final WorkContext context;
    private final BufferAllocator inputs = new RootAllocator();
    private @Nullable MemoryReservation hog;

    AggregateRig(Path folder, long memory, int threads, int batchRows) {
        this(SpillManager.open(folder, Long.MAX_VALUE, Decode::decode), memory, threads, batchRows);
    }

    AggregateRig(SpillManager manager, long memory, int threads, int batchRows) {
        this.manager = manager;
        root = MemoryPool.root(2 * memory);
        pool = root.child("job", memory);
        space = manager.space("job", pool);
        scheduler = new PartitionScheduler(threads, Duration.ofSeconds(1), pool::isShort);
        context = new WorkContext(pool, scheduler.group(), threads, batchRows, space);
    }

    MemoryPool pool() {
        return pool;
    }

    /** For the batches that go in, which are not the operator's. */
    BufferAllocator inputs() {
        return inputs;
    }

    WorkContext context() {
        return context;
    }

    /** Bytes written to disk so far. */
    long spilled() {
        return manager.written();
    }

    /** Takes all memory for work but some. */
    void hog(long left) {
        hog = Objects.requireNonNull(pool.tryAdmit(pool.limit() / 2 - left));
    }

    /** All rows that an operator gives. */
    List<List<@Nullable Object>> run(BlockingOperator operator, BatchStream input) {
        return rows(operator.over(List.of(input), context));
    }

    private static List<List<@Nullable Object>> rows(BatchStream stream) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        try (stream) {
            while (true) {
                switch (stream.poll()) {
                    case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                        try (batch) {
                            assertThat(batch.schema()).isEqualTo(stream.schema());
                            rows.addAll(Streams.rows(batch));
                        }
                    }
                    case Poll.Blocked<RecordBatch> blocked ->
                            blocked.until().orTimeout(20, TimeUnit.SECONDS).join();
                    case Poll.Finished<RecordBatch> _ -> {
                        return rows;
                    }
                }
            }
        }
    }

    /** The same while others ask for nearly all memory at random times. */
    List<List<@Nullable Object>> runAskingBack(
            BlockingOperator operator, BatchStream input, long seed) {
        Random random = new Random(seed);
        return runAskingBack(operator, input, _ -> random.nextInt(60) == 0);
    }

    /**
     * The same while others ask for nearly all memory at some turns, of a few polls each.
     *
     * @param turns says of each turn in its order, the first of which is 0, whether they do
     */
    List<List<@Nullable Object>> runAskingBack(
            BlockingOperator operator, BatchStream input, IntPredicate turns) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        long wanted = pool.limit() / 2 - KeyedStream.FLOOR - KeyedStream.TURN;
        try (BatchStream stream = operator.over(List.of(input), context)) {
            for (int turn = 0; ; turn++) {
                CompletableFuture<MemoryReservation> other =
                        turns.test(turn) ? pool.admit(wanted) : null;
                try {
                    for (int i = 0; i < 4; i++) {
                        if (take(stream.poll(), rows)) {
                            return rows;
                        }
                    }
                } finally {
                    if (other != null && !other.cancel(false)) {
                        other.join().close();
                    }
                }
            }
        }
    }

    private static boolean take(Poll<RecordBatch> poll, List<List<@Nullable Object>> rows) {
        if (poll instanceof Poll.Output<RecordBatch>(RecordBatch batch)) {
            try (batch) {
                rows.addAll(Streams.rows(batch));
            }
        }
        return poll instanceof Poll.Finished<RecordBatch>;
    }

    /** Pulls some times, and closes the stream. */
    void poll(BlockingOperator operator, BatchStream input, int polls) {
        try (BatchStream stream = operator.over(List.of(input), context)) {
            for (int i = 0; i < polls && !take(stream.poll(), new ArrayList<>()); i++) {
                Thread.onSpinWait();
            }
        }
    }

    private void settle() {
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> {
                    while (context.group().live() > 0) {
                        Thread.onSpinWait();
                    }
                });
    }

    /** Deletes files that could not be deleted when it was their time. */
    void deleteWhatIsLeft() {
        settle();
        manager.space("next", pool).close();
    }

    /** Whether no memory is held, and nothing is on the disk. */
    boolean isEmpty() {
        return pool.held() == 0
                && pool.admitted() == 0
                && manager.files() == 0
                && manager.held() == 0;
    }

    @Override
    public void close() {
        if (hog != null) {
            hog.close();
        }
        settle();
        assertThat(pool.held()).as("held").isZero();
        assertThat(pool.admitted()).as("admitted").isZero();
        assertThat(manager.files()).as("spill files").isZero();
        assertThat(manager.held()).as("spilled bytes").isZero();
        scheduler.close();
        space.close();
        manager.close();
        inputs.close();
        pool.close();
        root.close();
    }
}
