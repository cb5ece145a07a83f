package io.spillway.web;

import io.spillway.job.JobManager;
import java.util.List;
import org.springframework.context.SmartLifecycle;

/**
 * What happens first when the service is told to stop: streams break off, so that their clients go
 * on at another replica, while pages and other short calls may finish. Without it the web server
 * would wait for streams as long as it may.
 */
final class Draining implements SmartLifecycle {

    private final JobManager jobs;
    private final List<Watch<?, ?>> events;
    private volatile boolean running;

    Draining(JobManager jobs, List<Watch<?, ?>> events) {
        this.jobs = jobs;
        this.events = List.copyOf(events);
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        events.forEach(Watch::drain);
        jobs.drain();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Before the web server begins to wait for the requests that are under way. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE;
    }
}
