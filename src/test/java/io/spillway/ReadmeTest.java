package io.spillway;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.ShellPage;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The commands of README, run by a shell as they stand there, but for the port. */
class ReadmeTest {

    private static final JsonMapper MAPPER = new JsonMapper();

    private static SpillwayServer server;
    private static ShellPage page;

    @BeforeAll
    static void start() throws IOException {
        server = SpillwayServer.withSamples();
        page = new ShellPage("README.md", server.port());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void theFirstPlanGivesAPage() throws Exception {
        JsonNode page = MAPPER.readTree(ReadmeTest.page.run("destination =", ""));
        assertThat(page.get("rows")).hasSize(2);
        assertThat(page.get("rows").get(0).get("delay").intValue()).isGreaterThan(120);
        assertThat(page.get("rows").get(0).get("km").isNumber()).isTrue();
        assertThat(page.get("next").get("offset").intValue()).isEqualTo(2);
    }

    @Test
    void aJobIsPagedStreamedAndExplained() throws Exception {
        String job = MAPPER.readTree(page.run("/v1/jobs' ", "")).get("id").stringValue();
        List<String> answers = page.run("offset=1500000", job).lines().toList();
        // The page and the plan end without a line feed, so the stream's first line follows the
        // page's end.
        String text = String.join("\n", answers);
        assertThat(text)
                .startsWith("{\"schema\":")
                .contains("\"offset\":1500000,")
                .contains("\"rowCount\":3000000}");
        assertThat(text.substring(text.indexOf("\"rowCount\":3000000}")).lines()).hasSize(11);
        assertThat(text).contains("\"physicalPlan\":");
    }

    @Test
    void theCommandsThatStartAndTestAreTheOnesThatAreChecked() throws IOException {
        String gate = Files.readString(Path.of(".ci/run"));
        assertThat(gate).contains(page.block("spring-boot:run").strip());
        assertThat(page.block("mvn verify").strip()).isEqualTo("mvn verify");
        assertThat(gate).contains("mvn -B -ntp verify");
    }
}
