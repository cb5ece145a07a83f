package io.spillway.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.memory.MemoryReservation;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.rows.SharedRows.Company;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.apache.arrow.vector.BigIntVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rows that readers share are the rows that each would have read by itself. */
class SharedRowsTest {

    private static final int ROWS = 6_000;

    private final SourceReading reading = new SourceReading(2);
    private final RowSource source =
            RowSources.of(
                    new PhysicalPlan.Scan(
                            "sequence",
                            SequenceFormat.files(
                                    List.of(List.of(2_000, 1), List.of(499, 0, 3_500))),
                            SequenceFormat.SCHEMA));
    private final SharedRows shared = new SharedRows(source, reading.memory);

    @AfterEach
    void everythingIsGivenBack() {
        reading.nothingIsLeft();
        reading.close();
    }

    private void readers(int count) {
        for (int i = 0; i < count; i++) {
            shared.joined(Company.STAYS);
        }
    }

    private void noReaders(int count) {
        for (int i = 0; i < count; i++) {
            shared.left(Company.STAYS);
        }
    }

    private BatchStream open(long from, long to) {
        return shared.open(from, to, Company.STAYS, reading.context(Ending.STOP));
    }

    /** Takes one batch; false at the end. */
    private static boolean take(BatchStream stream, List<Long> into) {
        try (RecordBatch batch = SourceReading.next(stream)) {
            if (batch == null) {
                return false;
            }
            if (!(batch.column(0) instanceof ColumnVector.Plain(BigIntVector ids))) {
                throw new IllegalStateException("not plain");
            }
            for (int i = 0; i < batch.rowCount(); i++) {
                into.add(ids.get(i));
            }
            return true;
        }
    }

    private List<Long> rest(BatchStream stream) {
        List<Long> ids = new ArrayList<>();
        try (stream) {
            while (take(stream, ids)) {
                // All is in the condition.
            }
        }
        return ids;
    }

    private static List<Long> expected(long from, long to) {
        return LongStream.range(from, Math.min(to, ROWS)).boxed().toList();
    }

    @Test
    void readersInStepReadTheSourceOnce() {
        int count = 8;
        readers(count);
        List<BatchStream> streams = new ArrayList<>();
        List<List<Long>> seen = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            streams.add(open(0, Long.MAX_VALUE));
            seen.add(new ArrayList<>());
        }
        boolean more = true;
        while (more) {
            more = false;
            for (int i = 0; i < count; i++) {
                more |= take(streams.get(i), seen.get(i));
            }
        }
        streams.forEach(BatchStream::close);
        noReaders(count);
        assertThat(seen).allSatisfy(ids -> assertThat(ids).isEqualTo(expected(0, ROWS)));
        assertThat(reading.format.rowsRead.get()).isLessThanOrEqualTo(ROWS * 12L / 10);
    }

    @Test
    void anyRangesInAnyOrder() {
        readers(3);
        Random random = new Random(7);
        List<BatchStream> streams = new ArrayList<>();
        List<List<Long>> seen = new ArrayList<>();
        List<List<Long>> expected = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            long from = random.nextInt(ROWS + 100);
            long to = random.nextBoolean() ? Long.MAX_VALUE : from + random.nextInt(ROWS);
            streams.add(open(from, to));
            seen.add(new ArrayList<>());
            expected.add(expected(from, to));
        }
        for (int turns = 0; turns < 3_000; turns++) {
            int i = random.nextInt(streams.size());
            var _ = take(streams.get(i), seen.get(i));
            if (turns % 500 == 0) {
                shared.drop();
            }
        }
        for (int i = 0; i < streams.size(); i++) {
            seen.get(i).addAll(rest(streams.get(i)));
        }
        noReaders(3);
        assertThat(seen).isEqualTo(expected);
    }

    @Test
    void readersAtOnce() throws Exception {
        readers(6);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<Long>>> answers = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                long from = i % 3 * 10L;
                answers.add(threads.submit(() -> rest(open(from, Long.MAX_VALUE))));
            }
            for (int i = 0; i < 6; i++) {
                assertThat(answers.get(i).get()).isEqualTo(expected(i % 3 * 10L, ROWS));
            }
        }
        noReaders(6);
    }

    @Test
    void aReaderThatIsAloneKeepsNothing() {
        readers(1);
        assertThat(rest(open(5, Long.MAX_VALUE))).isEqualTo(expected(5, ROWS));
        assertThat(shared.keptBytes()).isZero();
        noReaders(1);
    }

    @Test
    void whatIsKeptGoesWithTheReaders() {
        readers(2);
        assertThat(rest(open(0, 1_000))).hasSize(1_000);
        assertThat(shared.keptBytes()).isPositive();
        assertThat(reading.memory.admitted()).isPositive();
        noReaders(1);
        assertThat(shared.keptBytes()).isZero();
        noReaders(1);
    }

    @Test
    void whatIsKeptGoesWhenOtherWorkWaits() {
        readers(2);
        assertThat(rest(open(0, 1_000))).hasSize(1_000);
        assertThat(shared.keptBytes()).isPositive();
        await().atMost(Duration.ofSeconds(5)).until(() -> reading.format.open.get() == 0);
        CompletableFuture<MemoryReservation> all = reading.memory.admit(reading.memory.limit() / 2);
        assertThat(all).isNotDone();
        shared.drop();
        assertThat(all).isDone();
        assertThat(shared.keptBytes()).isZero();
        all.join().close();
        noReaders(2);
    }

    @Test
    void streamsThatAreLeftMidwayTakeNothingAlong() {
        readers(2);
        for (int i = 0; i < 50; i++) {
            try (BatchStream one = open(i * 100L, Long.MAX_VALUE);
                    BatchStream other = open(i * 100L + 50, Long.MAX_VALUE)) {
                for (int k = 0; k < i % 5; k++) {
                    assertThat(take(k % 2 == 0 ? one : other, new ArrayList<>())).isTrue();
                }
            }
        }
        noReaders(2);
    }
}
