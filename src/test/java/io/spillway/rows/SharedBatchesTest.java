package io.spillway.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.batch.BatchStream;
import io.spillway.memory.MemoryReservation;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.rows.PlanModel.Row;
import io.spillway.rows.SharedRows.Company;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What readers of shards, and holders of leases, read together: hardly more than one who reads all.
 */
class SharedBatchesTest {

    private static final int ROWS = 200_000;
    private static final Duration LINGER = Duration.ofSeconds(2);

    private final SourceReading reading = new SourceReading(2);
    private final SharedRows shared =
            new SharedRows(
                    source(List.of(List.of(9_000, 1), List.of(999, 0, 190_000))), reading.memory);

    @AfterEach
    void everythingIsGivenBack() {
        shared.close();
        reading.nothingIsLeft();
        reading.close();
    }

    private static RowSource source(List<List<Integer>> sizes) {
        return RowSources.of(
                new PhysicalPlan.Scan(
                        "sequence", SequenceFormat.files(sizes), SequenceFormat.SCHEMA));
    }

    private BatchStream open(SharedRows from, Shard shard) {
        return from.open(shard, 0, Long.MAX_VALUE, reading.context(Ending.STOP));
    }

    private long rowsRead() {
        return reading.format.rowsRead.get();
    }

    @ParameterizedTest
    @CsvSource({"50, 4", "7, 16", "1000, 2", "3000, 8", "1, 3"})
    void shardsInStepReadAllOnceTogether(int size, int of) {
        List<BatchStream> streams = new ArrayList<>();
        List<List<Row>> seen = new ArrayList<>();
        for (int i = 0; i < of; i++) {
            shared.joined(Company.STAYS);
            streams.add(open(shared, new Shard(size, i, of, Shard.Rest.KEPT)));
            seen.add(new ArrayList<>());
        }
        int batches = Math.ceilDiv(ROWS, size);
        for (int step = 0; step * of < batches; step++) {
            for (int i = 0; i < of; i++) {
                List<Row> rows = seen.get(i);
                while (rows.size() < (step + 1) * size
                        && SourceReading.take(streams.get(i), rows)) {
                    // All is in the condition.
                }
            }
        }
        streams.forEach(BatchStream::close);
        streams.forEach(stream -> shared.left(Company.STAYS));
        assertThat(seen.stream().flatMap(List::stream).map(Row::id).sorted().toList())
                .isEqualTo(LongStream.range(0, ROWS).boxed().toList());
        assertThat(rowsRead()).isLessThanOrEqualTo(ROWS * 12L / 10);
    }

    @Test
    void aShardLeavesPartitionsAloneThatHoldNothingOfIt() {
        RowSource parts = source(List.of(Collections.nCopies(40, 500)));
        SharedRows alone = new SharedRows(parts, reading.memory);
        alone.joined(Company.STAYS);
        List<Row> rows = new ArrayList<>();
        try (BatchStream stream = open(alone, new Shard(500, 3, 10, Shard.Rest.KEPT))) {
            while (SourceReading.take(stream, rows)) {
                // All is in the condition.
            }
        }
        alone.left(Company.STAYS);
        alone.close();
        assertThat(rows).hasSize(4 * 500);
        assertThat(rowsRead()).isEqualTo(4 * 500);
    }

    /** A batch at a time, each by a reader of its own, by several holders in turns. */
    @ParameterizedTest
    @CsvSource({"100, 1", "100, 4", "33, 8", "2500, 4"})
    void leasesOneBehindTheOtherReadAllOnceTogether(int size, int holders) {
        List<Row> rows = new ArrayList<>();
        int batches = Math.ceilDiv(ROWS, size);
        for (int first = 0; first < batches; first += holders) {
            List<BatchStream> streams = new ArrayList<>();
            // Whoever was last to claim is first to read.
            for (int i = Math.min(holders, batches - first) - 1; i >= 0; i--) {
                long from = (long) (first + i) * size;
                shared.joined(Company.PASSES);
                streams.add(
                        shared.open(
                                from, from + size, Company.PASSES, reading.context(Ending.PEEK)));
            }
            for (BatchStream stream : streams) {
                while (SourceReading.take(stream, rows)) {
                    // All is in the condition.
                }
                stream.close();
                shared.left(Company.PASSES);
            }
        }
        assertThat(rows.stream().map(Row::id).sorted().toList())
                .isEqualTo(LongStream.range(0, ROWS).boxed().toList());
        assertThat(rowsRead()).isLessThanOrEqualTo(ROWS * 12L / 10);
    }

    private void leaseOf(long from, long to) {
        shared.joined(Company.PASSES);
        try (BatchStream stream =
                shared.open(from, to, Company.PASSES, reading.context(Ending.STOP))) {
            List<Row> rows = new ArrayList<>();
            while (SourceReading.take(stream, rows)) {
                // All is in the condition.
            }
            assertThat(rows.stream().map(Row::id))
                    .containsExactlyElementsOf(LongStream.range(from, to).boxed().toList());
        }
        shared.left(Company.PASSES);
    }

    @Test
    void whatWaitsForTheNextReaderGoesAfterAWhile() {
        leaseOf(0, 150);
        assertThat(reading.memory.admitted()).isPositive();
        await().atMost(LINGER.multipliedBy(3))
                .untilAsserted(
                        () -> {
                            shared.settle();
                            assertThat(reading.memory.admitted()).isZero();
                        });
        assertThat(shared.keptBytes()).isZero();
    }

    @Test
    void whatWaitsForTheNextReaderGoesAtOnceWhenOtherWorkWaits() {
        leaseOf(0, 150);
        assertThat(shared.keptBytes()).isPositive();
        CompletableFuture<MemoryReservation> work =
                reading.memory.admit(reading.memory.limit() / 2);
        assertThat(work).isNotDone();
        shared.drop();
        await().atMost(LINGER).until(work::isDone);
        work.join().close();
    }

    @Test
    void fewCursorsWaitHoweverManyReadersHaveLeft() {
        for (int i = 0; i < 30; i++) {
            long from = (i * 7_919L) % (ROWS - 10);
            leaseOf(from, from + 10);
        }
        assertThat(reading.format.open.get()).isLessThanOrEqualTo(4 * 3);
    }

    @Test
    void manyAtOnce() {
        IntStream.range(0, ROWS / 500).parallel().forEach(i -> leaseOf(i * 500L, (i + 1) * 500L));
    }
}
