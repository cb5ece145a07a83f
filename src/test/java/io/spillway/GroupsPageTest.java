package io.spillway;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import io.spillway.testing.Groups;
import io.spillway.testing.ShellPage;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The commands and the worker of docs/groups.md, run as they stand there, but for the port. */
class GroupsPageTest {

    private static final Path PAGE = Path.of("docs", "groups.md");
    private static final Pattern WORKER = Pattern.compile("```python\n(.*?)```", Pattern.DOTALL);
    private static final JsonMapper MAPPER = new JsonMapper();

    private static SpillwayServer server;
    private static ShellPage page;

    @BeforeAll
    static void start() throws Exception {
        server = SpillwayServer.withSamples();
        page = new ShellPage(PAGE.toString(), server.port());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String job() {
        return server.submit(
                "{\"from\": {\"dataset\": \"flights\"}, \"steps\": [{\"op\": \"limit\", \"rows\":"
                        + " 2500}]}");
    }

    @Test
    void theCommandsShareAJob() throws Exception {
        String job = job();
        JsonNode made = MAPPER.readTree(page.run("{\"rows\": 96}", job));
        assertThat(made.at("/batch/rows").intValue()).isEqualTo(96);
        JsonNode leases = MAPPER.readTree(page.run("worker-7", job)).required("leases");
        assertThat(leases.size()).isEqualTo(2);
        String lease = leases.get(0).required("lease").stringValue();
        JsonNode renewed = MAPPER.readTree(page.run(":renew", Map.of("LEASE", lease)));
        assertThat(renewed.required("expiresAt").stringValue())
                .isGreaterThan(leases.get(0).required("expiresAt").stringValue());
        assertThat(page.run(":commit", Map.of("LEASE", lease))).isEqualTo("204\n");
        Groups group = new Groups(server.http(), job, "embed");
        JsonNode told = MAPPER.readTree(page.run("groups/embed\"\n", job));
        assertThat(told).isEqualTo(group.document());
        assertThat(told.at("/progress/committedRow").intValue()).isEqualTo(96);
        JsonNode reset = MAPPER.readTree(page.run(":reset", job));
        assertThat(reset.at("/progress/nextRow").intValue()).isEqualTo(192);
        assertThat(MAPPER.readTree(page.run("8KiB", job)).at("/batch/maxBytes").intValue())
                .isEqualTo(8192);
        JsonNode capped = new Groups(server.http(), job, "capped").claim("ann", 1).getFirst();
        assertThat(capped.required("shortReason").stringValue()).isIn("bytes", "weight");
    }

    @Test
    void theWorkersShareAJob(@TempDir Path folder) throws Exception {
        String job = job();
        Matcher worker = WORKER.matcher(Files.readString(PAGE));
        assertThat(worker.find()).isTrue();
        Path script = Files.writeString(folder.resolve("worker.py"), worker.group(1));
        List<Process> workers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            workers.add(start(script, "worker-" + i, job));
        }
        Map<Long, Long> batches = new TreeMap<>();
        long distance = 0;
        for (Process process : workers) {
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(output).isZero();
            for (String line : output.lines().toList()) {
                List<String> words = Splitter.on(' ').splitToList(line);
                batches.put(Long.parseLong(words.get(0)), Long.parseLong(words.get(1)));
                distance += Long.parseLong(words.get(2));
            }
        }
        assertThat(batches).hasSize(27);
        assertThat(batches.values().stream().mapToLong(rows -> rows).sum()).isEqualTo(2_500);
        assertThat(distance)
                .isEqualTo(
                        server.lines(job, "").stream()
                                .mapToLong(
                                        row ->
                                                MAPPER.readTree(row)
                                                        .required("distance")
                                                        .longValue())
                                .sum());
    }

    private static Process start(Path script, String name, String job) throws IOException {
        ProcessBuilder python = new ProcessBuilder("python3", script.toString(), name);
        python.environment().put("SPILLWAY", server.url());
        python.environment().put("JOB", job);
        return python.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }
}
