package io.spillway.web;

import io.spillway.cursor.EventIds;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.job.Job;
import io.spillway.job.JobProgress;
import io.spillway.job.JobService;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tells watchers what becomes of jobs. One thread looks once a second at the jobs that are watched,
 * with one question to the job store for all of them; a job that nobody watches costs nothing, and
 * one more watcher of a job costs no more than what is sent to it. A watcher that takes nothing
 * misses looks, never the last one.
 */
final class JobEvents implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(JobEvents.class);

    private final JobService jobs;
    private final JsonMapper mapper;
    private final EventSettings settings;
    private final ScheduledExecutorService ticker =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("job-events").factory());

    // Below: guarded by this.
    private final Map<String, Watched> watched = new HashMap<>();
    private @Nullable SpillwayException closing;
    private boolean failing;

    /** A job that somebody watches. Looked at by the ticker's thread alone. */
    private static final class Watched {

        private final Job job;
        private final Sinks.Many<JobLook> looks = Sinks.many().multicast().directBestEffort();
        private int watchers;
        private JobProgress progress;
        private JobLook look;

        Watched(Job job, JobProgress progress, JobLook look) {
            this.job = job;
            this.progress = progress;
            this.look = look;
        }
    }

    /** Starts the ticker. */
    JobEvents(JobService jobs, JsonMapper mapper, EventSettings settings) {
        this.jobs = jobs;
        this.mapper = mapper;
        this.settings = settings;
        var _ = ticker.scheduleWithFixedDelay(this::tick, 1, 1, TimeUnit.SECONDS);
    }

    /**
     * The events of a job, from what it is now on; they end when its life does.
     *
     * @return pieces of an event stream, each of whole events
     */
    Flux<byte[]> of(Job job) {
        return Flux.defer(
                () -> {
                    JobProgress progress = jobs.progress(job);
                    JobLook first = JobLook.of(progress, mapper);
                    JobLook.Writer writer =
                            new JobLook.Writer(
                                    new EventIds(job.id(), job.digest()).end(),
                                    settings.heartbeat().toNanos());
                    return Flux.concat(Flux.just(first), looks(job, progress, first))
                            .takeUntil(JobLook::ended)
                            .<byte[]>handle(
                                    (look, sink) -> {
                                        byte[] events = writer.write(look);
                                        if (events != null) {
                                            sink.next(events);
                                        }
                                    })
                            .startWith(ServerSentEvents.retry(settings.retry()));
                });
    }

    private Flux<JobLook> looks(Job job, JobProgress progress, JobLook first) {
        return Flux.defer(
                () -> {
                    Watched found = join(job, progress, first);
                    return found.looks
                            .asFlux()
                            .doFinally(end -> leave(found))
                            .onBackpressureLatest();
                });
    }

    private synchronized Watched join(Job job, JobProgress progress, JobLook first) {
        if (closing != null) {
            throw closing.copy();
        }
        Watched found = watched.computeIfAbsent(job.id(), id -> new Watched(job, progress, first));
        found.watchers++;
        return found;
    }

    private synchronized void leave(Watched left) {
        if (--left.watchers == 0) {
            watched.remove(left.job.id(), left);
        }
    }

    private synchronized List<Watched> watchedNow() {
        return new ArrayList<>(watched.values());
    }

    private void tick() {
        try {
            List<Watched> all = watchedNow();
            if (!all.isEmpty()) {
                Map<String, JobProgress> found =
                        jobs.look(all.stream().map(one -> one.job).toList());
                all.forEach(one -> tell(one, found.get(one.job.id())));
            }
            failing = false;
        } catch (RuntimeException e) {
            if (!failing) {
                LOG.warn("jobs cannot be looked at, it will be tried again each second", e);
            }
            failing = true;
            // Whoever watches is to know that the connection stands.
            watchedNow().forEach(one -> one.looks.tryEmitNext(one.look));
        }
    }

    private void tell(Watched one, @Nullable JobProgress now) {
        if (now == null) {
            one.look = one.look.gone(mapper);
        } else if (!now.equals(one.progress)) {
            one.progress = now;
            one.look = JobLook.of(now, mapper);
        }
        one.looks.tryEmitNext(one.look);
    }

    /**
     * Breaks all streams off, and lets nobody in any more: their clients connect again, to another
     * replica. Does nothing after the first time.
     */
    void drain() {
        SpillwayException reason =
                new SpillwayException(ErrorCode.SHUTTING_DOWN, "The service is shutting down");
        List<Watched> all;
        synchronized (this) {
            if (closing != null) {
                return;
            }
            closing = reason;
            all = watchedNow();
        }
        // In the ticker's thread, which is the only one that tells.
        ticker.execute(() -> all.forEach(one -> one.looks.tryEmitError(reason.copy())));
    }

    @Override
    public void close() {
        drain();
        ticker.shutdown();
    }
}
