package io.spillway.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Readers that take nothing give their seats back, and go on as if nothing had been. */
class ParkingTest {

    private static final long BUDGET = 24 << 20;
    private static final Duration SOON = Duration.ofSeconds(10);

    private final JobEngine engine = new JobEngine(BUDGET, Duration.ofMinutes(5));

    @AfterEach
    void everythingIsGivenBack() {
        await().atMost(SOON)
                .untilAsserted(
                        () -> {
                            assertThat(engine.manager.readers()).isZero();
                            assertThat(engine.manager.seatedReaders()).isZero();
                            assertThat(engine.memory.held()).isZero();
                            assertThat(engine.memory.seated()).isZero();
                        });
        engine.close();
    }

    @Test
    void aReaderThatIsParkedGoesOnAtItsNextRow() throws Exception {
        Job job = engine.job(50_000);
        byte[] whole;
        try (JobReader reader = engine.read(job, 0)) {
            whole = JobEngine.rest(reader);
        }
        ByteArrayOutputStream pieces = new ByteArrayOutputStream();
        try (JobReader reader = engine.read(job, 0)) {
            for (int i = 0; i < 2; i++) {
                pieces.writeBytes(JobEngine.next(reader));
                await().atMost(SOON)
                        .untilAsserted(
                                () -> {
                                    assertThat(engine.memory.seated()).isZero();
                                    assertThat(engine.memory.held()).isZero();
                                });
                assertThat(engine.manager.readers()).isEqualTo(1);
            }
            pieces.writeBytes(JobEngine.rest(reader));
        }
        assertThat(pieces.toByteArray()).isEqualTo(whole);
    }

    /** However a pull and the parking of its reader meet. */
    @Test
    void parkingRacesWithPulling() throws Exception {
        Job job = engine.job(30_000);
        byte[] whole;
        try (JobReader reader = engine.read(job, 0)) {
            whole = JobEngine.rest(reader);
        }
        AtomicBoolean done = new AtomicBoolean();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<byte[]>> answers = new ArrayList<>();
            List<JobReader> readers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                readers.add(engine.read(job, 0));
            }
            Thread parker =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        while (!done.get()) {
                                            readers.forEach(reader -> reader.park(0));
                                            Thread.onSpinWait();
                                        }
                                    });
            for (JobReader reader : readers) {
                answers.add(
                        threads.submit(
                                () -> {
                                    try (reader) {
                                        return JobEngine.rest(reader);
                                    }
                                }));
            }
            for (Future<byte[]> answer : answers) {
                assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo(whole);
            }
            done.set(true);
            parker.join();
        }
    }

    @Test
    void aSeatOfAnIdleReaderGoesToOneThatReads() throws Exception {
        Job job = engine.job(50_000);
        List<JobReader> readers = new ArrayList<>();
        try {
            long seats = seats(job);
            // Far more than there are seats: each takes one, and is out of its way soon after.
            for (int i = 0; i < 3 * seats; i++) {
                JobReader reader = whenThereIsRoom(job, i);
                readers.add(reader);
                assertThat(JobEngine.next(reader)).isNotEmpty();
            }
            assertThat(engine.memory.seated()).isLessThanOrEqualTo(BUDGET / 2);
            for (int i = 0; i < readers.size(); i++) {
                assertThat(JobEngine.next(readers.get(i))).isNotEmpty();
            }
        } finally {
            readers.forEach(JobReader::close);
        }
    }

    private JobReader whenThereIsRoom(Job job, int from) {
        return await().atMost(SOON)
                .pollInterval(Duration.ofMillis(20))
                .ignoreException(SpillwayException.class)
                .until(() -> engine.read(job, from), reader -> true);
    }

    /** New readers are refused while all seats are taken by readers that just pulled. */
    @Test
    void aNewReaderIsRefusedWhileAllAreBusy() {
        Job job = engine.job(10);
        List<JobReader> readers = new ArrayList<>();
        try {
            assertThatThrownBy(
                            () -> {
                                while (true) {
                                    readers.add(engine.read(job, 0));
                                }
                            })
                    .isInstanceOfSatisfying(
                            SpillwayException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_READERS));
        } finally {
            readers.forEach(JobReader::close);
        }
    }

    private long seats(Job job) {
        try (JobReader reader = engine.read(job, 0)) {
            assertThat(reader.rowCount()).isNotNull();
            return BUDGET / 2 / engine.memory.seated();
        }
    }

    /** Who has had a seat for a while leaves it to those who wait, and comes back in turn. */
    @Test
    void busyReadersTakeTurns() throws Exception {
        Job job = engine.job(200_000);
        AtomicBoolean stop = new AtomicBoolean();
        List<JobReader> readers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long seats = seats(job);
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < seats + 3; i++) {
                JobReader reader = whenThereIsRoom(job, 0);
                readers.add(reader);
                assertThat(JobEngine.next(reader)).isNotEmpty();
            }
            long[] before = readers.stream().mapToLong(JobReader::position).toArray();
            for (JobReader reader : readers) {
                all.add(
                        threads.submit(
                                () -> {
                                    while (!stop.get() && JobEngine.next(reader) != null) {
                                        Thread.sleep(20); // slow, but never idle
                                    }
                                    return null;
                                }));
            }
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(
                            () -> {
                                for (int i = 0; i < before.length; i++) {
                                    assertThat(readers.get(i).position()).isGreaterThan(before[i]);
                                }
                            });
            stop.set(true);
            for (Future<?> one : all) {
                one.get(30, TimeUnit.SECONDS);
            }
        } finally {
            readers.forEach(JobReader::close);
        }
    }

    @Test
    void aParkedReaderCostsLittle() throws Exception {
        int count = 500;
        Job job = engine.job(50_000);
        List<JobReader> readers = new ArrayList<>(count);
        try {
            long before = 0;
            for (int i = 0; i < count; i++) {
                if (i == count / 10) {
                    before = heapInUse();
                }
                JobReader reader = whenThereIsRoom(job, i);
                readers.add(reader);
                assertThat(JobEngine.next(reader)).isNotEmpty();
                reader.park(0);
            }
            assertThat(engine.memory.seated()).isZero();
            await().atMost(SOON).untilAsserted(() -> assertThat(engine.memory.held()).isZero());
            long each = (heapInUse() - before) / (count - count / 10);
            assertThat(each).as("bytes a reader").isLessThan(20 << 10);
        } finally {
            readers.forEach(JobReader::close);
        }
    }

    private static long heapInUse() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(100);
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
