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

/** The commands of docs/splits.md, run as they stand there, but for the port. */
class SplitsPageTest {

    private static final JsonMapper MAPPER = new JsonMapper();

    private static SpillwayServer server;
    private static ShellPage page;
    private static String job;

    @BeforeAll
    static void start() throws Exception {
        server = SpillwayServer.withSamples();
        page = new ShellPage("docs/splits.md", server.port());
        job = MAPPER.readTree(page.run("/v1/jobs' ", "")).get("id").stringValue();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aJobIsTakenApartWithoutBeingCounted() throws Exception {
        JsonNode splits = MAPPER.readTree(page.run("-d '{\"count\": 3}'\n", job)).get("splits");
        assertThat(splits).hasSize(3);
    }

    @Test
    void ranksGetAsManyBatchesEach() throws Exception {
        JsonNode answer = MAPPER.readTree(page.run("\"alignTo\": 96", job));
        long rows = answer.get("splits").get(0).get("rows").get("value").longValue();
        assertThat(rows % 96).isZero();
        for (JsonNode split : answer.get("splits")) {
            assertThat(split.get("rows").get("value").longValue()).isEqualTo(rows);
        }
        assertThat(answer.get("repeatedRows").longValue()).isBetween(0L, 4 * 96L);
    }

    @Test
    void aSplitIsReadFromAnyRowOn() throws IOException, InterruptedException {
        assertThat(page.run("/rows?format=ndjson", job).lines()).hasSize(3);
    }

    @Test
    void aSplitIsDivided() throws Exception {
        JsonNode divided = MAPPER.readTree(page.run(":divide", job));
        assertThat(divided.get("primary").get("rows").get("value").longValue()).isEqualTo(137);
        assertThat(divided.get("residual").get("token").stringValue()).isNotEmpty();
    }

    @Test
    void tasksOfManyProcessesReadAllRows() throws Exception {
        String rows = page.python("def splits", job);
        assertThat(rows.strip()).isEqualTo("" + server.lines(job, "format=ndjson").size());
    }
}
