package io.spillway.web;

import io.spillway.job.JobPart;
import io.spillway.job.JobReader;
import io.spillway.job.JobService;
import io.spillway.job.Reading;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Answers with a page: one JSON document, whole or not at all. */
final class PageResponder {

    private final JobService jobs;
    private final PageEnvelope envelope;
    private final Compression compression;
    private final NotReady notReady;
    private final WebSettings settings;

    PageResponder(
            JobService jobs,
            PageEnvelope envelope,
            Compression compression,
            NotReady notReady,
            WebSettings settings) {
        this.jobs = jobs;
        this.envelope = envelope;
        this.compression = compression;
        this.notReady = notReady;
        this.settings = settings;
    }

    /**
     * Writes the page that begins at a row. The client sees its first row when it is whole, so all
     * of it has to come within the time that the request waits.
     */
    Mono<Void> respond(JobPart part, RowsRequest request, long from, ServerWebExchange exchange) {
        long to = RowsResponder.after(from, request.pageRows(settings));
        long maxBytes = request.pageBytes(settings);
        ServerHttpResponse response = exchange.getResponse();
        if (Heads.only(exchange.getRequest())) {
            response.getHeaders().setContentType(RowMedia.JSON.type());
            response.getHeaders().add(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
            return response.setComplete();
        }
        // Made here, where waiting for the keys is allowed; wasted only on last pages.
        String cursor = jobs.cursor(part, to);
        String location = response.getHeaders().getFirst(HttpHeaders.CONTENT_LOCATION);
        return Mono.<Void, PageChunks>using(
                        () -> read(part, request, from, to, maxBytes),
                        page ->
                                page.collect()
                                        .timeout(NotReady.patience(request.patience()))
                                        .then(
                                                Mono.defer(
                                                        () ->
                                                                send(
                                                                        part,
                                                                        page,
                                                                        next(
                                                                                part, request, page,
                                                                                to, cursor,
                                                                                exchange),
                                                                        exchange))))
                .onErrorResume(
                        TimeoutException.class,
                        late -> notReady.answer(part, to, location, response));
    }

    private PageChunks read(JobPart part, RowsRequest request, long from, long to, long maxBytes) {
        JobReader reader = jobs.read(part, Reading.page(from, to, request.format()));
        return new PageChunks(reader, from, maxBytes);
    }

    /** Where the page after this one starts, or null if there is none. */
    private PageEnvelope.@Nullable Next next(
            JobPart part,
            RowsRequest request,
            PageChunks page,
            long to,
            String cursor,
            ServerWebExchange exchange) {
        Long total = page.reader().rowCount();
        boolean full = page.end() == to;
        // A reader of a page finds out whether a row follows it: if not, it knows the total.
        if (total == null ? !full && !page.cut() : total <= page.end()) {
            return null;
        }
        String token = full ? cursor : jobs.cursor(part, page.end());
        // A page of no rows has a next one that does: whoever follows links gets on.
        String limit = to == page.from() ? "" : "&limit=" + (to - page.from());
        String href = path(part, exchange) + "?cursor=" + token + limit + request.linkQuery();
        return new PageEnvelope.Next(page.end(), token, href, full ? "limit" : "maxBytes");
    }

    /** Where the rows are read; those of a new job are read on at the job. */
    private static String path(JobPart part, ServerWebExchange exchange) {
        return part.split() == null
                ? JobDocument.path(part.job()) + "/rows"
                : exchange.getRequest().getPath().value();
    }

    private Mono<Void> send(
            JobPart part,
            PageChunks page,
            PageEnvelope.@Nullable Next next,
            ServerWebExchange exchange) {
        byte[] head = envelope.head(part.job().plan().schema(), page.from());
        byte[] tail = envelope.tail(next, page.reader().rowCount());
        long length = head.length + page.bytes() + tail.length;
        ServerHttpResponse response = exchange.getResponse();
        HttpHeaders headers = response.getHeaders();
        headers.setContentType(RowMedia.JSON.type());
        headers.setContentLength(length);
        if (next != null) {
            headers.set(HttpHeaders.LINK, "<" + next.href() + ">; rel=\"next\"");
        }
        Flux<DataBuffer> body = page.body(head, tail);
        return response.writeWith(compression.apply(body, length, exchange.getRequest(), response));
    }
}
