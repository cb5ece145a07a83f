package io.spillway;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The commands of README, run by a shell as they stand there, but for the port. */
class ReadmeTest {

    private static final JsonMapper MAPPER = new JsonMapper();

    private static SpillwayServer server;
    private static List<String> blocks;

    @BeforeAll
    static void start() throws IOException {
        server = SpillwayServer.withSamples();
        Matcher fenced =
                Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL)
                        .matcher(Files.readString(Path.of("README.md")));
        blocks = fenced.results().map(match -> match.group(1)).toList();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** The one block that has a text in it. */
    private static String block(String text) {
        List<String> found = blocks.stream().filter(block -> block.contains(text)).toList();
        assertThat(found).as("blocks with " + text).hasSize(1);
        return found.getFirst();
    }

    private static String run(String commands, String job) throws Exception {
        ProcessBuilder shell =
                new ProcessBuilder(
                        "bash",
                        "-euc",
                        commands.replace("localhost:8080", "localhost:" + server.port()));
        shell.environment().put("JOB", job);
        shell.redirectError(ProcessBuilder.Redirect.INHERIT);
        Process process = shell.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }

    @Test
    void theFirstPlanGivesAPage() throws Exception {
        JsonNode page = MAPPER.readTree(run(block("destination ="), ""));
        assertThat(page.get("rows")).hasSize(2);
        assertThat(page.get("rows").get(0).get("delay").intValue()).isGreaterThan(120);
        assertThat(page.get("rows").get(0).get("km").isNumber()).isTrue();
        assertThat(page.get("next").get("offset").intValue()).isEqualTo(2);
    }

    @Test
    void aJobIsPagedStreamedAndExplained() throws Exception {
        String job = MAPPER.readTree(run(block("/v1/jobs' "), "")).get("id").stringValue();
        List<String> answers = run(block("offset=1500000"), job).lines().toList();
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
        assertThat(gate).contains(block("spring-boot:run").strip());
        assertThat(block("mvn verify").strip()).isEqualTo("mvn verify");
        assertThat(gate).contains("mvn -B -ntp verify");
    }
}
