package io.spillway.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.cursor.EventId;
import io.spillway.cursor.EventIds;
import io.spillway.encode.BatchEvents;
import io.spillway.encode.BatchLines;
import io.spillway.encode.BatchNames;
import io.spillway.encode.CapProgress;
import io.spillway.encode.CappedFormat;
import io.spillway.encode.GroupFormat;
import io.spillway.encode.GroupText;
import io.spillway.encode.JsonFormat;
import io.spillway.encode.JsonFormat.Layout;
import io.spillway.encode.RowFormat;
import io.spillway.error.SpillwayException;
import io.spillway.job.Job;
import io.spillway.job.JobPart;
import io.spillway.job.JobService;
import io.spillway.job.Reading;
import io.spillway.rows.RowView;
import io.spillway.rows.Shard;
import io.spillway.rows.SharedRows.Company;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Answers with a stream of exact batches. */
final class BatchesResponder {

    private static final List<String> TRAILERS =
            List.of(AnswerFields.ROW_COUNT, AnswerFields.BATCH_COUNT, AnswerFields.DROPPED_ROWS);

    private final JobService jobs;
    private final StreamResponder streams;
    private final EventResponder events;
    private final NotReady notReady;

    BatchesResponder(
            JobService jobs, StreamResponder streams, EventResponder events, NotReady notReady) {
        this.jobs = jobs;
        this.streams = streams;
        this.events = events;
        this.notReady = notReady;
    }

    /**
     * Writes the batches; may wait for the job store before it answers. Failures before the first
     * byte are errors of the Mono.
     */
    Mono<Void> respond(Job job, BatchesRequest request, ServerWebExchange exchange) {
        exchange.getResponse().getHeaders().add(HttpHeaders.VARY, HttpHeaders.ACCEPT);
        if (request.media() == RowMedia.EVENTS) {
            return events(job, request, exchange);
        }
        long from = position(request);
        if (request.remainder() == null || Heads.only(exchange.getRequest())) {
            return stream(job, request, from, exchange);
        }
        return Mono.fromFuture(() -> jobs.count(job))
                .timeout(NotReady.patience(request.patience()))
                .flatMap(
                        rows -> {
                            tellRemainder(job, request, rows, exchange);
                            return stream(job, request, from, exchange);
                        })
                .onErrorResume(
                        TimeoutException.class,
                        late ->
                                notReady.answer(
                                        JobPart.all(job),
                                        Long.MAX_VALUE,
                                        null,
                                        exchange.getResponse()));
    }

    private Mono<Void> stream(
            Job job, BatchesRequest request, long from, ServerWebExchange exchange) {
        BatchNames names = names(job, request);
        RowFormat format =
                request.media() == RowMedia.ARROW
                        ? request.form().arrow().inBatches(names)
                        : json(job, request, from, new BatchLines(names));
        StreamAnswer answer =
                new StreamAnswer(
                        request.media(),
                        reading(request, from, format),
                        request.patience(),
                        TRAILERS,
                        rows -> trailers(job, request, batches(request, format, rows), rows));
        return streams.respond(JobPart.all(job), answer, exchange);
    }

    private static Reading reading(BatchesRequest request, long from, RowFormat format) {
        Reading reading = Reading.of(request.view(), from, Long.MAX_VALUE, format);
        boolean among =
                request.media() == RowMedia.EVENTS
                        || (request.view() instanceof Shard shard && shard.of() > 1);
        return among ? reading.in(Company.STAYS) : reading;
    }

    private BatchNames names(Job job, BatchesRequest request) {
        RowView view = request.view();
        if (!view.isOrdered()) {
            return BatchNames.unordered(request.size());
        }
        if (request.caps() != null) {
            return BatchNames.ofAnySize(view::row);
        }
        return request.remainder() == BatchesRequest.Remainder.PAD
                ? new BatchNames(request.size(), view::row, new Total(job))
                : BatchNames.ordered(request.size(), view::row);
    }

    /** The job's number of rows; the largest number while that is unknown. */
    private final class Total implements LongSupplier {

        private final Job job;
        private volatile long rows = -1;

        Total(Job job) {
            this.job = job;
        }

        @Override
        public long getAsLong() {
            if (rows < 0) {
                Long known = jobs.progress(job).rowCount();
                if (known == null) {
                    return Long.MAX_VALUE;
                }
                rows = known;
            }
            return rows;
        }
    }

    /** Rows in batches that are JSON objects. */
    private static RowFormat json(Job job, BatchesRequest request, long from, GroupText text) {
        JsonFormat rows = request.form().json(Layout.ARRAY_ELEMENTS);
        return request.caps() == null
                ? new GroupFormat(rows, from, request.size(), text)
                : new CappedFormat(
                        rows,
                        text,
                        new CapProgress(request.caps().caps(request.size(), job.plan().schema())));
    }

    /** How many batches so many rows are in. */
    private static long batches(BatchesRequest request, RowFormat format, long rows) {
        return format instanceof CappedFormat capped
                ? capped.progress().batches()
                : Math.ceilDiv(rows, request.size());
    }

    private Map<String, String> trailers(Job job, BatchesRequest request, long batches, long rows) {
        return Map.of(
                AnswerFields.ROW_COUNT,
                Long.toString(rows),
                AnswerFields.BATCH_COUNT,
                Long.toString(batches),
                AnswerFields.DROPPED_ROWS,
                Long.toString(dropped(job, request)));
    }

    /** How many rows no reader of such batches gets, once that is known. */
    private long dropped(Job job, BatchesRequest request) {
        Long rows = jobs.progress(job).rowCount();
        return rows == null || request.remainder() == BatchesRequest.Remainder.SEPARATE
                ? 0
                : request.view().dropped(rows);
    }

    /** Where the answer begins. */
    private static long position(BatchesRequest request) {
        CapsRequest caps = request.caps();
        return caps == null ? position(request, request.from()) : caps.offset();
    }

    /** Where a batch begins, or, of a shard, its first one that is not before that. */
    private static long position(BatchesRequest request, long batch) {
        return request.view() instanceof Shard shard
                ? shard.positionOf(batch)
                : RowView.times(batch, request.size());
    }

    /** Header fields that tell what becomes of the last batches. */
    private static void tellRemainder(
            Job job, BatchesRequest request, long rows, ServerWebExchange exchange) {
        if (!(request.view() instanceof Shard shard)) {
            return;
        }
        HttpHeaders headers = exchange.getResponse().getHeaders();
        long from = Math.min(shard.positionOf(request.from()), shard.end(rows));
        headers.set(AnswerFields.BATCHES, Long.toString((shard.end(rows) - from) / request.size()));
        long left = shard.dropped(rows);
        if (request.remainder() == BatchesRequest.Remainder.SEPARATE) {
            headers.set(AnswerFields.REMAINDER_FIRST_ROW, Long.toString(rows - left));
            headers.set(AnswerFields.REMAINDER_ROWS, Long.toString(left));
            String href =
                    "%s/batches?size=%d&from=%d"
                            .formatted(
                                    JobDocument.path(job),
                                    request.size(),
                                    (rows - left) / request.size());
            headers.set(
                    HttpHeaders.LINK, "<" + href + request.form().query() + ">; rel=\"remainder\"");
        } else {
            headers.set(AnswerFields.DROPPED_ROWS, Long.toString(left));
        }
    }

    /**
     * A client that has seen events goes on at the first of its batches behind them, be it that
     * another number of shards made these.
     */
    private Mono<Void> events(Job job, BatchesRequest request, ServerWebExchange exchange) {
        EventIds ids = new EventIds(job.id(), job.digest());
        if (request.lastEventId() == null) {
            return events.respond(
                    JobPart.all(job), answer(job, request, ids, position(request)), exchange);
        }
        return switch (ids.parse(request.lastEventId(), RowsRequest.LAST_EVENT_ID)) {
            case EventId.Next(long row) -> {
                if (request.caps() != null) {
                    yield events.respond(
                            JobPart.all(job), answer(job, request, ids, row), exchange);
                }
                if (row % request.size() != 0) {
                    throw Parameters.invalid(
                                    RowsRequest.LAST_EVENT_ID,
                                    "No batch of %,d rows begins at row %,d: go on with the size that it was begun with"
                                            .formatted(request.size(), row))
                            .with(SpillwayException.ROW, row);
                }
                yield events.respond(
                        JobPart.all(job),
                        answer(job, request, ids, position(request, row / request.size())),
                        exchange);
            }
            case EventId.End() -> {
                exchange.getResponse().setStatusCode(HttpStatus.NO_CONTENT);
                yield exchange.getResponse().setComplete();
            }
        };
    }

    private EventAnswer answer(Job job, BatchesRequest request, EventIds ids, long from) {
        RowView view = request.view();
        LongFunction<String> next =
                view.isOrdered() ? position -> ids.next(behind(view, position)) : null;
        RowFormat format = json(job, request, from, new BatchEvents(names(job, request), next));
        return new EventAnswer(
                reading(request, from, format),
                ids,
                (end, rowCount) -> end(job, request, end, batches(request, format, end - from)));
    }

    /** The row behind the one before a position. */
    private static long behind(RowView view, long position) {
        return view.row(position - 1) + 1;
    }

    /** What the {@code end} event tells. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    private record End(
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long offset,
            long batches,
            @Nullable Long rowCount,
            long droppedRows) {}

    private End end(Job job, BatchesRequest request, long end, long batches) {
        boolean hasPlace = request.view().isOrdered();
        return new End(
                hasPlace ? end == 0 ? 0 : behind(request.view(), end) : null,
                batches,
                jobs.progress(job).rowCount(),
                dropped(job, request));
    }
}
