package io.spillway.web;

import io.spillway.job.JobPart;
import io.spillway.job.JobService;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** The rows of a job, and rows straight back for a plan. */
@RestController
class RowsController {

    private final JobService jobs;
    private final RowsResponder responder;
    private final RequestBodies bodies;
    private final Blocking blocking;
    private final WebSettings settings;
    private final EventSettings eventSettings;

    RowsController(
            JobService jobs,
            RowsResponder responder,
            RequestBodies bodies,
            Blocking blocking,
            WebSettings settings,
            EventSettings eventSettings) {
        this.jobs = jobs;
        this.responder = responder;
        this.bodies = bodies;
        this.blocking = blocking;
        this.settings = settings;
        this.eventSettings = eventSettings;
    }

    private RowsRequest request(ServerWebExchange exchange) {
        return RowsRequest.of(exchange.getRequest(), settings, eventSettings);
    }

    @GetMapping("/v1/jobs/{job}/rows")
    Mono<Void> rows(ServerWebExchange exchange, @PathVariable String job) {
        RowsRequest request = request(exchange);
        return Callers.owner(exchange)
                .flatMap(owner -> blocking.call(() -> jobs.toRead(owner, job)))
                .flatMap(found -> responder.answer(JobPart.all(found), request, exchange));
    }

    @PostMapping("/v1/rows")
    Mono<Void> submitAndRead(ServerWebExchange exchange) {
        RowsRequest request = request(exchange);
        if (request.cursor() != null) {
            throw Parameters.invalid("cursor", "A new job has no cursors: read on at its own rows");
        }
        if (request.lastEventId() != null) {
            throw Parameters.invalid(
                    RowsRequest.LAST_EVENT_ID, "A new job has no events: read on at its own rows");
        }
        return bodies.read(
                        exchange,
                        (owner, body) -> blocking.call(() -> jobs.submit(owner, body, null).job()))
                .flatMap(
                        job -> {
                            exchange.getResponse()
                                    .getHeaders()
                                    .set(
                                            HttpHeaders.CONTENT_LOCATION,
                                            JobDocument.path(job) + "/rows");
                            return responder.answer(JobPart.all(job), request, exchange);
                        });
    }
}
