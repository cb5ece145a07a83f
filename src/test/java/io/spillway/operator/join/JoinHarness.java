package io.spillway.operator.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.execution.PartitionScheduler;
import io.spillway.expression.Decode;
import io.spillway.memory.MemoryHolding;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import io.spillway.operator.WorkContext;
import io.spillway.spill.SpillManager;
import io.spillway.spill.SpillSpace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;

/** All that it takes to run joins; after each, nothing may be left. */
final class JoinHarness implements AutoCloseable {

    private final PartitionScheduler scheduler =
            new PartitionScheduler(3, Duration.ofSeconds(10), () -> false);
    private final PartitionScheduler.TaskGroup group = scheduler.group();
    private final SpillManager manager;
    private int polled;

    JoinHarness(Path folder) {
        this(SpillManager.open(folder, 1L << 40, Decode::decode));
    }

    JoinHarness(SpillManager manager) {
        this.manager = manager;
    }

    /**
     * How a join is run.
     *
     * @param left bytes of the work's memory that a neighbour leaves, which gives way a little
     *     where work waits, and takes what it can get
     * @param asking the poll before which others ask for all that the join can do without, for a
     *     while
     */
    record Setting(
            long memory, long left, int parallelism, int batchRows, int inputRows, int asking) {

        Setting(long memory, long left, int parallelism, int batchRows, int inputRows) {
            this(memory, left, parallelism, batchRows, inputRows, Integer.MAX_VALUE);
        }
    }

    /** Somebody who holds all memory but some. */
    private static final class Hog implements AutoCloseable {

        private static final long PIECE = 64 << 10;

        private final MemoryPool pool;
        private final MemoryHolding holding;
        private final long most;
        private @Nullable CompletableFuture<MemoryReservation> asked;

        Hog(MemoryPool pool, long left) {
            this.pool = pool;
            holding = pool.hold("hog");
            most = Math.max(0, pool.limit() / 2 - left);
            holding.tryGrow(most);
        }

        void live() {
            CompletableFuture<MemoryReservation> mine = asked;
            if (mine != null && mine.isDone()) {
                mine.join().close();
                asked = null;
            }
            if (holding.revoked().isDone()) {
                holding.shrink(Math.min(holding.bytes(), PIECE));
            } else if (holding.bytes() < most) {
                holding.tryGrow(Math.min(most - holding.bytes(), PIECE / 4));
            }
        }

        /** Asks for all that is not promised for good. */
        void ask() {
            long promised = pool.admitted() - holding.bytes();
            asked = pool.admit(Math.max(1, pool.limit() / 2 - Math.min(promised, 300 << 10)));
        }

        @Override
        public void close() {
            holding.close();
            CompletableFuture<MemoryReservation> mine = asked;
            if (mine != null && !mine.cancel(false)) {
                mine.join().close();
            }
        }
    }

    /** How often the last join was polled. */
    int polled() {
        return polled;
    }

    SpillManager manager() {
        return manager;
    }

    /** Runs a join to its end. */
    List<List<@Nullable Object>> run(JoinCase join, Setting setting, Random random) {
        return run(join, setting, random, Integer.MAX_VALUE);
    }

    /** Runs a join for so many polls; inputs have memory of their own. */
    List<List<@Nullable Object>> run(JoinCase join, Setting setting, Random random, int polls) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        run(
                join.operator(),
                inputs ->
                        List.of(
                                JoinCase.stream(
                                        join.leftSchema(),
                                        join.left(),
                                        setting.inputRows(),
                                        random,
                                        inputs),
                                JoinCase.stream(
                                        join.rightSchema(),
                                        join.right(),
                                        setting.inputRows(),
                                        new Random(random.nextLong()),
                                        inputs)),
                setting,
                batch -> JoinCase.read(batch, rows),
                polls);
        return rows;
    }

    /** Runs a join to its end; gives the number of rows. */
    long run(
            JoinOperator join,
            Function<BufferAllocator, List<BatchStream>> inputs,
            Setting setting,
            Consumer<RecordBatch> check) {
        return run(join, inputs, setting, check, Integer.MAX_VALUE);
    }

    /** Runs a join for so many polls; gives the number of rows. */
    long run(
            JoinOperator join,
            Function<BufferAllocator, List<BatchStream>> inputs,
            Setting setting,
            Consumer<RecordBatch> check,
            int polls) {
        long rows;
        polled = 0;
        try (MemoryPool pool = MemoryPool.root(setting.memory());
                BufferAllocator allocator = new RootAllocator()) {
            try (SpillSpace space = manager.space("job", pool)) {
                WorkContext context =
                        new WorkContext(
                                pool, group, setting.parallelism(), setting.batchRows(), space);
                BatchStream stream = join.over(inputs.apply(allocator), context);
                try (Hog hog = new Hog(pool, setting.left())) {
                    rows = read(stream, setting, hog, polls, check);
                } finally {
                    stream.close();
                    stream.close();
                    awaitTasks(pool);
                }
            } finally {
                // Files that could not be deleted are tried again then.
                manager.space("next", pool).close();
                assertThat(pool.held()).as("held").isZero();
                assertThat(pool.admitted()).as("admitted").isZero();
                assertThat(manager.files()).as("files").isZero();
                assertThat(manager.held()).as("bytes of files").isZero();
            }
        }
        return rows;
    }

    private long read(
            BatchStream stream, Setting setting, Hog hog, int polls, Consumer<RecordBatch> check) {
        long rows = 0;
        for (int i = 0; i < polls; i++) {
            hog.live();
            if (polled++ == setting.asking()) {
                hog.ask();
            }
            switch (stream.poll()) {
                case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                    try (batch) {
                        assertThat(batch.rowCount())
                                .isLessThanOrEqualTo(setting.batchRows() + setting.inputRows());
                        assertThat(batch.schema()).isEqualTo(stream.schema());
                        check.accept(batch);
                        rows += batch.rowCount();
                    }
                }
                case Poll.Blocked<RecordBatch>(CompletableFuture<?> until) -> await(until, hog);
                case Poll.Finished<RecordBatch> _ -> {
                    assertThat(stream.poll()).isInstanceOf(Poll.Finished.class);
                    return rows;
                }
            }
        }
        return rows;
    }

    private static void await(CompletableFuture<?> until, Hog hog) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!until.isDone()) {
            hog.live();
            Thread.onSpinWait();
            assertThat(System.nanoTime()).as("waits for ever").isLessThan(deadline);
        }
    }

    /** Tasks that are in the middle of a turn end after it, and free what they hold. */
    private void awaitTasks(MemoryPool pool) {
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while ((group.live() > 0 || pool.held() > 0 || pool.admitted() > 0)
                && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        scheduler.close();
        manager.close();
    }
}
