package io.spillway.web;

import io.spillway.encode.RowFormat;
import io.spillway.error.SpillwayException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;

/**
 * What a request for rows asks for.
 *
 * @param media the form of the answer
 * @param offset the first row, if no cursor is given
 * @param cursor a token in place of an offset
 * @param limit the most rows, if told
 * @param format how rows are written
 */
record RowsRequest(
        RowMedia media,
        long offset,
        @Nullable String cursor,
        @Nullable Long limit,
        RowFormat format) {

    private static final Set<String> KNOWN =
            Set.of("offset", "limit", "cursor", "format", "numbers", "rows", "invalidText");

    static RowsRequest of(ServerHttpRequest request) {
        Parameters parameters = new Parameters(request.getQueryParams(), KNOWN);
        RowMedia media =
                RowMedia.of(
                        parameters.text("format"), request.getHeaders().get(HttpHeaders.ACCEPT));
        Long offset = parameters.count("offset");
        String cursor = parameters.text("cursor");
        if (offset != null && cursor != null) {
            throw Parameters.invalid("cursor", "A cursor and an offset exclude each other");
        }
        RowFormat format =
                new RowFormat(
                        media == RowMedia.NDJSON
                                ? RowFormat.Layout.LINES
                                : RowFormat.Layout.ARRAY_ELEMENTS,
                        parameters.choice("rows", "objects", "arrays").equals("arrays"),
                        parameters.choice("numbers", "plain", "strings").equals("strings"),
                        parameters.choice("invalidText", "error", "replace").equals("replace"));
        return new RowsRequest(
                media, offset == null ? 0 : offset, cursor, parameters.count("limit"), format);
    }

    /** The number of rows of a page. */
    long pageRows(int usual, int most) {
        if (limit == null) {
            return usual;
        }
        if (limit > most) {
            throw Parameters.invalid("limit", "A page has at most " + most + " rows, not " + limit)
                    .with(SpillwayException.LIMIT, most)
                    .with(SpillwayException.FOUND, limit);
        }
        return limit;
    }

    /**
     * The parameters that say how rows are written, as they go on in links: empty, or with a
     * leading ampersand.
     */
    String formatQuery() {
        return (format.arrays() ? "&rows=arrays" : "")
                + (format.stringNumbers() ? "&numbers=strings" : "")
                + (format.replaceInvalidText() ? "&invalidText=replace" : "");
    }
}
