package io.spillway.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Partitions come out in order, and the first has the threads to itself until it is under way. */
class OrderedPartitionsTest {

    private static final RowSchema NO_COLUMNS = new RowSchema(List.of());

    private final PartitionScheduler scheduler =
            new PartitionScheduler(2, Duration.ofSeconds(1), () -> false);
    private final MemoryPool pool = MemoryPool.root(1 << 20);

    @AfterEach
    void close() {
        scheduler.close();
        pool.close();
    }

    /** A partition whose batches have the numbers of rows that are told, once it is let go. */
    private final class Part implements Partition, BatchStream {

        private final Queue<Integer> batches;
        private final CompletableFuture<?> go;
        private volatile boolean opened;

        Part(CompletableFuture<?> go, Integer... rows) {
            this.go = go;
            this.batches = new ArrayDeque<>(Arrays.asList(rows));
        }

        Part(Integer... rows) {
            this(CompletableFuture.completedFuture(null), rows);
        }

        @Override
        public CompletableFuture<MemoryReservation> admit() {
            return pool.admit(0);
        }

        @Override
        public BatchStream open() {
            opened = true;
            return this;
        }

        @Override
        public RowSchema schema() {
            return NO_COLUMNS;
        }

        @Override
        public Poll<RecordBatch> poll() {
            if (!go.isDone()) {
                return Poll.blocked(go);
            }
            if (batches.isEmpty()) {
                return Poll.finished();
            }
            int rows = batches.remove();
            if (rows < 0) {
                throw new SpillwayException(ErrorCode.FILE_CORRUPT, "damaged");
            }
            return Poll.output(new RecordBatch(NO_COLUMNS, List.of(), rows));
        }

        @Override
        public void release() {}

        @Override
        public void close() {}
    }

    private OrderedPartitions read(Part... parts) {
        return new OrderedPartitions(
                NO_COLUMNS, Arrays.asList(parts).iterator(), scheduler.group(), 2);
    }

    /** Rows of the next batch, or -1 at the end. */
    private static int next(OrderedPartitions rows) {
        while (true) {
            switch (rows.poll()) {
                case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                    try (batch) {
                        return batch.rowCount();
                    }
                }
                case Poll.Blocked<RecordBatch>(CompletableFuture<?> until) ->
                        until.orTimeout(5, TimeUnit.SECONDS).join();
                case Poll.Finished<RecordBatch>() -> {
                    return -1;
                }
            }
        }
    }

    private static List<Integer> all(OrderedPartitions rows) {
        List<Integer> sizes = new ArrayList<>();
        try (rows) {
            for (int size = next(rows); size >= 0; size = next(rows)) {
                sizes.add(size);
            }
        }
        return sizes;
    }

    @Test
    void allBatchesInOrder() {
        Part[] parts =
                IntStream.range(0, 50)
                        .mapToObj(i -> new Part(3 * i + 1, 0, 3 * i + 2, 3 * i + 3))
                        .toArray(Part[]::new);

        assertThat(all(read(parts))).isEqualTo(IntStream.rangeClosed(1, 150).boxed().toList());
    }

    @Test
    void allStartTogetherIfNobodyWaitsForTheFirst() {
        CompletableFuture<Void> go = new CompletableFuture<>();
        Part first = new Part(go, 1);
        Part second = new Part(2);
        Part third = new Part(3);
        try (OrderedPartitions rows =
                OrderedPartitions.together(
                        NO_COLUMNS,
                        List.of(first, second, third).iterator(),
                        scheduler.group(),
                        2)) {
            assertThat(rows.poll()).isInstanceOf(Poll.Blocked.class);
            await().until(() -> first.opened && second.opened);
            assertThat(third.opened).isFalse();

            go.complete(null);
            assertThat(all(rows)).containsExactly(1, 2, 3);
        }
    }

    @Test
    void theOthersStartOnceTheFirstIsUnderWay() {
        CompletableFuture<Void> go = new CompletableFuture<>();
        Part first = new Part(go, 1, 2, 3, 4, 5, 6);
        Part second = new Part(7);
        try (OrderedPartitions rows = read(first, second)) {
            assertThat(rows.poll()).isInstanceOf(Poll.Blocked.class);
            await().until(() -> first.opened);
            assertThat(rows.poll()).isInstanceOf(Poll.Blocked.class);
            assertThat(second.opened).isFalse();

            go.complete(null);
            assertThat(next(rows)).isEqualTo(1);
            await().until(() -> next(rows) > 0 && second.opened);
        }
    }

    /** Where a filter leaves nothing of the first, nobody waits for its rows. */
    @Test
    void theOthersStartThoughTheFirstHasNoRows() {
        Integer[] none = new Integer[1000];
        Arrays.fill(none, 0);
        CompletableFuture<Void> go = new CompletableFuture<>();
        Part first = new Part(none);
        Part second = new Part(go, 5);
        Part third = new Part(6);

        try (OrderedPartitions rows = read(first, second, third)) {
            CompletableFuture<Integer> size = CompletableFuture.supplyAsync(() -> next(rows));
            await().until(() -> second.opened);
            go.complete(null);
            assertThat(size.join()).isEqualTo(5);
            assertThat(next(rows)).isEqualTo(6);
            assertThat(next(rows)).isEqualTo(-1);
        }
    }

    @Test
    void aFirstPartitionThatEndsOrFails() {
        assertThat(all(read(new Part(), new Part(1), new Part(), new Part(2))))
                .containsExactly(1, 2);
        OrderedPartitions failing = read(new Part(-1), new Part(1));
        assertThatExceptionOfType(SpillwayException.class).isThrownBy(() -> all(failing));
        assertThat(all(read())).isEmpty();
    }
}
