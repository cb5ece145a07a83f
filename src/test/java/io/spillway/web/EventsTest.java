package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.EventStream;
import io.spillway.testing.EventStreamParser.Event;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.SpillwayServer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** State and progress of a job as events. */
class EventsTest {

    private static final JsonMapper MAPPER = new JsonMapper();
    private static final String LATE =
            "{\"from\": {\"dataset\": \"flights\"}, \"steps\": [{\"op\": \"filter\", \"where\":"
                    + " \"delay > 60\"}]}";

    private static SpillwayServer server;

    @BeforeAll
    static void start() {
        server =
                SpillwayServer.builder()
                        .dataset("flights", Path.of("samples/flights-3m.parquet").toAbsolutePath())
                        .start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String events(String job) {
        return "/v1/jobs/" + job + "/events";
    }

    @Test
    void whatBecomesOfAJobIsToldUntilItsEnd() throws Exception {
        String job = server.submit(LATE);
        String end;
        try (EventStream stream = EventStream.open(server.port(), events(job), null)) {
            assertThat(stream.next("state").data()).isEqualTo("{\"state\":\"READY\"}");
            JsonNode first = MAPPER.readTree(stream.next("progress").data());
            assertThat(first.get("rowCountKnown").booleanValue()).isFalse();
            assertThat(first.at("/progress/spilled").longValue()).isZero();

            long rows =
                    MAPPER.readTree(
                                    server.http()
                                            .post(
                                                    "/v1/jobs/" + job + ":count",
                                                    "application/json",
                                                    "")
                                            .text())
                            .get("rowCount")
                            .longValue();
            JsonNode progress;
            do {
                progress = MAPPER.readTree(stream.next("progress").data());
            } while (!progress.get("rowCountKnown").booleanValue());
            assertThat(progress.get("rowCount").longValue()).isEqualTo(rows);

            server.http().call("DELETE", "/v1/jobs/" + job, Map.of(), null);
            Event last = stream.next("end");
            assertThat(last.data()).isEqualTo("{\"state\":\"CANCELED\"}");
            end = last.lastEventId();
            assertThat(stream.next()).isNull();
        }
        HttpAnswer again =
                server.http()
                        .call(
                                "GET",
                                events(job),
                                Map.of("Accept", "text/event-stream", "Last-Event-ID", end),
                                null);
        assertThat(again.status()).isEqualTo(204);
        try (EventStream late = EventStream.open(server.port(), events(job), null)) {
            assertThat(late.next("end").data()).isEqualTo("{\"state\":\"CANCELED\"}");
        }
    }

    @Test
    void wrongRequestsAreRefused() {
        String job = server.submit(LATE);
        assertThat(server.http().get(events("none"), "text/event-stream").status()).isEqualTo(404);
        assertThat(server.http().get(events(job), "image/png").status()).isEqualTo(406);
        assertThat(
                        server.http()
                                .call(
                                        "GET",
                                        events(job),
                                        Map.of(
                                                "Accept",
                                                "text/event-stream",
                                                "Last-Event-ID",
                                                "other.end"),
                                        null)
                                .status())
                .isEqualTo(400);
    }

    @Test
    void aJobThatExpiresSaysSo() throws Exception {
        HttpAnswer made =
                server.http()
                        .post(
                                "/v1/jobs",
                                "application/json",
                                "{\"plan\": " + LATE + ", \"options\": {\"ttl\": \"2s\"}}");
        String job = MAPPER.readTree(made.text()).get("id").stringValue();
        try (EventStream stream = EventStream.open(server.port(), events(job), null)) {
            assertThat(stream.next("end").data()).isEqualTo("{\"state\":\"EXPIRED\"}");
        }
    }
}
