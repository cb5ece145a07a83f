package io.spillway.web;

import io.spillway.cursor.EventId;
import io.spillway.cursor.EventIds;
import io.spillway.encode.GroupFormat;
import io.spillway.job.JobPart;
import io.spillway.job.JobService;
import io.spillway.job.Reading;
import io.spillway.rows.RowView;
import io.spillway.rows.SharedRows.Company;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Answers with rows, in the form and from the row that a request asks for. */
final class RowsResponder {

    private final JobService jobs;
    private final Blocking blocking;
    private final PageResponder pages;
    private final StreamResponder streams;
    private final EventResponder events;

    RowsResponder(
            JobService jobs,
            Blocking blocking,
            PageResponder pages,
            StreamResponder streams,
            EventResponder events) {
        this.jobs = jobs;
        this.blocking = blocking;
        this.pages = pages;
        this.streams = streams;
        this.events = events;
    }

    /**
     * Writes the rows, or only what a GET would begin with, for which nothing is read. Failures
     * before the first byte are errors of the Mono. Work for a client that has gone ends at once.
     */
    Mono<Void> answer(JobPart part, RowsRequest request, ServerWebExchange exchange) {
        // A cursor may make the signing keys be asked for, so this starts where waiting is allowed.
        return blocking.defer(() -> respond(part, request, exchange))
                .takeUntilOther(
                        NettyResponses.closed(
                                NettyResponses.channel(
                                        NettyResponses.server(exchange.getResponse()))));
    }

    private Mono<Void> respond(JobPart part, RowsRequest request, ServerWebExchange exchange) {
        exchange.getResponse().getHeaders().add(HttpHeaders.VARY, HttpHeaders.ACCEPT);
        long from = request.cursor() == null ? request.offset() : jobs.row(part, request.cursor());
        return switch (request.media()) {
            case JSON -> pages.respond(part, request, from, exchange);
            case NDJSON, CSV, ARROW ->
                    streams.respond(
                            part,
                            StreamAnswer.ofRows(
                                    request.media(),
                                    Reading.rows(
                                            from, after(from, request.limit()), request.format()),
                                    request.patience()),
                            exchange);
            case EVENTS -> events(part, request, from, exchange);
        };
    }

    /**
     * A client that has seen events goes on behind them; where it once began still tells which row
     * is the last one.
     */
    private Mono<Void> events(
            JobPart part, RowsRequest request, long from, ServerWebExchange exchange) {
        EventIds ids = new EventIds(part.job().id(), part.digest());
        long to = after(from, request.limit());
        if (request.lastEventId() == null) {
            return events.respond(part, answer(part, request, ids, from, to), exchange);
        }
        return switch (ids.parse(request.lastEventId(), RowsRequest.LAST_EVENT_ID)) {
            case EventId.Next(long row) ->
                    events.respond(
                            part, answer(part, request, ids, row, Math.max(row, to)), exchange);
            case EventId.End() -> {
                exchange.getResponse().setStatusCode(HttpStatus.NO_CONTENT);
                yield exchange.getResponse().setComplete();
            }
        };
    }

    private static EventAnswer answer(
            JobPart part, RowsRequest request, EventIds ids, long from, long to) {
        GroupFormat format = request.events(from, ids::next);
        Reading reading = Reading.rows(from, to, format);
        return new EventAnswer(
                part.split() == null ? reading.in(Company.STAYS) : reading, ids, End::new);
    }

    /** What the {@code end} event tells: the number of the row that would come next, the total. */
    private record End(long offset, @Nullable Long rowCount) {}

    /** The row after so many rows, or after all if no number is told. */
    static long after(long from, @Nullable Long rows) {
        return rows == null ? Long.MAX_VALUE : RowView.plus(from, rows);
    }
}
