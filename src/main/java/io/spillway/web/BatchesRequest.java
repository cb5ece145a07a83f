package io.spillway.web;

import io.spillway.error.SpillwayException;
import io.spillway.rows.AnyOrder;
import io.spillway.rows.RowView;
import io.spillway.rows.Shard;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;

/**
 * What a request for a stream of exact batches asks for.
 *
 * @param media the form of the answer: lines, Arrow or events
 * @param size rows of a batch
 * @param view which rows, and in which order
 * @param remainder what becomes of the batches that do not make the same for each shard; null if
 *     shards need not be equal
 * @param from number of the first batch that is wanted
 * @param caps what closes batches early; null if only their number of rows does
 * @param lastEventId the id of the last event that the client of an event stream has seen, if any
 * @param patience how long the first row may take
 */
record BatchesRequest(
        RowMedia media,
        int size,
        RowView view,
        @Nullable Remainder remainder,
        long from,
        @Nullable CapsRequest caps,
        @Nullable String lastEventId,
        Duration patience,
        RowForm form) {

    private static final List<RowMedia> STREAMS =
            List.of(RowMedia.NDJSON, RowMedia.ARROW, RowMedia.EVENTS);

    private static final Map<String, Set<RowMedia>> MEANINGS =
            Map.of(
                    "maxBytes",
                    EnumSet.of(RowMedia.NDJSON, RowMedia.EVENTS),
                    "weight",
                    EnumSet.of(RowMedia.NDJSON, RowMedia.EVENTS),
                    "maxWeight",
                    EnumSet.of(RowMedia.NDJSON, RowMedia.EVENTS),
                    "numbers",
                    EnumSet.of(RowMedia.NDJSON, RowMedia.EVENTS),
                    "rows",
                    EnumSet.of(RowMedia.NDJSON, RowMedia.EVENTS),
                    RowsRequest.LAST_EVENT_ID_PARAMETER,
                    EnumSet.of(RowMedia.EVENTS),
                    "wait",
                    EnumSet.of(RowMedia.NDJSON, RowMedia.ARROW));

    private static final Set<String> KNOWN = known();

    /** Batches that come in no order have no numbers. */
    private static final List<String> ORDERED_ONLY = List.of("from", "shard", "of", "remainder");

    /** What becomes of the batches that do not make the same for each shard. */
    enum Remainder {
        /** Nobody gets them. */
        DROP,
        /** Shards are filled up with rows that come a second time. */
        PAD,
        /** They are to be had at a place of their own. */
        SEPARATE;

        private Shard.Rest rest() {
            return switch (this) {
                case DROP, SEPARATE -> Shard.Rest.DROPPED;
                case PAD -> Shard.Rest.REPEATED;
            };
        }
    }

    private static Set<String> known() {
        Set<String> known = new HashSet<>(RowForm.PARAMETERS);
        known.addAll(CapsRequest.PARAMETERS);
        known.addAll(
                Set.of(
                        "size",
                        "from",
                        "offset",
                        "dropLast",
                        "order",
                        "shard",
                        "of",
                        "remainder",
                        "format",
                        "wait",
                        RowsRequest.LAST_EVENT_ID_PARAMETER));
        return Set.copyOf(known);
    }

    /**
     * Reads a request's parameters and headers.
     *
     * @throws SpillwayException {@code INVALID_PARAMETER}, {@code NOT_ACCEPTABLE}
     */
    static BatchesRequest of(ServerHttpRequest request, WebSettings settings) {
        Parameters parameters = new Parameters(request.getQueryParams(), KNOWN);
        RowMedia media =
                RowMedia.of(
                        parameters.text("format"),
                        request.getHeaders().get(HttpHeaders.ACCEPT),
                        STREAMS);
        RowsRequest.refuseMeaningless(parameters, media, MEANINGS);
        int size = size(parameters, settings);
        Long from = parameters.count("from");
        CapsRequest caps = CapsRequest.of(parameters);
        Remainder remainder = remainder(parameters);
        String lastEventId =
                media == RowMedia.EVENTS ? RowsRequest.lastEventId(request, parameters) : null;
        RowView view = view(parameters, size, remainder);
        if (!view.isOrdered() && lastEventId != null) {
            throw Parameters.invalid(
                    RowsRequest.LAST_EVENT_ID,
                    "Batches in any order cannot be resumed: read them from the start");
        }
        return new BatchesRequest(
                media,
                size,
                view,
                remainder,
                from == null ? 0 : from,
                caps,
                lastEventId,
                parameters.wait(settings),
                RowForm.of(parameters));
    }

    /** The number of rows of a batch, which has to be told. */
    static int size(Parameters parameters, WebSettings settings) {
        Long size = parameters.count("size");
        if (size == null) {
            throw Parameters.invalid("size", "How many rows a batch has is not told: size=N");
        }
        if (size < 1 || size > settings.maxBatchRows()) {
            throw Parameters.invalid(
                            "size",
                            "A batch has 1 to %,d rows, not %,d"
                                    .formatted(settings.maxBatchRows(), size))
                    .with(SpillwayException.LIMIT, settings.maxBatchRows())
                    .with(SpillwayException.FOUND, size);
        }
        return Math.toIntExact(size);
    }

    private static RowView view(Parameters parameters, int size, @Nullable Remainder remainder) {
        boolean dropLast = parameters.choice("dropLast", "false", "true").equals("true");
        if (parameters.choice("order", "strict", "any").equals("any")) {
            for (String name : ORDERED_ONLY) {
                if (parameters.has(name)) {
                    throw Parameters.invalid(
                            name,
                            "The parameter '%s' has no meaning where batches come in any order"
                                    .formatted(name));
                }
            }
            return new AnyOrder(size, dropLast);
        }
        if (dropLast && remainder != null) {
            throw Parameters.invalid(
                    "dropLast", "What becomes of the last rows is told by 'remainder' already");
        }
        Long shard = parameters.count("shard");
        Long of = parameters.count("of");
        if (shard == null && of == null) {
            return dropLast ? new Shard(size, 0, 1, Shard.Rest.FULL) : new RowView.All();
        }
        if (shard == null || of == null) {
            throw Parameters.invalid(
                    shard == null ? "shard" : "of",
                    "A shard is told by 'shard' and 'of' together: shard=0&of=4");
        }
        if (of < 1 || of > Integer.MAX_VALUE) {
            throw Parameters.invalid("of", "There are 1 to 2,147,483,647 shards, not " + of)
                    .with(SpillwayException.FOUND, of);
        }
        if (shard >= of) {
            throw Parameters.invalid(
                            "shard",
                            "Of %,d shards the last one is number %,d".formatted(of, of - 1))
                    .with(SpillwayException.FOUND, shard)
                    .with(SpillwayException.LIMIT, of - 1);
        }
        Shard.Rest rest =
                remainder != null ? remainder.rest() : dropLast ? Shard.Rest.FULL : Shard.Rest.KEPT;
        return new Shard(size, Math.toIntExact(shard), Math.toIntExact(of), rest);
    }

    private static @Nullable Remainder remainder(Parameters parameters) {
        if (!parameters.has("remainder")) {
            return null;
        }
        if (!parameters.has("shard") && !parameters.has("of")) {
            throw Parameters.invalid("remainder", "Only shards have a remainder: shard=0&of=4");
        }
        return switch (parameters.choice("remainder", "drop", "pad", "separate")) {
            case "pad" -> Remainder.PAD;
            case "separate" -> Remainder.SEPARATE;
            default -> Remainder.DROP;
        };
    }
}
