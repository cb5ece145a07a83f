package io.spillway.web;

import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Runs what may wait for disk or database on threads that may, never on an event loop. */
final class Blocking {

    private final Scheduler scheduler;

    /**
     * Work is never interrupted, not even when its caller has gone: an interrupt would close the
     * job store's file under everybody.
     *
     * @param executor threads that may wait, for example one virtual thread a task
     */
    Blocking(Executor executor) {
        // As a bare Executor: Reactor interrupts what runs on an ExecutorService when it is
        // cancelled.
        this.scheduler = Schedulers.fromExecutor(work -> executor.execute(work));
    }

    <T> Mono<T> call(Callable<T> work) {
        return Mono.fromCallable(work).subscribeOn(scheduler);
    }

    /** Makes and subscribes to a Mono there. */
    <T> Mono<T> defer(Supplier<Mono<T>> work) {
        return Mono.defer(work).subscribeOn(scheduler);
    }
}
