package io.spillway.web;

import java.util.concurrent.Executor;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/**
 * Runs all that it is given, also for those who have canceled: {@code publishOn} releases what it
 * has queued in its next turn, which must come for that. It is not interrupted either, which would
 * serve nobody.
 */
final class SteadyScheduler implements Scheduler {

    private final Executor executor;

    SteadyScheduler(Executor executor) {
        this.executor = executor;
    }

    @Override
    public Disposable schedule(Runnable task) {
        executor.execute(task);
        return Disposables.disposed();
    }

    @Override
    public Worker createWorker() {
        return new SteadyWorker();
    }

    /** Work that one publisher gives, which itself sees to its order. */
    private final class SteadyWorker implements Worker {

        @Override
        public Disposable schedule(Runnable task) {
            return SteadyScheduler.this.schedule(task);
        }

        @Override
        public void dispose() {
            // What has been given is run.
        }
    }
}
