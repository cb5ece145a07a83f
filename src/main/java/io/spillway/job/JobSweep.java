package io.spillway.job;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the jobs that are used in this process. Twenty times a second: readers that take
 * nothing leave their seats, and where memory is short, jobs give up what they only keep. Once a
 * second: readers whose consumers are lost are cut off, jobs that have ended, perhaps at another
 * replica, let go of everything, jobs that are used live on, and counts that nobody wants stop.
 * Every five seconds: spools of jobs that have ended are deleted. Once a minute: records of jobs
 * that ended long ago are removed from the store.
 */
final class JobSweep implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(JobSweep.class);

    private static final int TURNS_A_SECOND = 20;
    private static final int TURNS_A_SPOOL_SWEEP = 5 * TURNS_A_SECOND;
    private static final int TURNS_A_MINUTE = 60 * TURNS_A_SECOND;

    /** A reader that has not pulled for so many times the stall limit is lost. */
    private static final int LOST_AFTER_STALLS = 12;

    /** How often the life of a job that is used is moved on, unless it is short. */
    private static final Duration RENEWAL = Duration.ofSeconds(30);

    private final JobStore store;
    private final JobSettings settings;
    private final Seats seats;
    private final Engine engine;
    private final Supplier<List<RunningJob>> running;
    private final Clock clock;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("jobs").factory());
    private long turns;
    private boolean failing;
    private final AtomicBoolean deleting = new AtomicBoolean();

    /**
     * Starts.
     *
     * @param running the jobs that are used now
     */
    JobSweep(
            JobStore store,
            JobSettings settings,
            Seats seats,
            Engine engine,
            Supplier<List<RunningJob>> running,
            Clock clock) {
        this.store = store;
        this.settings = settings;
        this.seats = seats;
        this.engine = engine;
        this.running = running;
        this.clock = clock;
        long period = 1_000 / TURNS_A_SECOND;
        var _ = thread.scheduleWithFixedDelay(this::turn, period, period, TimeUnit.MILLISECONDS);
    }

    private void turn() {
        try {
            seats.sweep();
            List<RunningJob> jobs = running.get();
            jobs.forEach(RunningJob::settle);
            if (engine.memory().isShort()) {
                jobs.forEach(RunningJob::spare);
            }
            if (++turns % TURNS_A_SECOND == 0) {
                second();
            }
            if (turns % TURNS_A_SPOOL_SWEEP == 0) {
                deleteSpools();
            }
            if (turns % TURNS_A_MINUTE == 0) {
                store.removeEndedBefore(clock.instant().minus(settings.retention()));
            }
            failing = false;
        } catch (RuntimeException e) {
            if (!failing) {
                LOG.warn("the sweep over jobs failed and will be tried again each second", e);
            }
            failing = true;
        }
    }

    /** Deletes spools of jobs that have ended, where waiting is allowed, one sweep at a time. */
    void deleteSpools() {
        if (deleting.compareAndSet(false, true)) {
            engine.waiting()
                    .execute(
                            () -> {
                                try {
                                    engine.spools().sweep(clock.instant());
                                } catch (RuntimeException e) {
                                    LOG.warn("spools of ended jobs are deleted later", e);
                                } finally {
                                    deleting.set(false);
                                }
                            });
        }
    }

    private void second() {
        List<RunningJob> jobs = running.get();
        long now = System.nanoTime();
        for (RunningJob job : jobs) {
            cutStalled(job, now);
            job.sweepCounts(now);
        }
        if (jobs.isEmpty()) {
            return;
        }
        Map<String, Job.Life> lives =
                store.lives(jobs.stream().map(job -> job.job().id()).collect(Collectors.toSet()));
        for (RunningJob job : jobs) {
            Job.Life life = lives.get(job.job().id());
            if (life == null) {
                job.end(new SpillwayException(ErrorCode.UNKNOWN_JOB, "The job is gone"));
            } else {
                check(job, job.job().at(life));
            }
        }
    }

    /**
     * The network side cuts off peers that take no byte. A reader may go without a pull for longer,
     * since one chunk can last a slow peer for long; but not for ever.
     */
    private void cutStalled(RunningJob job, long now) {
        for (JobReader reader : job.readers()) {
            if (reader.stalledNanos(now) / LOST_AFTER_STALLS > settings.stall().toNanos()) {
                reader.interrupt(
                        new SpillwayException(
                                ErrorCode.CANCELED,
                                "The reader has taken nothing for a long time"));
            }
        }
    }

    /** Compares what the job is here with what it is in the store. */
    private void check(RunningJob job, Job stored) {
        Instant now = clock.instant();
        SpillwayException ended = JobState.ended(stored, now);
        if (ended != null) {
            job.end(ended);
            return;
        }
        if (job.isActive() && isRenewalDue(stored, now)) {
            store.renew(stored.id(), now, null);
        }
        if (stored.rowCount() != null && job.rowCount() == null) {
            store.counts(stored.id()).ifPresent(job::learn);
        }
    }

    /** Has so much of the job's life gone by since it was last renewed? */
    static boolean isRenewalDue(Job job, Instant now) {
        Duration part = job.ttl().dividedBy(20);
        Duration slack = part.compareTo(RENEWAL) < 0 ? part : RENEWAL;
        return now.plus(job.ttl()).minus(slack).isAfter(job.expiresAt());
    }

    @Override
    public void close() {
        // Not interrupted: a thread that is interrupted while it writes closes the job store's file
        // under everybody.
        thread.shutdown();
    }
}
