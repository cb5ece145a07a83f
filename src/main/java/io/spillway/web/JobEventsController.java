package io.spillway.web;

import io.spillway.cursor.EventIds;
import io.spillway.job.Job;
import io.spillway.job.JobProgress;
import io.spillway.job.JobService;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** State and progress of a job as they change, for those who show them. */
@RestController
class JobEventsController {

    private final JobService jobs;
    private final Watch<Job, JobProgress> events;
    private final Blocking blocking;

    JobEventsController(JobService jobs, Watch<Job, JobProgress> events, Blocking blocking) {
        this.jobs = jobs;
        this.events = events;
        this.blocking = blocking;
    }

    /** A client that has seen the end and connects again is told not to do so any more. */
    @GetMapping(value = "/v1/jobs/{job}/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Mono<Void> events(
            ServerWebExchange exchange,
            @PathVariable String job,
            @RequestHeader(name = EventStreams.LAST_EVENT_ID, required = false)
                    @Nullable String lastEventId) {
        return Callers.owner(exchange)
                .flatMap(owner -> blocking.call(() -> jobs.get(owner, job)))
                .flatMap(found -> blocking.defer(() -> respond(found, lastEventId, exchange)));
    }

    private Mono<Void> respond(Job job, @Nullable String lastEventId, ServerWebExchange exchange) {
        EventIds ids = new EventIds(job.id(), job.digest());
        return EventStreams.hasSeenEnd(ids, lastEventId)
                ? EventStreams.nothingMore(exchange)
                : EventStreams.respond(events.of(job), exchange);
    }
}
