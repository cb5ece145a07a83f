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
                () -> read(job, request, from, to),
                page ->
                        page.collect()
                                .then(
                                        Mono.defer(
                                                () -> {
                                                    PageEnvelope.Next next =
                                                            next(job, request, page, to, cursor);
                                                    return send(job, page, next, response);
                                                })));
    }

    private PageChunks read(Job job, RowsRequest request, long from, long to) {
        JobReader reader = jobs.read(job, from, to, request.format(), true);
        return new PageChunks(reader, from, settings.maxPageBytes());
    }

    /** Where the page after this one starts, or null if there is none. */
    private PageEnvelope.@Nullable Next next(
            Job job, RowsRequest request, PageChunks page, long to, String cursor) {
        Long total = page.reader().rowCount();
        boolean full = page.end() == to;
        // A reader of a page finds out whether a row follows it: if not, it knows the total.
        if (total == null ? !full && !page.cut() : total <= page.end()) {
            return null;
        }
        String token = full ? cursor : jobs.cursor(job, page.end());
        // A page of no rows has a next one that does: whoever follows links gets on.
        String limit = to == page.from() ? "" : "&limit=" + (to - page.from());
        String href =
                JobDocument.path(job) + "/rows?cursor=" + token + limit + request.formatQuery();
        return new PageEnvelope.Next(page.end(), token, href, full ? "limit" : "maxBytes");
    }

    private Mono<Void> send(
            Job job,
            PageChunks page,
            PageEnvelope.@Nullable Next next,
            ServerHttpResponse response) {
        byte[] head = envelope.head(job.plan().schema(), page.from());
        byte[] tail = envelope.tail(next, page.reader().rowCount());
        HttpHeaders headers = response.getHeaders();
        headers.setContentType(RowMedia.JSON.type());
        headers.setContentLength(head.length + page.bytes() + tail.length);
        if (next != null) {
            headers.set(HttpHeaders.LINK, "<" + next.href() + ">; rel=\"next\"");
        }
        return response.writeWith(page.body(response.bufferFactory(), head, tail));
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
