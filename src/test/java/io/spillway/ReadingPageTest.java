package io.spillway;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.ShellPage;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The commands of docs/reading.md, run by a shell as they stand there, but for the port. */
class ReadingPageTest {

    private static final JsonMapper MAPPER = new JsonMapper();

    private static SpillwayServer server;
    private static ShellPage page;
    private static String job;

    @BeforeAll
    static void start() throws Exception {
        server = SpillwayServer.withSamples();
        page = new ShellPage("docs/reading.md", server.port());
        job = MAPPER.readTree(page.run("/v1/jobs' ", "")).get("id").stringValue();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void rowsComeAsCsv() throws Exception {
        assertThat(page.run("format=csv", job).lines())
                .hasSize(4)
                .first()
                .isEqualTo("date,delay,distance,origin,destination");
    }

    @Test
    void aPageStartsWhereItIsToldTo() throws Exception {
        JsonNode rows = MAPPER.readTree(page.run("offset=100", job));
        assertThat(rows.get("offset").intValue()).isEqualTo(100);
        assertThat(rows.get("rows")).hasSize(2);
        assertThat(rows.get("next").get("offset").intValue()).isEqualTo(102);
    }

    @Test
    void aCountTellsTheNumberOfRows() throws Exception {
        assertThat(MAPPER.readTree(page.run(":count", job)).get("rowCount").intValue())
                .isEqualTo(streamed());
    }

    private static long streamed() throws IOException, InterruptedException {
        Process curl =
                new ProcessBuilder(
                                "curl",
                                "-s",
                                "http://localhost:%d/v1/jobs/%s/rows?format=ndjson"
                                        .formatted(server.port(), job))
                        .start();
        try (var lines = curl.inputReader()) {
            long count = lines.lines().count();
            assertThat(curl.waitFor()).isZero();
            return count;
        }
    }

    @Test
    void eventsComeInBatchesUpToTheEnd() throws Exception {
        String events = page.run("batch=2", job);
        assertThat(events.lines().filter("event: rows"::equals)).hasSize(2);
        assertThat(events).contains("event: schema\n", "event: end\n", "id: " + job + ".end\n");
    }

    @Test
    void aTicketIsGivenForTheJobsStreams() throws IOException, InterruptedException {
        JsonNode ticket = MAPPER.readTree(page.run(":ticket", job));
        assertThat(ticket.get("ticket").stringValue()).isNotEmpty();
        assertThat(ticket.get("expiresAt").stringValue()).isNotEmpty();
    }
}
