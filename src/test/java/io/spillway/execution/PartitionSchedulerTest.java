package io.spillway.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.execution.PartitionScheduler.TaskGroup;
import io.spillway.execution.PartitionScheduler.TaskHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PartitionSchedulerTest {

    private static final Duration SOON = Duration.ofSeconds(5);

    private final PartitionScheduler scheduler =
            new PartitionScheduler(1, Duration.ofMillis(50), () -> false);

    @AfterEach
    void close() {
        scheduler.close();
    }

    /** A task made of one function, which counts what happens to it. */
    private static class Probe implements PartitionTask {

        final AtomicInteger turns = new AtomicInteger();
        final AtomicInteger idles = new AtomicInteger();
        final AtomicInteger closes = new AtomicInteger();
        final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        private final Supplier<Turn> turn;

        Probe(Supplier<Turn> turn) {
            this.turn = turn;
        }

        @Override
        public Turn run() {
            turns.incrementAndGet();
            return turn.get();
        }

        @Override
        public void idle() {
            idles.incrementAndGet();
        }

        @Override
        public void failed(Throwable cause) {
            failures.add(cause);
        }

        @Override
        public void close() {
            closes.incrementAndGet();
        }
    }

    @Test
    void turnsAreFairBetweenGroupsWhateverTheNumberOfTheirTasks() throws Exception {
        // One thread, held until both groups have all their tasks queued.
        CountDownLatch go = new CountDownLatch(1);
        scheduler
                .group()
                .start(
                        new Probe(
                                () -> {
                                    awaitUninterruptibly(go);
                                    return PartitionTask.Turn.DONE;
                                }));
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        TaskGroup large = scheduler.group();
        List<TaskHandle> handles = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            AtomicInteger left = new AtomicInteger(10);
            handles.add(
                    large.start(
                            new Probe(
                                    () -> {
                                        order.add("large");
                                        return left.decrementAndGet() == 0
                                                ? PartitionTask.Turn.DONE
                                                : PartitionTask.Turn.AGAIN;
                                    })));
        }
        AtomicInteger left = new AtomicInteger(100);
        TaskHandle small =
                scheduler
                        .group()
                        .start(
                                new Probe(
                                        () -> {
                                            order.add("small");
                                            return left.decrementAndGet() == 0
                                                    ? PartitionTask.Turn.DONE
                                                    : PartitionTask.Turn.AGAIN;
                                        }));
        go.countDown();
        small.ended().get(5, TimeUnit.SECONDS);
        for (TaskHandle handle : handles) {
            handle.ended().get(5, TimeUnit.SECONDS);
        }

        assertThat(order.lastIndexOf("small")).isLessThanOrEqualTo(200);
        assertThat(order).hasSize(10_100);
    }

    @Test
    void aBlockedTaskHoldsNoThreadAndRunsAgainWhenItsFutureIsDone() {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        Probe waiting =
                new Probe(
                        () ->
                                gate.isDone()
                                        ? PartitionTask.Turn.DONE
                                        : new PartitionTask.Turn.Blocked(gate));
        TaskHandle blocked = scheduler.group().start(waiting);
        TaskHandle other = scheduler.group().start(new Probe(() -> PartitionTask.Turn.DONE));

        await().atMost(SOON).until(() -> other.ended().isDone());
        assertThat(blocked.ended()).isNotDone();
        gate.complete(null);
        await().atMost(SOON).until(() -> blocked.ended().isDone());
        assertThat(waiting.closes).hasValue(1);
    }

    @Test
    void aTaskThatIsBlockedForLongIsToldOnceThatItIsIdle() throws Exception {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        Probe task =
                new Probe(
                        () ->
                                gate.isDone()
                                        ? PartitionTask.Turn.DONE
                                        : new PartitionTask.Turn.Blocked(gate));
        TaskHandle handle = scheduler.group().start(task);

        await().atMost(SOON).until(() -> task.idles.get() == 1);
        Thread.sleep(150);
        assertThat(task.idles).hasValue(1);
        assertThat(task.turns).hasValue(1);
        gate.complete(null);
        await().atMost(SOON).until(() -> handle.ended().isDone());
    }

    @Test
    void aTaskIsToldSoonerThatItIsIdleWhileOthersWaitForMemory() {
        AtomicBoolean hurry = new AtomicBoolean();
        try (PartitionScheduler patient =
                new PartitionScheduler(1, Duration.ofSeconds(60), hurry::get)) {
            Probe task = new Probe(() -> new PartitionTask.Turn.Blocked(new CompletableFuture<>()));
            patient.group().start(task);
            await().atMost(SOON).until(() -> task.turns.get() == 1);
            hurry.set(true);
            await().atMost(Duration.ofSeconds(10)).until(() -> task.idles.get() == 1);
        }
    }

    @Test
    void cancelingClosesOnceInEveryState() {
        TaskGroup group = scheduler.group();
        Probe blocked = new Probe(() -> new PartitionTask.Turn.Blocked(new CompletableFuture<>()));
        Probe busy = new Probe(() -> PartitionTask.Turn.AGAIN);
        List<TaskHandle> handles = List.of(group.start(blocked), group.start(busy));
        await().atMost(SOON).until(() -> blocked.turns.get() > 0 && busy.turns.get() > 0);

        handles.forEach(TaskHandle::cancel);
        handles.forEach(TaskHandle::cancel);

        await().atMost(SOON).until(() -> handles.stream().allMatch(h -> h.ended().isDone()));
        assertThat(List.of(blocked.closes.get(), busy.closes.get())).containsOnly(1);
        assertThat(group.live()).isZero();
    }

    @Test
    void aThrowIsReportedToTheTaskAndTheThreadGoesOn() {
        Probe broken =
                new Probe(
                        () -> {
                            throw new IllegalStateException("broken");
                        });
        TaskHandle handle = scheduler.group().start(broken);
        TaskHandle next = scheduler.group().start(new Probe(() -> PartitionTask.Turn.DONE));

        await().atMost(SOON).until(() -> handle.ended().isDone() && next.ended().isDone());
        assertThat(broken.failures).singleElement().isInstanceOf(IllegalStateException.class);
        assertThat(broken.closes).hasValue(1);
    }

    @Test
    void closingEndsEveryTaskAndLateOnesAtOnce() {
        CompletableFuture<Void> never = new CompletableFuture<>();
        List<Probe> probes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Probe probe = new Probe(() -> new PartitionTask.Turn.Blocked(never));
            probes.add(probe);
            scheduler.group().start(probe);
        }
        scheduler.close();
        Probe late = new Probe(() -> PartitionTask.Turn.DONE);
        TaskHandle handle = scheduler.group().start(late);

        assertThat(probes).allSatisfy(p -> assertThat(p.closes).hasValue(1));
        assertThat(handle.ended()).isDone();
        assertThat(late.closes).hasValue(1);
        assertThat(late.turns).hasValue(0);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
