package io.spillway.web;

import io.spillway.job.Job;
import io.spillway.job.JobReader;
import io.spillway.job.JobService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.AbstractServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Answers with rows: a page as one document of known length, or a stream that says at its end how
 * many rows it had.
 */
final class RowsResponder {

    /** Trailer of a stream that has come to its end: the number of rows it had. */
    static final String ROW_COUNT_TRAILER = "Spillway-Row-Count";

    private final JobService jobs;
    private final PageEnvelope envelope;
    private final WebSettings settings;

    RowsResponder(JobService jobs, PageEnvelope envelope, WebSettings settings) {
        this.jobs = jobs;
        this.envelope = envelope;
        this.settings = settings;
    }

    /**
     * Writes the rows; may wait for the job store before it answers. Failures before the first byte
     * are errors of the Mono.
     */
    Mono<Void> respond(Job job, RowsRequest request, ServerHttpResponse response) {
        long from = request.cursor() == null ? request.offset() : jobs.row(job, request.cursor());
        return switch (request.media()) {
            case JSON -> page(job, request, from, response);
            case NDJSON -> stream(job, request, from, response);
        };
    }

    private Mono<Void> page(Job job, RowsRequest request, long from, ServerHttpResponse response) {
        long rows = request.pageRows(settings.pageRows(), settings.maxPageRows());
        long to = from > Long.MAX_VALUE - rows ? Long.MAX_VALUE : from + rows;
        // Made here, where waiting for the keys is allowed; wasted only on last pages.
        String cursor = jobs.cursor(job, to);
        return Mono.using(
                () ->
                        new PageChunks(
                                jobs.read(job, from, to, request.format(), true),
                                settings.maxPageBytes()),
                page ->
                        page.collect()
                                .then(
                                        Mono.defer(
                                                () -> {
                                                    Long total = page.reader().rowCount();
                                                    long end = from + page.rows();
                                                    boolean last =
                                                            total == null
                                                                    ? page.rows() < rows
                                                                            && !page.cut()
                                                                    : total <= end;
                                                    PageEnvelope.Next next =
                                                            last
                                                                    ? null
                                                                    : end == to
                                                                            ? next(
                                                                                    job, request,
                                                                                    to, rows,
                                                                                    cursor, "limit")
                                                                            : next(
                                                                                    job,
                                                                                    request,
                                                                                    end,
                                                                                    rows,
                                                                                    jobs.cursor(
                                                                                            job,
                                                                                            end),
                                                                                    "maxBytes");
                                                    byte[] head =
                                                            envelope.head(
                                                                    job.plan().schema(), from);
                                                    byte[] tail = envelope.tail(next, total);
                                                    response.getHeaders()
                                                            .setContentType(request.media().type());
                                                    response.getHeaders()
                                                            .setContentLength(
                                                                    head.length
                                                                            + page.bytes()
                                                                            + tail.length);
                                                    if (next != null) {
                                                        response.getHeaders()
                                                                .set(
                                                                        HttpHeaders.LINK,
                                                                        "<"
                                                                                + next.href()
                                                                                + ">; rel=\"next\"");
                                                    }
                                                    return response.writeWith(
                                                            page.body(
                                                                    response.bufferFactory(),
                                                                    head,
                                                                    tail));
                                                })));
    }

    private static PageEnvelope.Next next(
            Job job, RowsRequest request, long row, long rows, String cursor, String reason) {
        // A page of no rows has a next one that does: whoever follows links gets on.
        String limit = rows == 0 ? "" : "&limit=" + rows;
        String href =
                JobDocument.path(job) + "/rows?cursor=" + cursor + limit + request.formatQuery();
        return new PageEnvelope.Next(row, cursor, href, reason);
    }

    private Mono<Void> stream(
            Job job, RowsRequest request, long from, ServerHttpResponse response) {
        Long limit = request.limit();
        long to = limit == null || from > Long.MAX_VALUE - limit ? Long.MAX_VALUE : from + limit;
        Supplier<JobReader> reader = () -> jobs.read(job, from, to, request.format(), false);
        AtomicLong rows = new AtomicLong();
        response.getHeaders().setContentType(request.media().type());
        response.getHeaders().set("X-Accel-Buffering", "no");
        announceTrailer(response, rows);
        return response.writeWith(
                new ChunkFlux(reader)
                        .doOnNext(chunk -> rows.addAndGet(chunk.rows()))
                        .map(ChunkBuffers::wrap)
                        .doOnDiscard(DataBuffer.class, DataBufferUtils::release));
    }

    /**
     * The trailer is written by the server itself when the body has come to its end, and only then.
     */
    private static void announceTrailer(ServerHttpResponse response, AtomicLong rows) {
        HttpServerResponse server = nativeResponse(response);
        if (server != null) {
            response.getHeaders().set(HttpHeaders.TRAILER, ROW_COUNT_TRAILER);
            server.trailerHeaders(
                    trailers -> trailers.set(ROW_COUNT_TRAILER, Long.toString(rows.get())));
        }
    }

    private static @Nullable HttpServerResponse nativeResponse(ServerHttpResponse response) {
        ServerHttpResponse inner = response;
        while (inner instanceof ServerHttpResponseDecorator decorator) {
            inner = decorator.getDelegate();
        }
        return inner instanceof AbstractServerHttpResponse server
                        && server.getNativeResponse() instanceof HttpServerResponse netty
                ? netty
                : null;
    }
}
