package io.spillway.testing;

import io.spillway.testing.EventStreamParser.Event;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A form in which rows can be had, and its reader on the receiving side, which is strict. Rows come
 * out as texts that can be compared: as they stand in JSON, NDJSON and events; for CSV and Arrow
 * the list of their fields.
 */
public enum RowForm {
    JSON("json", "application/json"),
    NDJSON("ndjson", "application/x-ndjson"),
    CSV("csv", "text/csv"),
    ARROW("arrow", "application/vnd.apache.arrow.stream"),
    EVENTS("sse", "text/event-stream");

    private static final String ROW_COUNT = "Spillway-Row-Count";

    private final String word;
    private final String mediaType;

    RowForm(String word, String mediaType) {
        this.word = word;
        this.mediaType = mediaType;
    }

    /** The word for it in {@code format}. */
    public String word() {
        return word;
    }

    /** Its media type. */
    public String mediaType() {
        return mediaType;
    }

    /** The answer to a request for rows, whatever its status. */
    public ChunkedResponse ask(int port, String job, String query) throws IOException {
        return askAt(port, "/v1/jobs/" + job + "/rows", query);
    }

    private ChunkedResponse askAt(int port, String path, String query) throws IOException {
        String target = path + (query.isEmpty() ? "" : "?" + query);
        return ChunkedResponse.get(port, target, Map.of("Accept", mediaType));
    }

    /**
     * Rows of a job, in one answer.
     *
     * @param query the query of the request, may be empty
     * @throws AssertionError if the answer is not whole and good
     */
    public List<String> rows(int port, String job, String query) {
        return rowsAt(port, "/v1/jobs/" + job + "/rows", job, query);
    }

    /** As {@link #rows}, of whatever has rows of the job at a path. */
    public List<String> rowsAt(int port, String path, String job, String query) {
        try (ChunkedResponse answer = askAt(port, path, query)) {
            byte[] body = answer.readAll();
            if (answer.status() != 200 || !answer.field("Content-Type").startsWith(mediaType)) {
                throw new AssertionError(
                        answer.status() + ": " + new String(body, StandardCharsets.UTF_8));
            }
            List<String> rows = rows(job, body);
            String count = answer.field(ROW_COUNT);
            if (!count.isEmpty() && Long.parseLong(count) != rows.size()) {
                throw new AssertionError(rows.size() + " rows, but " + count + " are told");
            }
            if (count.isEmpty() && (this == NDJSON || this == CSV)) {
                throw new AssertionError("the stream does not tell its number of rows");
            }
            return rows;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> rows(String job, byte[] body) {
        return switch (this) {
            case JSON -> JsonTexts.elements(utf8(body), "rows");
            case NDJSON -> lines(utf8(body));
            case CSV -> CsvRows.parse(utf8(body)).rows().stream().map(List::toString).toList();
            case ARROW -> ArrowRows.parse(body).rows().stream().map(List::toString).toList();
            case EVENTS -> eventRows(job, EventStreamParser.parse(utf8(body)));
        };
    }

    private static String utf8(byte[] body) {
        return new String(body, StandardCharsets.UTF_8);
    }

    private static List<String> lines(String text) {
        if (!text.isEmpty() && !text.endsWith("\n")) {
            throw new AssertionError("the last line has no end");
        }
        List<String> lines = new ArrayList<>();
        for (int from = 0; from < text.length(); ) {
            int end = text.indexOf('\n', from);
            lines.add(text.substring(from, end));
            from = end + 1;
        }
        // Strictly JSON, each of them.
        JsonTexts.elements("[" + String.join(",", lines) + "]");
        return lines;
    }

    /** The rows of a stream that came to its end, whose ids count its rows. */
    private static List<String> eventRows(String job, List<Event> events) {
        List<String> rows = new ArrayList<>();
        long next = -1;
        boolean ended = false;
        for (Event event : events) {
            if (ended) {
                throw new AssertionError(event + " follows the end");
            }
            switch (event.type()) {
                case "rows" -> {
                    List<String> of = JsonTexts.elements(event.data());
                    long row = nextRow(job, event);
                    if (next >= 0 && row != next + of.size()) {
                        throw new AssertionError(event + " does not follow row " + next);
                    }
                    next = row;
                    rows.addAll(of);
                }
                case "schema", "progress" -> {
                    if (event.id() != null) {
                        throw new AssertionError(event + " has an id");
                    }
                }
                case "end" -> {
                    if (!(job + ".end").equals(event.id())) {
                        throw new AssertionError(event + " ends nothing");
                    }
                    ended = true;
                }
                default -> throw new AssertionError("unexpected " + event);
            }
        }
        if (!ended) {
            throw new AssertionError("the stream has no end");
        }
        return rows;
    }

    /** The number of the row that comes after an event. */
    public static long nextRow(String job, Event event) {
        String id = event.id() == null ? "" : event.id();
        if (!id.startsWith(job + ".")) {
            throw new AssertionError(event + " has no id of job " + job);
        }
        return Long.parseLong(id.substring(job.length() + 1).replaceFirst("\\..*", ""));
    }
}
