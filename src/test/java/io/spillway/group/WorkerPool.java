package io.spillway.group;

import io.spillway.group.Broker.Held;
import io.spillway.group.LeaseHistory.Seen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Workers that share a group's batches until all are committed, of which some die and some pause
 * for longer than their leases last, at random. Whoever dies is followed by another one.
 */
final class WorkerPool {

    /**
     * What happens.
     *
     * @param workers at a time
     * @param batches about how many there are
     * @param faults about how many deaths and pauses there are
     * @param life of leases
     */
    record Plan(int workers, int batches, int faults, Duration life) {}

    /** A worker dies: what it had is lost. */
    private static final class Death extends RuntimeException {

        private static final long serialVersionUID = 1;

        Death() {
            super("death", null, false, false);
        }
    }

    private final Broker broker;
    private final Plan plan;
    private final Consumer<Held> work;
    private final LeaseHistory history = new LeaseHistory();
    private final AtomicInteger faults = new AtomicInteger();
    private final AtomicInteger names = new AtomicInteger();

    /**
     * @param work what is done with a batch before it is committed
     */
    WorkerPool(Broker broker, Plan plan, Consumer<Held> work) {
        this.broker = broker;
        this.plan = plan;
        this.work = work;
    }

    /** How many died or paused. */
    int faults() {
        return faults.get();
    }

    /** Works until all is done. */
    LeaseHistory run(long seed) throws Exception {
        SplittableRandom seeds = new SplittableRandom(seed);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> seats = new ArrayList<>();
            for (int i = 0; i < plan.workers(); i++) {
                SplittableRandom random = seeds.split();
                seats.add(threads.submit(() -> seat(random)));
            }
            for (Future<?> seat : seats) {
                seat.get(30, TimeUnit.MINUTES);
            }
        }
        return history;
    }

    /** One worker after the other. */
    private void seat(SplittableRandom random) {
        boolean dies = true;
        while (dies) {
            try {
                work("worker-" + names.incrementAndGet(), random);
                dies = false;
            } catch (Death e) {
                faults.incrementAndGet();
            }
        }
    }

    private void work(String worker, SplittableRandom random) {
        while (true) {
            int batches = 1 + random.nextInt(3);
            long begun = System.nanoTime();
            Optional<List<Held>> claimed = broker.claim(worker, batches, plan.life());
            if (claimed.isEmpty()) {
                return;
            }
            claimed.get().forEach(held -> history.add(Seen.CLAIMED, worker, held, begun));
            if (claimed.get().isEmpty()) {
                LockSupport.parkNanos(plan.life().toNanos() / 10);
            }
            for (Held held : claimed.get()) {
                deal(worker, held, random);
            }
        }
    }

    private void deal(String worker, Held held, SplittableRandom random) {
        fate(random);
        work.accept(held);
        int choice = random.nextInt(100);
        if (choice < 5) {
            long begun = System.nanoTime();
            if (broker.release(held)) {
                history.add(Seen.RELEASED, worker, held, begun);
                return;
            }
        } else if (choice < 15) {
            broker.renew(held, plan.life());
        }
        fate(random);
        commit(worker, held, random);
        if (choice > 90) {
            commit(worker, held, random);
        }
    }

    private void commit(String worker, Held held, SplittableRandom random) {
        long begun = System.nanoTime();
        boolean isLast = isFault(random) && random.nextBoolean();
        boolean counts = broker.commit(held);
        if (isLast) {
            history.add(Seen.UNANSWERED, worker, held, begun);
            throw new Death();
        }
        history.add(counts ? Seen.COMMITTED : Seen.REFUSED, worker, held, begun);
    }

    /** Lives on, dies, or goes on late. */
    private void fate(SplittableRandom random) {
        if (!isFault(random)) {
            return;
        }
        if (random.nextBoolean()) {
            throw new Death();
        }
        faults.incrementAndGet();
        LockSupport.parkNanos((long) (plan.life().toNanos() * (0.5 + 2 * random.nextDouble())));
    }

    /** A batch has three moments at which something may happen. */
    private boolean isFault(SplittableRandom random) {
        return random.nextDouble() < plan.faults() / (2.5 * plan.batches());
    }
}
