package io.spillway.export;

import io.spillway.catalog.ExportRoots;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.job.JobManager;
import io.spillway.job.JobService;
import io.spillway.job.Turns;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the exports that this process has claimed: some at once, the oldest first, each under a
 * lease that it keeps. What a process leaves that has died, or is being stopped, another one begins
 * anew. Thread-safe.
 */
public final class Exporter implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Exporter.class);

    /** How long a stop waits for exports to be given back. */
    private static final Duration LONGEST_STOP = Duration.ofSeconds(10);

    private final ExportStore store;
    private final JobService jobs;
    private final JobManager manager;
    private final ExportRoots roots;
    private final ExportSettings settings;
    private final Executor waiting;
    private final Map<String, ExportRun> running = new ConcurrentHashMap<>();
    private final LongAdder rowsWritten = new LongAdder();
    private final LongAdder bytesWritten = new LongAdder();
    private final LongAdder completed = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final Turns turns;
    private volatile boolean closing;

    /**
     * Starts to look for exports.
     *
     * @param waiting runs what may wait for disk, network or database
     */
    public Exporter(
            ExportStore store,
            JobService jobs,
            JobManager manager,
            ExportRoots roots,
            ExportSettings settings,
            Executor waiting) {
        this.store = store;
        this.jobs = jobs;
        this.manager = manager;
        this.roots = roots;
        this.settings = settings;
        this.waiting = waiting;
        this.turns = new Turns("exports", settings.lease(), waiting, this::turn);
        turns.start();
    }

    /** Looks soon whether there is something to do. */
    void look() {
        turns.soon();
    }

    private void turn() {
        running.values().forEach(ExportRun::renew);
        claim();
    }

    private void claim() {
        while (!closing && running.size() < settings.running()) {
            Optional<ExportStore.Claim> claim = store.claim(settings.lease());
            if (claim.isEmpty()) {
                return;
            }
            ExportRun run = new ExportRun(this, claim.get());
            running.put(run.id(), run);
            var _ =
                    run.ended()
                            .thenRun(
                                    () -> {
                                        running.remove(run.id(), run);
                                        if (!closing) {
                                            look();
                                        }
                                    });
            waiting.execute(run::start);
        }
    }

    /** Stops an export that is written here, if its owner has canceled it. */
    void canceled(String id) {
        ExportRun run = running.get(id);
        if (run != null) {
            run.renew();
        }
    }

    /** The service is about to stop. */
    void claimNoMore() {
        closing = true;
    }

    /** Exports that are written now. */
    public int running() {
        return running.size();
    }

    /** Exports that were completed by this process. */
    public long completed() {
        return completed.sum();
    }

    /** Exports that failed in this process. */
    public long failures() {
        return failed.sum();
    }

    /** Rows of completed exports. */
    public long rowsWritten() {
        return rowsWritten.sum();
    }

    /** Bytes of completed exports. */
    public long bytesWritten() {
        return bytesWritten.sum();
    }

    ExportStore store() {
        return store;
    }

    JobService jobs() {
        return jobs;
    }

    JobManager manager() {
        return manager;
    }

    ExportRoots roots() {
        return roots;
    }

    ExportSettings settings() {
        return settings;
    }

    Executor waiting() {
        return waiting;
    }

    void completed(List<ExportedFile> files) {
        completed.increment();
        files.forEach(
                file -> {
                    rowsWritten.add(file.rows());
                    bytesWritten.add(file.bytes());
                });
    }

    void failed() {
        failed.increment();
    }

    /** Gives back what is not whole; waits a while for that. */
    @Override
    public void close() {
        closing = true;
        turns.close();
        SpillwayException reason =
                new SpillwayException(ErrorCode.SHUTTING_DOWN, "The service is shutting down");
        List<ExportRun> runs = List.copyOf(running.values());
        runs.forEach(run -> run.interrupt(reason));
        try {
            CompletableFuture.allOf(
                            runs.stream().map(ExportRun::ended).toArray(CompletableFuture[]::new))
                    .get(LONGEST_STOP.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            LOG.warn("some exports are not given back; their leases will end", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
