package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.spillway.job.JobManager;
import io.spillway.memory.MemoryPool;
import io.spillway.testing.ChunkedResponse;
import io.spillway.testing.EventStream;
import io.spillway.testing.EventStreamParser.Event;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.RawCall;
import io.spillway.testing.RowForm;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Server-sent events: what is in the data cannot become anything else, a reader resumes exactly
 * where it was, and a reader that is gone is noticed.
 */
@SuppressWarnings("NullAway.Init") // the server is there before all tests
class EventCasesTest {

    private static final String EVENTS = "text/event-stream";
    private static final Duration SOON = Duration.ofSeconds(2);
    private static final JsonMapper MAPPER = new JsonMapper();

    @TempDir static Path folder;

    private static SpillwayServer server;
    private static String thousand;
    private static String millions;

    @BeforeAll
    static void start() {
        server =
                SpillwayServer.builder()
                        .dataset(
                                "thousand",
                                ParquetFiles.write(
                                        folder.resolve("thousand.parquet"),
                                        "SELECT range AS id, 'row ' || range AS text FROM"
                                                + " range(1000)"))
                        .dataset(
                                "millions",
                                ParquetFiles.write(
                                        folder.resolve("millions.parquet"),
                                        "SELECT range AS id, 'some text' AS text FROM"
                                                + " range(5000000)"))
                        .set("spillway.limits.stall", "3s")
                        .set("spillway.events.heartbeat", "1s")
                        .start();
        thousand = server.submit("{\"from\": {\"dataset\": \"thousand\"}}");
        millions = server.submit("{\"from\": {\"dataset\": \"millions\"}}");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void everythingIsGivenBack() {
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(
                        () -> {
                            assertThat(server.bean("jobManager", JobManager.class).readers())
                                    .isZero();
                            MemoryPool memory = server.bean("memory", MemoryPool.class);
                            assertThat(memory.held()).isZero();
                            assertThat(memory.seated()).isZero();
                        });
    }

    private static String rows(String job, String query) {
        return "/v1/jobs/" + job + "/rows" + (query.isEmpty() ? "" : "?" + query);
    }

    private static List<Long> ids(List<Event> events) {
        List<Long> ids = new ArrayList<>();
        events.stream()
                .filter(e -> e.type().equals("rows"))
                .forEach(
                        e ->
                                MAPPER.readTree(e.data())
                                        .forEach(r -> ids.add(r.get("id").longValue())));
        return ids;
    }

    private static JsonNode problem(int status, String target, String lastEventId)
            throws IOException {
        try (ChunkedResponse answer =
                ChunkedResponse.get(
                        server.port(),
                        target,
                        Map.of("Accept", EVENTS, "Last-Event-ID", lastEventId))) {
            String text = answer.text();
            assertThat(answer.status()).as(text).isEqualTo(status);
            assertThat(answer.field("Content-Type")).startsWith("application/problem+json");
            return MAPPER.readTree(text);
        }
    }

    @Test
    void whatIsInTheDataIsNothingElse() throws IOException {
        String evil = "a\\r\\nevent: evil\\rid: 999\\n\\ndata: x\\u2028y\\u0000z";
        String job =
                server.submit(
                        "{\"from\": {\"values\": {\"columns\": [\"t\"], \"rows\": [[\""
                                + evil
                                + "\"]]}}}");
        try (EventStream stream = EventStream.open(server.port(), rows(job, ""), null)) {
            List<Event> events = stream.rest();
            assertThat(events).extracting(Event::type).containsOnlyOnce("rows", "end");
            assertThat(events).extracting(Event::type).doesNotContain("evil", "message");
            Event row =
                    events.stream().filter(e -> e.type().equals("rows")).findFirst().orElseThrow();
            assertThat(MAPPER.readTree(row.data()).get(0).get("t").stringValue())
                    .isEqualTo("a\r\nevent: evil\rid: 999\n\ndata: x\u2028y\0z");
            assertThat(RowForm.nextRow(job, row)).isEqualTo(1);
            assertThat(stream.parser().lastEventId()).isEqualTo(job + ".end");
        }
    }

    @Test
    void aReaderResumesAtTheRowAfterTheLastThatItSaw() throws IOException {
        String target = rows(thousand, "batch=1");
        List<Event> seen = new ArrayList<>();
        try (EventStream stream = EventStream.open(server.port(), target, null)) {
            for (int i = 0; i < 417; i++) {
                seen.add(stream.next("rows"));
            }
            stream.reset();
        }
        String id = seen.getLast().lastEventId();
        for (int i = 0; i < 2; i++) {
            // Cut again before there was any event.
            EventStream.open(server.port(), target, id).reset();
        }
        try (EventStream stream = EventStream.open(server.port(), target, id)) {
            Event next = stream.next("rows");
            assertThat(ids(List.of(next))).containsExactly(417L);
            seen.add(next);
            seen.addAll(stream.rest());
        }
        assertThat(ids(seen)).hasSize(1000).isSorted().doesNotHaveDuplicates();
        String last =
                seen.stream().filter(e -> e.type().equals("rows")).toList().getLast().lastEventId();
        try (EventStream stream = EventStream.open(server.port(), target, last)) {
            List<Event> rest = stream.rest();
            assertThat(ids(rest)).isEmpty();
            assertThat(rest.getLast().type()).isEqualTo("end");
            assertThat(rest.getLast().id()).isEqualTo(thousand + ".end");
            assertThat(MAPPER.readTree(rest.getLast().data()).get("rowCount").longValue())
                    .isEqualTo(1000);
        }
        try (ChunkedResponse over =
                ChunkedResponse.get(
                        server.port(),
                        target,
                        Map.of("Accept", EVENTS, "Last-Event-ID", thousand + ".end"))) {
            assertThat(over.status()).isEqualTo(204);
            assertThat(over.readAll()).isEmpty();
        }
    }

    @Test
    void anIdThatIsNoneOfThisJobIsRefused() throws IOException {
        String foreign;
        String own;
        try (EventStream of = EventStream.open(server.port(), rows(millions, ""), null)) {
            foreign = of.next("rows").lastEventId();
        }
        try (EventStream of = EventStream.open(server.port(), rows(thousand, ""), null)) {
            own = of.next("rows").lastEventId();
        }
        String moved = own.replaceFirst("\\.(\\d+)\\.", ".$10.");
        String damaged = own.substring(0, own.length() - 1) + (own.endsWith("0") ? "1" : "0");
        for (String id :
                List.of(
                        "garbage",
                        "417",
                        thousand,
                        thousand + ".",
                        thousand + ".417",
                        thousand + ".-1.00000000",
                        thousand + ".99999999999999999999.00000000",
                        millions + ".end",
                        foreign,
                        moved,
                        damaged)) {
            JsonNode problem = problem(400, rows(thousand, ""), id);
            assertThat(problem.get("code").stringValue()).as(id).isEqualTo("invalid-event-id");
        }
        try (EventStream fresh = EventStream.open(server.port(), rows(thousand, "batch=1"), "")) {
            assertThat(ids(List.of(fresh.next("rows")))).containsExactly(0L);
        }
    }

    @Test
    void anIdBeatsTheOffsetAndTheLimitFixesTheLastRow() throws IOException {
        String target = rows(thousand, "offset=100&limit=50&batch=20");
        List<Event> seen = new ArrayList<>();
        try (EventStream stream = EventStream.open(server.port(), target, null)) {
            seen.add(stream.next("rows"));
            stream.reset();
        }
        try (EventStream stream =
                EventStream.open(server.port(), target, seen.getLast().lastEventId())) {
            seen.addAll(stream.rest());
        }
        assertThat(ids(seen)).hasSize(50).startsWith(100L).endsWith(149L).doesNotHaveDuplicates();
        assertThat(seen.getLast().type()).isEqualTo("end");
    }

    @Test
    void aStreamOfANewJobResumesAtItsOwnRows() throws IOException {
        String body = "{\"plan\": {\"from\": {\"dataset\": \"thousand\"}}}";
        ChunkedResponse answer =
                ChunkedResponse.post(server.port(), "/v1/rows?batch=10", EVENTS, body);
        try (EventStream stream = EventStream.open(answer)) {
            assertThat(stream.header("X-Accel-Buffering")).isEqualTo("no");
            String id = stream.next("rows").lastEventId();
            String location = stream.header("Content-Location");
            try (EventStream resumed =
                    EventStream.open(server.port(), location + "?batch=10", id)) {
                assertThat(ids(List.of(resumed.next("rows")))).startsWith(10L);
                assertThat(resumed.parser().retry()).isPresent();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"batch=0", "batch=-1", "batch=10001", "batch=x", "limit=x"})
    void sizesThatAreNoneAreRefused(String query) throws IOException {
        JsonNode problem = problem(400, rows(thousand, query), "");
        assertThat(problem.get("parameter").stringValue())
                .isEqualTo(query.substring(0, query.indexOf('=')));
    }

    @Test
    void aReaderThatIsGoneStopsTheWork() throws Exception {
        EventStream stream = EventStream.open(server.port(), rows(millions, ""), null);
        for (int i = 0; i < 3; i++) {
            stream.next("rows");
        }
        assertThat(server.bean("jobManager", JobManager.class).readers()).isEqualTo(1);
        stream.reset();
        await().atMost(SOON)
                .untilAsserted(
                        () ->
                                assertThat(server.bean("jobManager", JobManager.class).readers())
                                        .isZero());
        double decoded = decoded();
        Thread.sleep(300);
        assertThat(decoded()).isEqualTo(decoded);
    }

    @Test
    void readersThatComeAndGoLeaveNothing() {
        Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());
        for (int i = 0; i < 200; i++) {
            new RawCall(server.port(), rows(millions, "offset=" + i * 20_000), EVENTS, 1 << 14)
                    .reset();
        }
        everythingIsGivenBack();
        Set<Thread> after = new HashSet<>(Thread.getAllStackTraces().keySet());
        after.removeAll(before);
        assertThat(after).hasSizeLessThan(30);
    }

    /** As one whose machine has lost its network: neither bytes nor an end come from it. */
    @Test
    void aReaderThatTakesNothingIsCutOffAndMayComeBack() throws Exception {
        String id;
        try (EventStream stream = EventStream.open(server.port(), rows(millions, ""), null)) {
            id = stream.next("rows").lastEventId();
            await().atMost(Duration.ofSeconds(10))
                    .untilAsserted(
                            () ->
                                    assertThat(
                                                    server.bean("jobManager", JobManager.class)
                                                            .readers())
                                            .isZero());
        }
        try (EventStream back = EventStream.open(server.port(), rows(millions, "batch=1"), id)) {
            assertThat(ids(List.of(back.next("rows"))))
                    .containsExactly(Long.parseLong(id.split("\\.", -1)[1]));
        }
    }

    private static double decoded() {
        return server
                .bean("prometheusMeterRegistry", MeterRegistry.class)
                .find("spillway.scan.decoded")
                .meters()
                .stream()
                .flatMap(
                        m ->
                                java.util.stream.StreamSupport.stream(
                                        m.measure().spliterator(), false))
                .mapToDouble(io.micrometer.core.instrument.Measurement::getValue)
                .sum();
    }
}
