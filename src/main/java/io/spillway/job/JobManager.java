package io.spillway.job;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.execution.PartitionScheduler;
import io.spillway.memory.MemoryPool;
import io.spillway.operator.ColumnSet;
import io.spillway.rows.RowSource;
import io.spillway.rows.RowSources;
import io.spillway.scan.ScanFormat;
import io.spillway.scan.ScanMetrics;
import io.spillway.spill.SpillManager;
import io.spillway.spool.SpoolManager;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jobs that are used in this process: opens readers on them, counts their rows, and keeps what
 * they have found out. A {@link JobSweep} looks after them meanwhile.
 */
public final class JobManager implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(JobManager.class);

    /** How long what was derived from a job's plan is kept after its last use. */
    private static final Duration KEEP = Duration.ofSeconds(60);

    private final JobStore store;
    private final JobSettings settings;
    private final Engine engine;
    private final Seats seats;
    private final RecentJobs recent = new RecentJobs();
    private final RunningJob.Listener findings = new Findings();
    private final JobSweep sweep;

    // Guarded by itself: few, short accesses.
    private final Map<String, RunningJob> running = new HashMap<>();

    private volatile @Nullable SpillwayException closing;

    /**
     * Starts the sweep.
     *
     * @param formats scan formats by name
     * @param metrics told of everything that all jobs read
     * @param waiting runs what may wait for disk, network or database
     */
    public JobManager(
            JobStore store,
            JobSettings settings,
            Map<String, ScanFormat> formats,
            PartitionScheduler scheduler,
            MemoryPool memory,
            SpillManager spill,
            SpoolManager spools,
            ScanMetrics metrics,
            Executor waiting,
            Clock clock) {
        this.store = store;
        this.settings = settings;
        this.engine = new Engine(formats, scheduler, memory, spill, spools, metrics, waiting);
        this.seats = new Seats(memory::isShort);
        this.sweep = new JobSweep(store, settings, seats, engine, this::runningNow, clock);
    }

    /**
     * Opens a reader; nothing runs before it is pulled. Waits for the job store if the job was not
     * used here lately.
     *
     * @throws SpillwayException {@code TOO_MANY_READERS} if there is no memory for it now, {@code
     *     SHUTTING_DOWN}
     */
    public JobReader open(JobPart part, Reading reading) {
        return use(part.job(), found -> found.read(part.split(), reading));
    }

    /** All rows of a job, and what is known of them here. Waits for the job store. */
    RowSource rows(Job job) {
        return use(job, RunningJob::source);
    }

    /**
     * Opens all rows of a job for work that goes on by itself. Waits for the job store as {@link
     * #open} does.
     *
     * @param besides bytes that their consumer holds, in the job's pool, beside the batches
     * @throws SpillwayException {@code MEMORY_LIMIT} if there is never memory for it, {@code
     *     SHUTTING_DOWN}
     */
    public JobBatches batches(Job job, long besides) {
        return use(job, found -> found.batches(besides));
    }

    /**
     * Opens rows {@code [from, to)} of a job, as far as there are, with some of the columns; else
     * as {@link #batches}, but read by one thread.
     */
    JobBatches part(Job job, long from, long to, ColumnSet columns, long besides) {
        return use(job, found -> found.part(from, to, columns, besides));
    }

    /**
     * Counts the job's rows, or joins the count that is under way. Cancelling the future takes the
     * wish back; the count goes on for a while. Waits for the job store as {@link #open} does.
     */
    CompletableFuture<Long> count(Job job) {
        return use(
                job,
                found -> {
                    CompletableFuture<Void> known = found.count().reach(Long.MAX_VALUE);
                    CompletableFuture<Long> rows =
                            known.thenApply(done -> found.source().rowCount().orElseThrow());
                    if (!rows.isDone()) {
                        var _ =
                                rows.whenComplete(
                                        (count, failure) -> {
                                            if (rows.isCancelled()) {
                                                known.cancel(false);
                                            }
                                        });
                    }
                    return rows;
                });
    }

    /** What is known of the job's rows here. Waits for the job store as {@link #open} does. */
    KnownRows known(Job job) {
        return use(job, RunningJob::known);
    }

    /**
     * Counts until it is known where a row is, or that there is none; else as {@link #count} does.
     */
    CompletableFuture<Void> reach(Job job, long row) {
        return use(job, found -> found.count().reach(row));
    }

    /**
     * Has readers of rows with an end, as leases and pages are, use what others of these have read,
     * from now on for so long. Waits for the job store as {@link #open} does.
     */
    void sharePages(Job job, Duration time) {
        use(
                job,
                found -> {
                    found.sharePages(time);
                    return null;
                });
    }

    /** Counts on as far as a row for a while, though nobody waits. */
    void keepBuilding(JobPart part, long upTo) {
        use(
                part.job(),
                found -> {
                    found.rows(part.split()).keepBuilding(upTo);
                    return null;
                });
    }

    /** Does something with what the job has here, which is made if it is not there. */
    private <T extends @Nullable Object> T use(Job job, Function<RunningJob, T> action) {
        SpillwayException reason = closing;
        if (reason != null) {
            throw reason.copy();
        }
        RowSource known = null;
        while (true) {
            synchronized (running) {
                RunningJob found = running.get(job.id());
                if (found == null && known != null) {
                    found = new RunningJob(engine, seats, job, known, settings.linger(), findings);
                    running.put(job.id(), found);
                }
                if (found != null) {
                    return action.apply(found);
                }
            }
            known = source(job);
        }
    }

    /** The job's rows, with what was counted before, here or at another replica. */
    private RowSource source(Job job) {
        RowSource source = RowSources.of(job.plan(), engine.spools().job(job.id()));
        if (source.rowCount().isEmpty() && job.rowCount() != null) {
            store.counts(job.id()).ifPresent(source::learn);
        }
        return source;
    }

    /** A job was made just now; it will be asked for. */
    void made(Job job) {
        recent.add(job);
    }

    /** A job that was used or made here lately, as it was then. */
    @Nullable Job known(String jobId) {
        synchronized (running) {
            RunningJob found = running.get(jobId);
            return found == null ? recent.find(jobId) : found.job();
        }
    }

    @Nullable RunningJob running(String jobId) {
        synchronized (running) {
            return running.get(jobId);
        }
    }

    /** What the job does here, and what is known of its rows. */
    JobProgress progress(Job job, Instant now) {
        RunningJob found = running(job.id());
        return found == null ? Progress.of(job, now) : Progress.of(job, found, now);
    }

    /** Number of open readers over all jobs. */
    public int readers() {
        synchronized (running) {
            return running.values().stream().mapToInt(job -> job.readers().size()).sum();
        }
    }

    /** Number of open readers that are at work, over all jobs; the others wait or are parked. */
    public int seatedReaders() {
        return seats.count();
    }

    /** Cuts off all readers of a job that has ended, and whatever else it does and has. */
    void end(String jobId, SpillwayException reason) {
        recent.remove(jobId);
        synchronized (running) {
            RunningJob found = running.get(jobId);
            if (found != null) {
                found.end(reason);
            }
        }
        sweep.deleteSpools();
    }

    /** The jobs that are running, without those that nobody uses any more. */
    private List<RunningJob> runningNow() {
        long now = System.nanoTime();
        synchronized (running) {
            for (Iterator<RunningJob> it = running.values().iterator(); it.hasNext(); ) {
                RunningJob job = it.next();
                if (job.unused(now, KEEP.toNanos())) {
                    it.remove();
                    job.close();
                }
            }
            return List.copyOf(running.values());
        }
    }

    /**
     * The service is about to stop: streams and counts end at once, so that their clients go on
     * elsewhere, and nobody new is let in. Pages under way may finish.
     */
    public void drain() {
        SpillwayException reason =
                new SpillwayException(ErrorCode.SHUTTING_DOWN, "The service is shutting down");
        closing = reason;
        synchronized (running) {
            running.values().forEach(job -> job.endStreams(reason));
        }
    }

    /** Interrupts all readers, so that their clients go on elsewhere. */
    @Override
    public void close() {
        sweep.close();
        drain();
        synchronized (running) {
            SpillwayException reason =
                    new SpillwayException(ErrorCode.SHUTTING_DOWN, "The service is shutting down");
            running.values().forEach(job -> job.end(reason));
        }
    }

    /** Keeps what jobs find out, in the store, where all replicas see it. */
    private final class Findings implements RunningJob.Listener {

        @Override
        public void counted(Job job, long rows, String counts) {
            keep(job, () -> store.saveCounts(job.id(), rows, counts));
        }

        @Override
        public void failed(Job job, SpillwayException failure) {
            keep(
                    job,
                    () ->
                            store.mark(
                                    job.id(),
                                    Job.StoredState.FAILED,
                                    String.valueOf(failure.getMessage())));
        }

        private void keep(Job job, Runnable saving) {
            engine.waiting()
                    .execute(
                            () -> {
                                try {
                                    saving.run();
                                } catch (RuntimeException e) {
                                    LOG.warn("what job {} found out is not kept", job.id(), e);
                                }
                            });
        }
    }
}
