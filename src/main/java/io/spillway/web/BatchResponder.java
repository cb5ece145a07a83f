package io.spillway.web;

import io.spillway.encode.EncodedChunk;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.job.Job;
import io.spillway.job.JobPart;
import io.spillway.job.JobService;
import io.spillway.job.Reading;
import io.spillway.rows.SharedRows.Company;
import java.time.Duration;
import java.util.List;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Answers with one exact batch, which never changes. */
final class BatchResponder {

    private static final CacheControl CACHED =
            CacheControl.maxAge(Duration.ofDays(1)).cachePrivate().immutable();

    private final JobService jobs;
    private final StreamResponder streams;

    BatchResponder(JobService jobs, StreamResponder streams) {
        this.jobs = jobs;
        this.streams = streams;
    }

    /**
     * Writes the batch. That there is none is known at its first row, before anything is sent; so
     * are other failures, as far as that row meets them.
     */
    Mono<Void> respond(Job job, BatchRequest request, ServerWebExchange exchange) {
        HttpHeaders headers = exchange.getResponse().getHeaders();
        headers.add(HttpHeaders.VARY, HttpHeaders.ACCEPT);
        String etag = request.etag(job);
        headers.setETag(etag);
        headers.setCacheControl(CACHED);
        // Who has the validator has had the batch.
        List<String> known = exchange.getRequest().getHeaders().getIfNoneMatch();
        if (known.stream().anyMatch(tag -> Compression.isValidator(tag, etag))) {
            exchange.getResponse().setStatusCode(HttpStatus.NOT_MODIFIED);
            return exchange.getResponse().setComplete();
        }
        long first = request.firstRow();
        Reading reading =
                Reading.rows(
                                first,
                                RowsResponder.after(first, (long) request.size()),
                                request.format())
                        .in(Company.PASSES);
        Flux<EncodedChunk> chunks =
                new ChunkFlux(() -> jobs.read(JobPart.all(job), reading))
                        .switchIfEmpty(Flux.error(() -> unknown(request)));
        return streams.respond(
                JobPart.all(job),
                StreamAnswer.ofRows(request.media(), reading, request.patience()),
                chunks,
                exchange);
    }

    private static SpillwayException unknown(BatchRequest request) {
        return new SpillwayException(
                        ErrorCode.UNKNOWN_BATCH,
                        "There is no batch %,d of %,d rows: it is behind the job's last row"
                                .formatted(request.batch(), request.size()))
                .with(SpillwayException.PARAMETER, "batch")
                .with(SpillwayException.FOUND, request.batch());
    }
}
