package io.spillway.web;

import io.spillway.job.Job;
import io.spillway.job.JobService;
import java.util.function.Function;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** A job's rows in batches of exactly so many. */
@RestController
class BatchesController {

    private final JobService jobs;
    private final BatchesResponder streams;
    private final BatchResponder batches;
    private final Blocking blocking;
    private final WebSettings settings;

    BatchesController(
            JobService jobs,
            BatchesResponder streams,
            BatchResponder batches,
            Blocking blocking,
            WebSettings settings) {
        this.jobs = jobs;
        this.streams = streams;
        this.batches = batches;
        this.blocking = blocking;
        this.settings = settings;
    }

    @GetMapping("/v1/jobs/{job}/batches")
    Mono<Void> batches(ServerWebExchange exchange, @PathVariable String job) {
        BatchesRequest request = BatchesRequest.of(exchange.getRequest(), settings);
        return read(exchange, job, found -> streams.respond(found, request, exchange));
    }

    @GetMapping("/v1/jobs/{job}/batches/{batch}")
    Mono<Void> batch(
            ServerWebExchange exchange, @PathVariable String job, @PathVariable String batch) {
        BatchRequest request = BatchRequest.of(exchange.getRequest(), batch, settings);
        return read(exchange, job, found -> batches.respond(found, request, exchange));
    }

    /** Answers where waiting is allowed; work for a client that has gone ends at once. */
    private Mono<Void> read(
            ServerWebExchange exchange, String job, Function<Job, Mono<Void>> answer) {
        return Callers.owner(exchange)
                .flatMap(owner -> blocking.call(() -> jobs.toRead(owner, job)))
                .flatMap(found -> blocking.defer(() -> answer.apply(found)))
                .takeUntilOther(
                        NettyResponses.closed(
                                NettyResponses.channel(
                                        NettyResponses.server(exchange.getResponse()))));
    }
}
