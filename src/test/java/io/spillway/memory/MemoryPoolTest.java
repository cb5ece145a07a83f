package io.spillway.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.memory.ArrowBuf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryPoolTest {

    private final MemoryPool root = MemoryPool.root(2_000_000);

    @AfterEach
    void nothingIsLeft() {
        assertThat(root.admitted()).isZero();
        assertThat(root.seated()).isZero();
        root.close();
    }

    @Test
    void whatAChildHoldsCountsAtTheRoot() {
        try (MemoryPool job = root.child("job", 500_000);
                ArrowBuf buffer = job.allocator().buffer(4_096);
                MemoryReservation heap = job.account(10_000)) {
            assertThat(job.held()).isEqualTo(4_096 + 10_000);
            assertThat(root.held()).isEqualTo(4_096 + 10_000);
            assertThat(buffer.capacity() + heap.bytes()).isEqualTo(job.held());
        }
        assertThat(root.held()).isZero();
        assertThat(root.peak()).isEqualTo(14_096);
    }

    @Test
    void aChildIsHeldToItsOwnLimitAndNobodyElseNotices() {
        try (MemoryPool job = root.child("job", 10_000);
                MemoryPool other = root.child("other", 10_000)) {
            assertThatThrownBy(() -> job.account(10_001))
                    .isInstanceOfSatisfying(
                            SpillwayException.class,
                            e -> {
                                assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT);
                                assertThat(e.context())
                                        .containsEntry(SpillwayException.LIMIT, 10_000L);
                            });
            assertThat(job.held()).isZero();
            other.account(10_000).close();
        }
    }

    @Test
    void admissionWaitsInTurnUntilOthersLeave() {
        MemoryReservation first = root.admit(600_000).join();
        CompletableFuture<MemoryReservation> large = root.admit(500_000);
        CompletableFuture<MemoryReservation> small = root.admit(1_000);
        assertThat(large).isNotDone();
        assertThat(small).as("nobody overtakes, so nobody starves").isNotDone();

        first.close();
        first.close();
        assertThat(large).isDone();
        assertThat(small).isDone();
        assertThat(root.admitted()).isEqualTo(501_000);
        large.join().close();
        small.join().close();
    }

    @Test
    void whoAsksForMoreThanThereIsIsRefusedAtOnce() {
        try (MemoryPool job = root.child("job", 10_000)) {
            assertThatThrownBy(() -> job.admit(5_001).get())
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            SpillwayException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT));
        }
    }

    @Test
    void aRequestThatIsTakenBackHoldsUpNobody() {
        MemoryReservation all = root.admit(1_000_000).join();
        CompletableFuture<MemoryReservation> gone = root.admit(900_000);
        CompletableFuture<MemoryReservation> next = root.admit(800_000);
        gone.cancel(false);
        all.close();
        assertThat(next).isDone();
        next.join().close();
    }

    @Test
    void workInAChildWaitsForTheChildAndForTheRoot() {
        try (MemoryPool job = root.child("job", 600_000);
                MemoryPool other = root.child("other", 2_000_000)) {
            MemoryReservation first = job.admit(300_000).join();
            CompletableFuture<MemoryReservation> second = job.admit(1);
            MemoryReservation third = other.admit(700_000).join();
            assertThat(second).isNotDone();
            CompletableFuture<MemoryReservation> fourth = other.admit(200_000);
            assertThat(fourth).isNotDone();
            first.close();
            assertThat(second).isDone();
            assertThat(fourth).isDone();
            second.join().close();
            third.close();
            fourth.join().close();
        }
    }

    @Test
    void aReaderFindsASeatOrIsRefusedAtOnce() {
        try (MemoryPool job = root.child("job", 200_000)) {
            MemoryReservation seat = job.seat(60_000);
            assertThatThrownBy(() -> job.seat(60_000))
                    .isInstanceOfSatisfying(
                            SpillwayException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_READERS));
            MemoryReservation work = job.admit(100_000).join();
            assertThatThrownBy(() -> job.seat(100_001))
                    .isInstanceOfSatisfying(
                            SpillwayException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT));
            seat.close();
            job.seat(100_000).close();
            assertThat(root.admitted()).isEqualTo(100_000);
            assertThat(root.seated()).isZero();
            work.close();
        }
    }

    @Test
    void manyThreadsNeverExceedTheBudget() throws Exception {
        AtomicLong inside = new AtomicLong();
        AtomicLong most = new AtomicLong();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                long bytes = 50_000 + 1_000L * i;
                all.add(
                        threads.submit(
                                () -> {
                                    for (int k = 0; k < 50; k++) {
                                        try (MemoryReservation granted = root.admit(bytes).join()) {
                                            long now = inside.addAndGet(granted.bytes());
                                            most.accumulateAndGet(now, Math::max);
                                            inside.addAndGet(-granted.bytes());
                                        }
                                    }
                                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        assertThat(most.get()).isLessThanOrEqualTo(1_000_000);
    }

    @Test
    void workThatOnlyWaitsForItselfFails() {
        MemoryPool root = MemoryPool.root(2_000_000);
        MemoryPool job = root.child("job", 1_000_000);
        MemoryReservation step = job.admitStanding(200_000).join();
        MemoryReservation scan = job.admit(300_000).join();
        CompletableFuture<MemoryReservation> next = job.admit(300_001);
        CompletableFuture<MemoryReservation> small = job.admit(1);
        assertThat(next).as("the scan gives its part back in the end").isNotDone();
        scan.close();
        assertThat(next)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("300,001 bytes do not fit")
                .withMessageContaining("200,000 bytes are kept");
        assertThat(small).isCompletedExceptionally();
        assertThat(job.isShort()).isFalse();

        try (MemoryHolding state = job.hold("state")) {
            assertThat(state.tryGrow(100_000)).isTrue();
            CompletableFuture<MemoryReservation> more = job.admit(300_000);
            assertThat(more).as("the holding is asked").isNotDone();
            state.shrink(100_000);
            more.join().close();

            assertThat(state.tryGrow(100_000)).isTrue();
            CompletableFuture<MemoryReservation> again = job.admit(300_000);
            state.decline();
            assertThat(again)
                    .as("the holding's owner waits for others, too")
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .withMessageContaining("300,000 bytes are kept");
            CompletableFuture<MemoryReservation> fits = job.admit(200_000);
            assertThat(fits).isDone();
            fits.join().close();
        }
        step.close();
        job.admit(500_000).join().close();

        // Other jobs leave by themselves.
        MemoryReservation other = root.admitStanding(900_000).join();
        CompletableFuture<MemoryReservation> waits = job.admit(200_000);
        assertThat(waits).isNotDone();
        other.close();
        waits.join().close();
        assertThat(root.admitted()).isZero();
        job.close();
        root.close();
    }

    /** Two jobs each keep what the other one waits for: one gives up, the other one goes on. */
    @Test
    void jobsThatKeepOneAnotherOutAreSetFree() {
        try (MemoryPool root = MemoryPool.root(2_000_000);
                MemoryPool one = root.child("one", 2_000_000);
                MemoryPool two = root.child("two", 2_000_000)) {
            MemoryReservation first = one.admitStanding(400_000).join();
            MemoryReservation second = two.admitStanding(400_000).join();
            CompletableFuture<MemoryReservation> firstScan = one.admit(300_000);
            assertThat(firstScan).as("the other job may still end").isNotDone();
            CompletableFuture<MemoryReservation> secondScan = two.admit(300_000);
            assertThat(secondScan)
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .withMessageContaining("800,000 bytes are kept");
            assertThat(firstScan).isNotDone();
            second.close();
            firstScan.join().close();
            first.close();
            assertThat(root.admitted()).isZero();
            assertThat(root.isShort()).isFalse();
        }
    }

    /** Nobody is refused because somebody who keeps nothing stands first in the queue. */
    @Test
    void thoseWhoseEndIsWaitedForGoFirst() {
        try (MemoryPool root = MemoryPool.root(2_000_000);
                MemoryPool one = root.child("one", 2_000_000);
                MemoryPool two = root.child("two", 2_000_000);
                MemoryPool large = root.child("large", 2_000_000)) {
            MemoryReservation first = one.admitStanding(300_000).join();
            MemoryReservation second = two.admitStanding(300_000).join();
            CompletableFuture<MemoryReservation> largeScan = large.admit(900_000);
            CompletableFuture<MemoryReservation> firstScan = one.admit(200_000);
            assertThat(firstScan).as("first come first served").isNotDone();
            CompletableFuture<MemoryReservation> secondScan = two.admit(200_000);
            assertThat(firstScan).isDone();
            assertThat(secondScan).isDone();
            CompletableFuture<MemoryReservation> lateScan = two.admit(1_000);
            assertThat(lateScan).as("others are at work").isNotDone();
            firstScan.join().close();
            secondScan.join().close();
            first.close();
            assertThat(lateScan).as("the only one who keeps anything").isDone();
            lateScan.join().close();
            second.close();
            largeScan.join().close();
            assertThat(root.admitted()).isZero();
        }
    }

    /** What answers that it can give nothing is kept as well. */
    @Test
    void holdingsThatCanGiveNothingKeepJobsOutToo() {
        try (MemoryPool root = MemoryPool.root(2_000_000);
                MemoryPool one = root.child("one", 2_000_000);
                MemoryPool two = root.child("two", 2_000_000);
                MemoryHolding firstState = one.hold("first");
                MemoryHolding secondState = two.hold("second")) {
            assertThat(firstState.tryGrow(400_000)).isTrue();
            assertThat(secondState.tryGrow(500_000)).isTrue();
            CompletableFuture<MemoryReservation> firstScan = one.admit(200_000);
            CompletableFuture<MemoryReservation> secondScan = two.admit(150_000);
            secondState.decline();
            assertThat(firstScan).isNotDone();
            firstState.decline();
            assertThat(secondScan).isCompletedExceptionally();
            secondState.shrink(500_000);
            firstScan.join().close();
        }
    }
}
