package io.spillway.web;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.Collection;
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

/**
 * Tells watchers what becomes of things of one kind, such as jobs. One thread looks once a second
 * at those that are watched, with one question for all of them; one that nobody watches costs
 * nothing, and one more watcher of it costs no more than what is sent to it. A watcher that takes
 * nothing misses looks, never the last one.
 *
 * @param <S> what is watched
 * @param <P> what is seen of it at one moment
 */
final class Watch<S, P> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

    private final Subjects<S, P> subjects;
    private final EventSettings settings;
    private final ScheduledExecutorService ticker;

    // Below: guarded by this.
    private final Map<String, Watched<S, P>> watched = new HashMap<>();
    private @Nullable SpillwayException closing;
    private boolean failing;

    /** Things of one kind. Calls may wait. */
    interface Subjects<S, P> {

        /** What tells one from another. */
        String id(S subject);

        /** The id of the event with which the stream of one ends. */
        String endId(S subject);

        /** What is to be seen of one now. */
        P progress(S subject);

        /** What is to be seen of some now, by their ids; without those that are gone. */
        Map<String, P> progress(Collection<S> some);

        /** The same as texts. */
        Look look(P progress);

        /** The last look at one that is gone. */
        Look gone(Look before);
    }

    /** One that somebody watches. Looked at by the ticker's thread alone. */
    private static final class Watched<S, P> {

        private final S subject;
        private final Sinks.Many<Look> looks = Sinks.many().multicast().directBestEffort();
        private int watchers;
        private P progress;
        private Look look;

        Watched(S subject, P progress, Look look) {
            this.subject = subject;
            this.progress = progress;
            this.look = look;
        }
    }

    /**
     * Starts the ticker.
     *
     * @param name of its thread
     */
    Watch(String name, Subjects<S, P> subjects, EventSettings settings) {
        this.subjects = subjects;
        this.settings = settings;
        this.ticker =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name(name).factory());
        var _ = ticker.scheduleWithFixedDelay(this::tick, 1, 1, TimeUnit.SECONDS);
    }

    /**
     * The events of one, from what it is now on; they end when nothing more happens.
     *
     * @return pieces of an event stream, each of whole events
     */
    Flux<byte[]> of(S subject) {
        return Flux.defer(
                () -> {
                    P progress = subjects.progress(subject);
                    Look first = subjects.look(progress);
                    Look.Writer writer =
                            new Look.Writer(
                                    subjects.endId(subject), settings.heartbeat().toNanos());
                    return Flux.concat(Flux.just(first), looks(subject, progress, first))
                            .takeUntil(Look::ended)
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

    private Flux<Look> looks(S subject, P progress, Look first) {
        return Flux.defer(
                () -> {
                    Watched<S, P> found = join(subject, progress, first);
                    return found.looks
                            .asFlux()
                            .doFinally(end -> leave(found))
                            .onBackpressureLatest();
                });
    }

    private synchronized Watched<S, P> join(S subject, P progress, Look first) {
        if (closing != null) {
            throw closing.copy();
        }
        Watched<S, P> found =
                watched.computeIfAbsent(
                        subjects.id(subject), id -> new Watched<>(subject, progress, first));
        found.watchers++;
        return found;
    }

    private synchronized void leave(Watched<S, P> left) {
        if (--left.watchers == 0) {
            watched.remove(subjects.id(left.subject), left);
        }
    }

    private synchronized List<Watched<S, P>> watchedNow() {
        return new ArrayList<>(watched.values());
    }

    private void tick() {
        try {
            List<Watched<S, P>> all = watchedNow();
            if (!all.isEmpty()) {
                Map<String, P> found =
                        subjects.progress(all.stream().map(one -> one.subject).toList());
                all.forEach(one -> tell(one, found.get(subjects.id(one.subject))));
            }
            failing = false;
        } catch (RuntimeException e) {
            if (!failing) {
                LOG.warn("what is watched cannot be looked at, it is tried again each second", e);
            }
            failing = true;
            // Whoever watches is to know that the connection stands.
            watchedNow().forEach(one -> one.looks.tryEmitNext(one.look));
        }
    }

    private void tell(Watched<S, P> one, @Nullable P now) {
        if (now == null) {
            one.look = subjects.gone(one.look);
        } else if (!now.equals(one.progress)) {
            one.progress = now;
            one.look = subjects.look(now);
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
        List<Watched<S, P>> all;
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
