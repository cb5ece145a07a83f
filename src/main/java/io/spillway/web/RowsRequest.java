package io.spillway.web;

import io.spillway.encode.GroupFormat;
import io.spillway.encode.JsonFormat;
import io.spillway.encode.RowEvents;
import io.spillway.encode.RowFormat;
import io.spillway.error.SpillwayException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;

/**
 * What a request for rows asks for.
 *
 * @param media the form of the answer
 * @param mediaNamed whether the form was asked for by the parameter rather than by {@code Accept}
 * @param offset the first row, if no cursor is given
 * @param cursor a token in place of an offset
 * @param lastEventId the id of the last event that the client of an event stream has seen, if any
 * @param limit the most rows, if told
 * @param maxBytes the most bytes of a page's rows, if told
 * @param eventRows rows of an event
 * @param patience how long the first row may take
 */
record RowsRequest(
        RowMedia media,
        boolean mediaNamed,
        long offset,
        @Nullable String cursor,
        @Nullable String lastEventId,
        @Nullable Long limit,
        @Nullable Long maxBytes,
        int eventRows,
        Duration patience,
        RowForm form) {

    /** The header in which clients of event streams tell how far they came. */
    static final String LAST_EVENT_ID = "Last-Event-ID";

    static final String LAST_EVENT_ID_PARAMETER = "lastEventId";

    private static final Set<RowMedia> JSON_TEXTS =
            EnumSet.of(RowMedia.JSON, RowMedia.NDJSON, RowMedia.EVENTS);

    /** Parameters that have a meaning in some forms only. */
    private static final Map<String, Set<RowMedia>> MEANINGS =
            Map.of(
                    "maxBytes",
                    EnumSet.of(RowMedia.JSON),
                    "numbers",
                    JSON_TEXTS,
                    "rows",
                    JSON_TEXTS,
                    "batch",
                    EnumSet.of(RowMedia.EVENTS),
                    LAST_EVENT_ID_PARAMETER,
                    EnumSet.of(RowMedia.EVENTS),
                    "wait",
                    EnumSet.complementOf(EnumSet.of(RowMedia.EVENTS)));

    private static final Set<String> KNOWN =
            Set.of(
                    "offset",
                    "limit",
                    "maxBytes",
                    "cursor",
                    "format",
                    "numbers",
                    "rows",
                    "invalidText",
                    "batch",
                    "wait",
                    LAST_EVENT_ID_PARAMETER);

    /**
     * Reads a request's parameters and headers.
     *
     * @throws SpillwayException {@code INVALID_PARAMETER}, {@code NOT_ACCEPTABLE}
     */
    static RowsRequest of(
            ServerHttpRequest request, WebSettings settings, EventSettings eventSettings) {
        Parameters parameters = new Parameters(request.getQueryParams(), KNOWN);
        String named = parameters.text("format");
        RowMedia media = RowMedia.of(named, request.getHeaders().get(HttpHeaders.ACCEPT));
        refuseMeaningless(parameters, media);
        Long offset = parameters.count("offset");
        String cursor = parameters.text("cursor");
        if (offset != null && cursor != null) {
            throw Parameters.invalid("cursor", "A cursor and an offset exclude each other");
        }
        return new RowsRequest(
                media,
                named != null,
                offset == null ? 0 : offset,
                cursor,
                media == RowMedia.EVENTS ? lastEventId(request, parameters) : null,
                parameters.count("limit"),
                parameters.count("maxBytes"),
                eventRows(parameters, eventSettings),
                parameters.wait(settings),
                RowForm.of(parameters));
    }

    private static void refuseMeaningless(Parameters parameters, RowMedia media) {
        refuseMeaningless(parameters, media, MEANINGS);
    }

    /**
     * Refuses parameters that have a meaning in other forms only.
     *
     * @param meanings the forms in which a parameter has one
     */
    static void refuseMeaningless(
            Parameters parameters, RowMedia media, Map<String, Set<RowMedia>> meanings) {
        meanings.forEach(
                (name, forms) -> {
                    if (parameters.has(name) && !forms.contains(media)) {
                        throw Parameters.invalid(
                                        name,
                                        "The parameter '%s' has no meaning in the format '%s'"
                                                .formatted(name, media.word()))
                                .with(
                                        SpillwayException.EXPECTED,
                                        forms.stream().map(RowMedia::word).toList());
                    }
                });
    }

    /** The header is told by a client that reconnects, and so is newer than what the URL says. */
    static @Nullable String lastEventId(ServerHttpRequest request, Parameters parameters) {
        String header = request.getHeaders().getFirst(LAST_EVENT_ID);
        String id =
                header == null || header.isEmpty()
                        ? parameters.text(LAST_EVENT_ID_PARAMETER)
                        : header;
        return id == null || id.isEmpty() ? null : id;
    }

    private static int eventRows(Parameters parameters, EventSettings settings) {
        Long rows = parameters.count("batch");
        if (rows == null) {
            return settings.rows();
        }
        if (rows < 1 || rows > settings.maxRows()) {
            throw Parameters.invalid(
                            "batch",
                            "An event has 1 to %,d rows, not %,d"
                                    .formatted(settings.maxRows(), rows))
                    .with(SpillwayException.LIMIT, settings.maxRows())
                    .with(SpillwayException.FOUND, rows);
        }
        return Math.toIntExact(rows);
    }

    /** The number of rows of a page. */
    long pageRows(WebSettings settings) {
        return limit == null
                ? settings.pageRows()
                : atMost("limit", limit, settings.maxPageRows(), "rows");
    }

    /** The most bytes that the rows of a page may take. */
    long pageBytes(WebSettings settings) {
        return maxBytes == null
                ? settings.maxPageBytes()
                : atMost("maxBytes", maxBytes, settings.maxPageBytes(), "bytes");
    }

    private static long atMost(String name, long asked, long most, String unit) {
        if (asked > most) {
            throw Parameters.invalid(
                            name, "A page has at most " + most + " " + unit + ", not " + asked)
                    .with(SpillwayException.LIMIT, most)
                    .with(SpillwayException.FOUND, asked);
        }
        return asked;
    }

    /** How the rows of a page or of a stream of rows alone are written. */
    RowFormat format() {
        return switch (media) {
            case JSON -> form.json(JsonFormat.Layout.ARRAY_ELEMENTS);
            case NDJSON -> form.json(JsonFormat.Layout.LINES);
            case CSV -> form.csv();
            case ARROW -> form.arrow();
            case EVENTS -> throw new IllegalStateException("the format of events knows their ids");
        };
    }

    /**
     * How rows are written as events.
     *
     * @param from number of the first row
     * @param ids the event id for the number of the row that comes next
     */
    GroupFormat events(long from, LongFunction<String> ids) {
        return new GroupFormat(
                form.json(JsonFormat.Layout.ARRAY_ELEMENTS), from, eventRows, new RowEvents(ids));
    }

    /** The parameters that a link to the next page repeats, each with a leading ampersand. */
    String linkQuery() {
        return (maxBytes == null ? "" : "&maxBytes=" + maxBytes)
                + form.query()
                + (mediaNamed ? "&format=" + media.word() : "");
    }
}
