package io.spillway.web;

import io.spillway.cursor.EventId;
import io.spillway.cursor.EventIds;
import io.spillway.job.Job;
import io.spillway.job.JobService;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** State and progress of a job as they change, for those who show them. */
@RestController
class JobEventsController {

    private static final String LAST_EVENT_ID = "Last-Event-ID";

    private final JobService jobs;
    private final JobEvents events;
    private final Blocking blocking;

    JobEventsController(JobService jobs, JobEvents events, Blocking blocking) {
        this.jobs = jobs;
        this.events = events;
        this.blocking = blocking;
    }

    /** A client that has seen the end and connects again is told not to do so any more. */
    @GetMapping(value = "/v1/jobs/{job}/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Mono<Void> events(
            ServerWebExchange exchange,
            @PathVariable String job,
            @RequestHeader(name = LAST_EVENT_ID, required = false) @Nullable String lastEventId) {
        return Callers.owner(exchange)
                .flatMap(owner -> blocking.call(() -> jobs.get(owner, job)))
                .flatMap(found -> blocking.defer(() -> respond(found, lastEventId, exchange)));
    }

    private Mono<Void> respond(Job job, @Nullable String lastEventId, ServerWebExchange exchange) {
        ServerHttpResponse response = exchange.getResponse();
        if (hasSeenEnd(job, lastEventId)) {
            response.setStatusCode(HttpStatus.NO_CONTENT);
            return response.setComplete();
        }
        response.getHeaders().setContentType(ServerSentEvents.TYPE);
        response.getHeaders().setCacheControl("no-store");
        response.getHeaders().set("X-Accel-Buffering", "no");
        if (Heads.only(exchange.getRequest())) {
            return response.setComplete();
        }
        DataBufferFactory buffers = response.bufferFactory();
        return response.writeAndFlushWith(
                events.of(job).map(bytes -> Mono.just(buffers.wrap(bytes))));
    }

    private static boolean hasSeenEnd(Job job, @Nullable String lastEventId) {
        return lastEventId != null
                && !lastEventId.isEmpty()
                && new EventIds(job.id(), job.digest()).parse(lastEventId, LAST_EVENT_ID)
                        instanceof EventId.End;
    }
}
