package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.ChunkedResponse;
import io.spillway.testing.EventStreamParser;
import io.spillway.testing.EventStreamParser.Event;
import io.spillway.testing.JsonTexts;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.RowForm;
import io.spillway.testing.SpillwayServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A reader that is cut off anywhere, and goes on behind the last row that it has whole, gets what a
 * reader gets that is never cut off, byte for byte: by offset, by cursor, by event id.
 */
@SuppressWarnings("NullAway.Init") // the server is there before all tests
class ResumeLawTest {

    private static final int ROWS = 10_000;
    private static final JsonMapper MAPPER = new JsonMapper();

    @TempDir static Path folder;

    private static SpillwayServer server;
    private static String job;

    @BeforeAll
    static void start() {
        Path file =
                ParquetFiles.write(
                        folder.resolve("rows.parquet"),
                        """
                        SELECT i AS id,
                            CASE i %% 5 WHEN 0 THEN NULL WHEN 1 THEN ''
                                ELSE 'a "row",' || chr(13) || chr(10) || 'größer ' || chr(8232) || repeat('x', (i %% 97)::INTEGER) END AS text,
                            i / 7.0 AS x
                        FROM range(%d) AS t(i)
                        """
                                .formatted(ROWS),
                        "ROW_GROUP_SIZE 2048");
        server = SpillwayServer.builder().dataset("rows", file).start();
        job = server.submit("{\"from\": {\"dataset\": \"rows\"}}");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** Where a reader is cut off. */
    private interface Cut {

        /**
         * @param bytes what has come so far
         * @param settled where the whole rows among them end
         * @return a position among them, or -1 to read on
         */
        int at(byte[] bytes, List<Integer> settled);

        /** After the first row of each connection, for so many connections; then never. */
        static Cut afterEachRow(int times) {
            int[] left = {times};
            return (bytes, settled) -> {
                if (settled.isEmpty() || left[0] == 0) {
                    return -1;
                }
                left[0]--;
                return settled.getFirst();
            };
        }

        /** After a random number of bytes, some of them less than a row. */
        static Cut random(long seed, int mostBytes) {
            Random random = new Random(seed);
            int[] next = {random.nextInt(mostBytes)};
            return (bytes, settled) -> {
                if (bytes.length < next[0]) {
                    return -1;
                }
                int at = next[0];
                next[0] = random.nextInt(mostBytes);
                return at;
            };
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NDJSON", "CSV"})
    void streamsJoin(RowForm form) throws IOException {
        byte[] whole = whole(form);
        assertThat(joined(form, Cut.afterEachRow(150))).isEqualTo(whole);
        assertThat(joined(form, Cut.random(1, whole.length / 50))).isEqualTo(whole);
    }

    @Test
    void eventsJoin() throws IOException {
        assertThat(joinedEvents(1, Cut.afterEachRow(150))).isEqualTo(joinedEvents(1, never()));
        List<Event> whole = joinedEvents(7, never());
        assertThat(joinedEvents(7, Cut.random(2, 20_000))).isEqualTo(whole);
        assertThat(whole.stream().flatMap(e -> JsonTexts.elements(e.data()).stream()))
                .isEqualTo(server.lines(job, ""));
    }

    @Test
    void pagesJoin() {
        assertThat(walked(200)).isEqualTo(server.lines(job, "limit=200"));
    }

    @ParameterizedTest
    @EnumSource(names = {"NDJSON", "CSV"})
    @Tag("long")
    void streamsJoinWhereverTheyAreCut(RowForm form) throws IOException {
        byte[] whole = whole(form);
        assertThat(joined(form, Cut.afterEachRow(ROWS))).isEqualTo(whole);
        for (int pass = 0; pass < 100; pass++) {
            assertThat(joined(form, Cut.random(pass, whole.length / 50)))
                    .as("seed %d", pass)
                    .isEqualTo(whole);
        }
    }

    @Test
    @Tag("long")
    void eventsJoinWhereverTheyAreCut() throws IOException {
        assertThat(joinedEvents(1, Cut.afterEachRow(ROWS))).isEqualTo(joinedEvents(1, never()));
        for (int pass = 0; pass < 100; pass++) {
            List<Event> whole = joinedEvents(pass + 1, never());
            assertThat(joinedEvents(pass + 1, Cut.random(pass, 20_000)))
                    .as("seed %d", pass)
                    .isEqualTo(whole);
        }
    }

    @Test
    @Tag("long")
    void pagesOfARowEachJoin() {
        assertThat(walked(ROWS)).isEqualTo(server.lines(job, ""));
    }

    private static Cut never() {
        return (bytes, settled) -> -1;
    }

    private static byte[] whole(RowForm form) throws IOException {
        try (ChunkedResponse answer = form.ask(server.port(), job, "")) {
            return answer.readAll();
        }
    }

    /** What a reader has in the end that goes on at the number of rows that it has whole. */
    private static byte[] joined(RowForm form, Cut cut) throws IOException {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        long row = 0;
        while (true) {
            ByteArrayOutputStream soFar = new ByteArrayOutputStream();
            try (ChunkedResponse answer = form.ask(server.port(), job, "offset=" + row)) {
                for (byte[] more = answer.next(); more.length > 0; more = answer.next()) {
                    soFar.writeBytes(more);
                    byte[] bytes = soFar.toByteArray();
                    int at = cut.at(bytes, rowEnds(form, bytes));
                    if (at >= 0) {
                        answer.reset();
                        soFar.reset();
                        soFar.write(bytes, 0, at);
                        break;
                    }
                }
                byte[] bytes = soFar.toByteArray();
                List<Integer> ends = rowEnds(form, bytes);
                int head = row == 0 ? 0 : head(form, bytes);
                int end = ends.isEmpty() ? head : ends.getLast();
                joined.write(bytes, head, end - head);
                row += ends.size();
                if (!answer.field("Spillway-Row-Count").isEmpty()) {
                    assertThat(row).isEqualTo(ROWS);
                    return joined.toByteArray();
                }
            }
            if (row == 0) {
                joined.reset();
            }
        }
    }

    /** Length of what stands before the first row; 0 if not even that is whole. */
    private static int head(RowForm form, byte[] bytes) {
        return form == RowForm.CSV ? indexAfterLine(bytes, 0) : 0;
    }

    /** Where each whole row ends. */
    private static List<Integer> rowEnds(RowForm form, byte[] bytes) {
        List<Integer> ends = new ArrayList<>();
        int from = head(form, bytes);
        if (form == RowForm.CSV && from == 0) {
            return ends;
        }
        for (int end = indexAfterLine(bytes, from); end > from; end = indexAfterLine(bytes, from)) {
            ends.add(end);
            from = end;
        }
        return ends;
    }

    /** The position after the line that starts at one, line feeds in quotes overlooked; else 0. */
    private static int indexAfterLine(byte[] bytes, int from) {
        boolean quoted = false;
        for (int i = from; i < bytes.length; i++) {
            // In NDJSON no line feed stands within quotes, escaped or not.
            quoted ^= bytes[i] == '"' && (i == 0 || bytes[i - 1] != '\\');
            if (bytes[i] == '\n' && !quoted) {
                return i + 1;
            }
        }
        return 0;
    }

    /** The events of rows that a browser has in the end. */
    private static List<Event> joinedEvents(int batch, Cut cut) throws IOException {
        List<Event> joined = new ArrayList<>();
        String last = null;
        while (true) {
            try (ChunkedResponse answer = events(batch, last)) {
                EventStreamParser parser = new EventStreamParser();
                ByteArrayOutputStream soFar = new ByteArrayOutputStream();
                int at = -1;
                for (byte[] more = answer.next(); at < 0 && more.length > 0; more = answer.next()) {
                    soFar.writeBytes(more);
                    at = cut.at(soFar.toByteArray(), eventEnds(soFar.toByteArray()));
                }
                byte[] bytes = soFar.toByteArray();
                List<Event> events = parser.feed(bytes, 0, at < 0 ? bytes.length : at);
                events.stream().filter(e -> e.type().equals("rows")).forEach(joined::add);
                if (!events.isEmpty() && events.getLast().type().equals("end")) {
                    return joined;
                }
                assertThat(at).as("the stream ended without an end").isNotNegative();
                answer.reset();
                last = parser.lastEventId().isEmpty() ? last : parser.lastEventId();
            }
        }
    }

    private static ChunkedResponse events(int batch, @Nullable String lastEventId)
            throws IOException {
        Map<String, String> headers = new HashMap<>(Map.of("Accept", "text/event-stream"));
        if (lastEventId != null) {
            headers.put("Last-Event-ID", lastEventId);
        }
        return ChunkedResponse.get(
                server.port(), "/v1/jobs/" + job + "/rows?batch=" + batch, headers);
    }

    /** Where each event that has an id ends. */
    private static List<Integer> eventEnds(byte[] bytes) {
        List<Integer> ends = new ArrayList<>();
        EventStreamParser parser = new EventStreamParser();
        for (int i = 0; i < Math.min(bytes.length, 4_096); i++) {
            if (parser.feed(bytes, i, i + 1).stream().anyMatch(e -> e.id() != null)) {
                ends.add(i + 1);
            }
        }
        return ends;
    }

    /** The rows of so many pages of one row each. */
    private static List<String> walked(int pages) {
        List<String> rows = new ArrayList<>();
        String at = "limit=1";
        for (int i = 0; i < pages; i++) {
            String page = server.page(job, at);
            rows.addAll(JsonTexts.elements(page, "rows"));
            JsonNode next = MAPPER.readTree(page).required("next");
            at = next.isNull() ? "" : "limit=1&cursor=" + next.required("cursor").stringValue();
        }
        assertThat(at.isEmpty()).isEqualTo(pages == ROWS);
        return rows;
    }
}
