package io.spillway.web;

import io.spillway.cursor.EventId;
import io.spillway.cursor.EventIds;
import io.spillway.encode.GroupFormat;
import io.spillway.job.Job;
import io.spillway.job.JobService;
import io.spillway.job.Reading;
import io.spillway.rows.SharedRows.Company;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Answers with rows, in the form and from the row that a request asks for. */
final class RowsResponder {

    private final JobService jobs;
    private final PageResponder pages;
    private final StreamResponder streams;
    private final EventResponder events;

    RowsResponder(
            JobService jobs, PageResponder pages, StreamResponder streams, EventResponder events) {
        this.jobs = jobs;
        this.pages = pages;
        this.streams = streams;
        this.events = events;
    }

    /**
     * Writes the rows, or only what a GET would begin with, for which nothing is read; may wait for
     * the job store before it answers. Failures before the first byte are errors of the Mono.
     */
    Mono<Void> respond(Job job, RowsRequest request, ServerWebExchange exchange) {
        exchange.getResponse().getHeaders().add(HttpHeaders.VARY, HttpHeaders.ACCEPT);
        long from = request.cursor() == null ? request.offset() : jobs.row(job, request.cursor());
        return switch (request.media()) {
            case JSON -> pages.respond(job, request, from, exchange);
            case NDJSON, CSV, ARROW ->
                    streams.respond(
                            job,
                            StreamAnswer.ofRows(
                                    request.media(),
                                    Reading.rows(
                                            from, after(from, request.limit()), request.format()),
                                    request.patience()),
                            exchange);
            case EVENTS -> events(job, request, from, exchange);
        };
    }

    /**
     * A client that has seen events goes on behind them; where it once began still tells which row
     * is the last one.
     */
    private Mono<Void> events(Job job, RowsRequest request, long from, ServerWebExchange exchange) {
        EventIds ids = new EventIds(job.id(), job.digest());
        long to = after(from, request.limit());
        if (request.lastEventId() == null) {
            return events.respond(job, answer(job, request, ids, from, to), exchange);
        }
        return switch (ids.parse(request.lastEventId(), RowsRequest.LAST_EVENT_ID)) {
            case EventId.Next(long row) ->
                    events.respond(
                            job, answer(job, request, ids, row, Math.max(row, to)), exchange);
            case EventId.End() -> {
                exchange.getResponse().setStatusCode(HttpStatus.NO_CONTENT);
                yield exchange.getResponse().setComplete();
            }
        };
    }

    private EventAnswer answer(Job job, RowsRequest request, EventIds ids, long from, long to) {
        GroupFormat format = request.events(from, ids::next);
        return new EventAnswer(
                Reading.rows(from, to, format).in(Company.STAYS),
                ids,
                next -> new End(next, jobs.progress(job).rowCount()));
    }

    /** What the {@code end} event tells: the number of the row that would come next, the total. */
    private record End(long offset, @Nullable Long rowCount) {}

    /** The row after so many rows, or after all if no number is told. */
    static long after(long from, @Nullable Long rows) {
        return rows == null || from > Long.MAX_VALUE - rows ? Long.MAX_VALUE : from + rows;
    }
}
