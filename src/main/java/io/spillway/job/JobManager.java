package io.spillway.job;

import io.spillway.encode.BatchEncoder;
import io.spillway.encode.BatchEncoders;
import io.spillway.encode.RowFormat;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.execution.PartitionScheduler;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import io.spillway.rows.EncodedRows;
import io.spillway.rows.Ending;
import io.spillway.rows.ReadContext;
import io.spillway.rows.RowSource;
import io.spillway.rows.RowSources;
import io.spillway.scan.ScanFormat;
import io.spillway.scan.ScanMetrics;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lives of jobs in this process: opens readers on them, and sees to it, once a second, that
 * readers who stall are cut off, that readers of jobs which have ended are told so, that jobs which
 * are read live on, and that nothing is kept of jobs nobody reads.
 */
public final class JobManager implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(JobManager.class);

    /** How long what was derived from a job's plan is kept after its last reader has left. */
    private static final Duration KEEP = Duration.ofSeconds(60);

    private final JobStore store;
    private final JobSettings settings;
    private final Map<String, ScanFormat> formats;
    private final PartitionScheduler scheduler;
    private final MemoryPool memory;
    private final ScanMetrics metrics;
    private final Executor waiting;
    private final Clock clock;
    // Guarded by itself: few, short accesses.
    private final Map<String, RunningJob> running = new HashMap<>();
    private final ScheduledExecutorService sweeper =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("jobs").factory());
    private int sweeps;

    /**
     * Starts the sweep.
     *
     * @param formats scan formats by name
     * @param metrics told of everything that all jobs read
     * @param waiting runs what may wait for disk or network
     */
    public JobManager(
            JobStore store,
            JobSettings settings,
            Map<String, ScanFormat> formats,
            PartitionScheduler scheduler,
            MemoryPool memory,
            ScanMetrics metrics,
            Executor waiting,
            Clock clock) {
        this.store = store;
        this.settings = settings;
        this.formats = Map.copyOf(formats);
        this.scheduler = scheduler;
        this.memory = memory;
        this.metrics = metrics;
        this.waiting = waiting;
        this.clock = clock;
        var _ = sweeper.scheduleWithFixedDelay(this::sweep, 1, 1, TimeUnit.SECONDS);
    }

    /**
     * Opens a reader over rows {@code [from, to)}; nothing runs before it is pulled.
     *
     * @param page the reader wants to know afterwards whether a row follows the range
     * @throws SpillwayException {@code TOO_MANY_READERS} if there is no memory for it now
     */
    public JobReader open(Job job, long from, long to, RowFormat format, boolean page) {
        synchronized (running) {
            RunningJob target = running.computeIfAbsent(job.id(), id -> start(job));
            RowSource source = target.source();
            ReadContext context =
                    new ReadContext(
                            formats,
                            target.pool(),
                            target.group(),
                            scheduler.parallelism(),
                            job.batchRows(),
                            waiting,
                            target.metrics(),
                            target::learned,
                            page ? Ending.PEEK : Ending.STOP);
            Supplier<BatchEncoder> encoders = () -> BatchEncoders.json(source.schema(), format);
            MemoryReservation seat =
                    target.pool()
                            .seat(
                                    EncodedRows.bytesAhead(
                                            source, job.batchRows(), scheduler.parallelism()));
            JobReader reader =
                    new JobReader(
                            target, EncodedRows.open(source, from, to, encoders, context), seat);
            target.joined(reader);
            return reader;
        }
    }

    private RunningJob start(Job job) {
        return new RunningJob(
                job,
                RowSources.of(job.plan()),
                memory.child(job.id(), job.memoryLimit()),
                scheduler.group(),
                metrics);
    }

    /** A job that was read here lately, as it was then. */
    @Nullable Job known(String jobId) {
        synchronized (running) {
            RunningJob found = running.get(jobId);
            return found == null ? null : found.job();
        }
    }

    /** What the job does here, and what is known of its rows. */
    public JobActivity activity(Job job) {
        synchronized (running) {
            RunningJob found = running.get(job.id());
            if (found != null) {
                return new JobActivity(
                        found.source().partitions(),
                        found.readers().size(),
                        found.rowsOut(),
                        found.metrics().bytesRead(),
                        found.metrics().pruned(),
                        found.pool().held(),
                        found.rowCount());
            }
        }
        RowSource source = RowSources.of(job.plan());
        return new JobActivity(
                source.partitions(),
                0,
                0,
                0,
                job.plan().pruned(),
                0,
                source.rowCount().isPresent() ? source.rowCount().getAsLong() : null);
    }

    /** Number of open readers over all jobs. */
    public int readers() {
        synchronized (running) {
            return running.values().stream().mapToInt(job -> job.readers().size()).sum();
        }
    }

    /** Cuts off all readers of a job. */
    public void interrupt(String jobId, SpillwayException reason) {
        synchronized (running) {
            RunningJob found = running.get(jobId);
            if (found != null) {
                found.interrupt(reason);
            }
        }
    }

    private void sweep() {
        try {
            long now = System.nanoTime();
            boolean renew = ++sweeps % 30 == 0;
            for (RunningJob job : snapshot(now)) {
                cutStalled(job, now);
                if (renew && !job.readers().isEmpty()) {
                    check(job);
                }
            }
            if (sweeps % 60 == 0) {
                store.removeEndedBefore(clock.instant().minus(settings.retention()));
            }
        } catch (RuntimeException e) {
            LOG.warn("the sweep over jobs failed and will be tried again", e);
        }
    }

    /** The jobs that are running, without those that nobody uses any more. */
    private List<RunningJob> snapshot(long now) {
        synchronized (running) {
            for (Iterator<RunningJob> it = running.values().iterator(); it.hasNext(); ) {
                RunningJob job = it.next();
                if (job.unused(now, KEEP.toNanos())) {
                    it.remove();
                    job.pool().close();
                }
            }
            return List.copyOf(running.values());
        }
    }

    private void cutStalled(RunningJob job, long now) {
        for (JobReader reader : job.readers()) {
            if (reader.stalledNanos(now) > settings.stall().toNanos()) {
                reader.interrupt(
                        new SpillwayException(
                                ErrorCode.CANCELED,
                                "The reader has taken nothing for " + settings.stall()));
            }
        }
    }

    /**
     * Renews a job that is read, or cuts its readers off if it has ended meanwhile, perhaps at
     * another replica.
     */
    private void check(RunningJob job) {
        Instant now = clock.instant();
        store.renew(job.job().id(), now, null);
        store.life(job.job().id())
                .ifPresentOrElse(
                        life -> {
                            SpillwayException ended = JobState.ended(job.job().at(life), now);
                            if (ended != null) {
                                job.interrupt(ended);
                            }
                        },
                        () ->
                                job.interrupt(
                                        new SpillwayException(
                                                ErrorCode.UNKNOWN_JOB, "The job is gone")));
    }

    /** Interrupts all readers, so that their clients go on elsewhere. */
    @Override
    public void close() {
        // Not interrupted: a thread that is interrupted while it writes closes the job store's file
        // under everybody.
        sweeper.shutdown();
        synchronized (running) {
            SpillwayException reason =
                    new SpillwayException(ErrorCode.SHUTTING_DOWN, "The service is shutting down");
            running.values().forEach(job -> job.interrupt(reason));
        }
    }
}
