package io.spillway.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.encode.GroupFormat;
import io.spillway.encode.RowEvents;
import io.spillway.rows.SharedRows.Company;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Readers of events share what was made for one of them, and none can tell. */
class SharedEventsTest {

    private static final int ROWS = 20_000;
    private static final Duration SOON = Duration.ofSeconds(10);

    private final JobEngine engine = new JobEngine(24 << 20, Duration.ofMinutes(5));
    private final Job job = engine.job(ROWS);

    @AfterEach
    void everythingIsGivenBack() {
        await().atMost(SOON)
                .untilAsserted(
                        () -> {
                            assertThat(engine.manager.readers()).isZero();
                            assertThat(engine.manager.seatedReaders()).isZero();
                            assertThat(engine.memory.held()).isZero();
                            assertThat(engine.memory.seated()).isZero();
                            assertThat(engine.memory.admitted()).isZero();
                        });
        engine.close();
    }

    private JobReader events(long from, long to, int rowsPerEvent) {
        GroupFormat format =
                new GroupFormat(
                        JobEngine.LINES, from, rowsPerEvent, new RowEvents(row -> "id-" + row));
        return engine.manager.open(
                JobPart.all(job), Reading.rows(from, to, format).in(Company.STAYS));
    }

    private byte[] alone(long from, long to, int rowsPerEvent) throws Exception {
        try (JobReader reader = events(from, to, rowsPerEvent)) {
            return JobEngine.rest(reader);
        }
    }

    @Test
    void whatTheyGetDependsOnNobodyElse() throws Exception {
        long[][] kinds = {{0, ROWS, 10}, {0, ROWS, 1}, {0, 7_777, 10}, {5, ROWS, 10}, {10, 11, 10}};
        List<byte[]> expected = new ArrayList<>();
        for (long[] kind : kinds) {
            expected.add(alone(kind[0], kind[1], (int) kind[2]));
        }
        List<JobReader> readers = new ArrayList<>();
        List<ByteArrayOutputStream> seen = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            long[] kind = kinds[i % kinds.length];
            readers.add(events(kind[0], kind[1], (int) kind[2]));
            seen.add(new ByteArrayOutputStream());
        }
        Random random = new Random(3);
        for (int turns = 0; turns < 300; turns++) {
            int i = random.nextInt(readers.size());
            byte[] next = JobEngine.next(readers.get(i));
            if (next != null) {
                seen.get(i).writeBytes(next);
            }
        }
        for (int i = 0; i < readers.size(); i++) {
            try (JobReader reader = readers.get(i)) {
                seen.get(i).writeBytes(JobEngine.rest(reader));
            }
            assertThat(seen.get(i).toByteArray()).isEqualTo(expected.get(i % kinds.length));
        }
    }

    @Test
    void manyAtOnce() throws Exception {
        byte[] expected = alone(0, ROWS, 10);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> answers = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                answers.add(threads.submit(() -> Arrays.equals(alone(0, ROWS, 10), expected)));
            }
            for (Future<Boolean> answer : answers) {
                assertThat(answer.get()).isTrue();
            }
        }
    }

    /** Where something is kept for it, a reader begins without a seat. */
    @Test
    void stalledReadersTakeNoSeats() throws Exception {
        List<JobReader> readers = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                JobReader reader = events(0, ROWS, 10);
                readers.add(reader);
                assertThat(JobEngine.next(reader)).isNotEmpty();
            }
            assertThat(engine.manager.readers()).isEqualTo(200);
            assertThat(engine.manager.seatedReaders()).isLessThanOrEqualTo(2);
            assertThat(engine.memory.held()).isLessThan(4 << 20);
        } finally {
            readers.forEach(JobReader::close);
        }
    }
}
