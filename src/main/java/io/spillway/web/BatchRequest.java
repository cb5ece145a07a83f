package io.spillway.web;

import io.spillway.encode.BatchLines;
import io.spillway.encode.BatchNames;
import io.spillway.encode.GroupFormat;
import io.spillway.encode.JsonFormat.Layout;
import io.spillway.encode.RowFormat;
import io.spillway.error.SpillwayException;
import io.spillway.job.Job;
import io.spillway.rows.RowView;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;

/**
 * What a request for one batch asks for.
 *
 * @param media the form of the answer, which is no stream of events
 * @param batch number of the batch
 * @param size rows of a batch
 * @param patience how long the first row may take
 */
record BatchRequest(RowMedia media, long batch, int size, Duration patience, RowForm form) {

    private static final List<RowMedia> FORMS =
            List.of(RowMedia.JSON, RowMedia.NDJSON, RowMedia.CSV, RowMedia.ARROW);

    private static final Set<RowMedia> JSON_TEXTS = EnumSet.of(RowMedia.JSON, RowMedia.NDJSON);

    private static final Map<String, Set<RowMedia>> MEANINGS =
            Map.of("numbers", JSON_TEXTS, "rows", JSON_TEXTS);

    private static final Set<String> KNOWN = known();

    private static Set<String> known() {
        Set<String> known = new HashSet<>(RowForm.PARAMETERS);
        known.addAll(Set.of("size", "format", "wait"));
        return Set.copyOf(known);
    }

    /**
     * Reads a request's parameters and headers.
     *
     * @param batch its number, as it stands in the path
     * @throws SpillwayException {@code INVALID_PARAMETER}, {@code NOT_ACCEPTABLE}
     */
    static BatchRequest of(ServerHttpRequest request, String batch, WebSettings settings) {
        long number = Parameters.count("batch", batch);
        Parameters parameters = new Parameters(request.getQueryParams(), KNOWN);
        RowMedia media =
                RowMedia.of(
                        parameters.text("format"),
                        request.getHeaders().get(HttpHeaders.ACCEPT),
                        FORMS);
        RowsRequest.refuseMeaningless(parameters, media, MEANINGS);
        return new BatchRequest(
                media,
                number,
                BatchesRequest.size(parameters, settings),
                parameters.wait(settings),
                RowForm.of(parameters));
    }

    /** Number of the batch's first row. */
    long firstRow() {
        return RowView.times(batch, size);
    }

    /** How the batch is written. */
    RowFormat format() {
        BatchNames names = BatchNames.ordered(size, position -> position);
        return switch (media) {
            case JSON ->
                    new GroupFormat(
                            form.json(Layout.ARRAY_ELEMENTS),
                            firstRow(),
                            size,
                            new BatchLines(names));
            case NDJSON -> form.json(Layout.LINES);
            case CSV -> form.csv();
            case ARROW -> form.arrow().inBatches(names);
            case EVENTS -> throw new IllegalStateException("one batch is no stream of events");
        };
    }

    /** The strong validator of the batch in this form; the job stands in the batch's address. */
    String etag(Job job) {
        return "\"%s-%d-%d-%s%s\"".formatted(job.digest(), batch, size, media.word(), form.query());
    }
}
