package io.spillway.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MemoryHoldingTest {

    private final MemoryPool root = MemoryPool.root(2_000_000);
    private final MemoryPool job = root.child("job", 1_000_000);

    @AfterEach
    void nothingIsLeft() {
        assertThat(job.admitted()).isZero();
        assertThat(root.admitted()).isZero();
        job.close();
        root.close();
    }

    @Test
    void growsToTheLimitOfEachNodeAndNoFurther() {
        try (MemoryPool other = root.child("other", 2_000_000);
                MemoryHolding mine = job.hold("mine");
                MemoryHolding theirs = other.hold("theirs")) {
            assertThat(mine.tryGrow(500_001)).isFalse();
            assertThat(mine.tryGrow(400_000)).isTrue();
            assertThat(theirs.tryGrow(600_001)).isFalse();
            assertThat(other.admitted()).as("nothing is taken where it fits").isZero();
            assertThat(theirs.tryGrow(600_000)).isTrue();
            assertThat(mine.tryGrow(1)).isFalse();
            assertThat(job.admitted()).isEqualTo(400_000);
            assertThat(root.admitted()).isEqualTo(1_000_000);
            mine.shrink(100_000);
            assertThat(mine.bytes()).isEqualTo(300_000);
            assertThat(root.admitted()).isEqualTo(900_000);
            assertThatThrownBy(() -> mine.shrink(300_001))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** A moment in a queue would make holders spill, with all memory free. */
    @Test
    @Timeout(20)
    void whoeverIsLetInAtOnceKeepsNobodyOut() throws Exception {
        try (ExecutorService thread = Executors.newSingleThreadExecutor();
                MemoryHolding mine = job.hold("mine")) {
            Future<?> work =
                    thread.submit(
                            () -> {
                                for (int i = 0; i < 100_000; i++) {
                                    job.admit(1_000).join().close();
                                }
                            });
            while (!work.isDone()) {
                assertThat(mine.tryGrow(1_000)).isTrue();
                assertThat(job.isShort()).isFalse();
                mine.shrink(1_000);
            }
            work.get();
        }
    }

    @Test
    void theLargestGivesWayAndWorkIsLetIn() {
        try (MemoryHolding small = job.hold("small");
                MemoryHolding large = job.hold("large")) {
            assertThat(small.tryGrow(100_000)).isTrue();
            assertThat(large.tryGrow(300_000)).isTrue();
            CompletableFuture<?> revoked = large.revoked();
            CompletableFuture<MemoryReservation> work = job.admit(200_000);
            assertThat(work).isNotDone();
            assertThat(revoked).isDone();
            assertThat(small.revoked()).isNotDone();
            assertThat(small.tryGrow(1)).as("somebody waits").isFalse();
            large.shrink(300_000);
            assertThat(work).isDone();
            assertThat(large.revoked()).isNotDone();
            work.join().close();
        }
    }

    @Test
    void whoHasNothingToGiveIsPassedOver() {
        try (MemoryHolding small = job.hold("small");
                MemoryHolding large = job.hold("large")) {
            small.tryGrow(100_000);
            large.tryGrow(300_000);
            CompletableFuture<MemoryReservation> work = job.admit(150_000);
            assertThat(large.revoked()).isDone();
            large.decline();
            assertThat(large.revoked()).isNotDone();
            assertThat(small.revoked()).isDone();
            small.shrink(50_000);
            assertThat(work).isDone();
            work.join().close();
            large.tryGrow(1_000);
            CompletableFuture<MemoryReservation> more = job.admit(300_000);
            assertThat(large.revoked()).as("it has grown since").isDone();
            large.shrink(large.bytes());
            more.join().close();
        }
    }

    @Test
    void oneWhoGivesTooLittleIsAskedAgain() {
        try (MemoryHolding one = job.hold("one")) {
            one.tryGrow(500_000);
            CompletableFuture<MemoryReservation> work = job.admit(200_000);
            one.shrink(50_000);
            assertThat(one.revoked()).isDone();
            one.shrink(150_000);
            assertThat(work).isDone();
            work.join().close();
        }
    }

    @Test
    void givingNothingBackIsNoAnswer() {
        try (MemoryHolding one = job.hold("one")) {
            one.tryGrow(500_000);
            CompletableFuture<MemoryReservation> work = job.admit(200_000);
            one.shrink(0);
            assertThat(one.revoked()).isDone();
            assertThat(work).isNotDone();
            one.shrink(200_000);
            work.join().close();
        }
    }

    @Test
    void aNeedThatHasPassedIsForgotten() {
        try (MemoryHolding one = job.hold("one")) {
            one.tryGrow(500_000);
            CompletableFuture<MemoryReservation> work = job.admit(200_000);
            assertThat(one.revoked()).isDone();
            work.cancel(false);
            assertThat(one.revoked()).isNotDone();
            assertThat(one.tryGrow(0)).isTrue();
        }
    }

    @Test
    void workThatWaitsAboveIsHelpedByAnotherJob() {
        try (MemoryPool other = root.child("other", 2_000_000);
                MemoryHolding theirs = other.hold("theirs")) {
            theirs.tryGrow(900_000);
            CompletableFuture<MemoryReservation> work = job.admit(300_000);
            assertThat(theirs.revoked()).isDone();
            work.cancel(false);
            assertThat(job.admitted()).as("what was granted below is given back").isZero();
            CompletableFuture<MemoryReservation> again = job.admit(300_000);
            theirs.shrink(900_000);
            again.join().close();
        }
    }

    @Test
    void aClosedHoldingNeitherGrowsNorIsAsked() {
        MemoryHolding one = job.hold("one");
        one.tryGrow(10);
        one.close();
        one.close();
        one.decline();
        assertThat(one.tryGrow(1)).isFalse();
        assertThat(one.bytes()).isZero();
    }

    @Test
    @Timeout(60)
    void holdersThatAnswerNeverKeepWorkOut() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong most = new AtomicLong();
        try (MemoryPool other = root.child("other", 2_000_000);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> holders = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                MemoryPool pool = i % 2 == 0 ? job : other;
                holders.add(threads.submit(() -> holdUntil(stop, pool, most)));
            }
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                MemoryPool pool = i % 2 == 0 ? job : other;
                workers.add(threads.submit(() -> work(pool, most)));
            }
            try {
                for (Future<?> worker : workers) {
                    worker.get(30, TimeUnit.SECONDS);
                }
            } finally {
                stop.set(true);
            }
            for (Future<?> holder : holders) {
                holder.get();
            }
            assertThat(other.admitted()).isZero();
        }
        assertThat(most.get()).isLessThanOrEqualTo(1_000_000);
    }

    /** Grows while it can, and gives way only when it is told to. */
    private void holdUntil(AtomicBoolean stop, MemoryPool pool, AtomicLong most) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (!stop.get()) {
            try (MemoryHolding holding = pool.hold("holder")) {
                int turns = random.nextInt(50);
                for (int i = 0; i < turns && !stop.get(); i++) {
                    while (!stop.get() && holding.tryGrow(1 + random.nextInt(20_000))) {
                        most.accumulateAndGet(root.admitted(), Math::max);
                    }
                    CompletableFuture<?> revoked = holding.revoked();
                    while (!stop.get() && !revoked.isDone() && root.isShort()) {
                        LockSupport.parkNanos(1_000);
                    }
                    if (revoked.isDone()) {
                        holding.shrink((holding.bytes() + 1) / 2);
                    }
                }
            }
        }
    }

    private void work(MemoryPool pool, AtomicLong most) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        for (int i = 0; i < 300; i++) {
            CompletableFuture<MemoryReservation> admission =
                    pool.admit(1 + random.nextInt(400_000));
            if (i % 7 == 0 && admission.cancel(false)) {
                continue;
            }
            try (MemoryReservation _ = admission.join()) {
                most.accumulateAndGet(root.admitted(), Math::max);
                LockSupport.parkNanos(1_000);
            }
        }
    }
}
