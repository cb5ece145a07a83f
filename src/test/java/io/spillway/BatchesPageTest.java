package io.spillway;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.ShellPage;
import io.spillway.testing.SpillwayServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The commands of docs/batches.md, run by a shell as they stand there, but for the port. */
class BatchesPageTest {

    private static final JsonMapper MAPPER = new JsonMapper();

    private static SpillwayServer server;
    private static ShellPage page;
    private static String job;

    @TempDir Path folder;

    @BeforeAll
    static void start() throws Exception {
        server = SpillwayServer.withSamples();
        page = new ShellPage("docs/batches.md", server.port());
        job = MAPPER.readTree(page.run("/v1/jobs' ", "")).get("id").stringValue();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static List<JsonNode> batches(String block) throws Exception {
        return page.run(block, job).lines().map(MAPPER::readTree).toList();
    }

    private static int rows(List<JsonNode> batches) {
        return batches.stream().mapToInt(batch -> batch.get("rows").size()).sum();
    }

    @Test
    void allBatchesButTheLastAreFull() throws Exception {
        List<JsonNode> batches = batches("batches?size=100\"\n");
        assertThat(batches.subList(0, batches.size() - 1))
                .allSatisfy(batch -> assertThat(batch.get("rows")).hasSize(100));
        assertThat(batches("from=2")).isEqualTo(batches.subList(2, batches.size()));
        assertThat(rows(batches("order=any"))).isEqualTo(rows(batches));
    }

    @Test
    void whatIsLeftOutIsTold() throws Exception {
        assertThat(run("dropLast=true"))
                .contains(
                        "Trailer: Spillway-Row-Count, Spillway-Batch-Count, Spillway-Dropped-Rows")
                .containsPattern("Spillway-Dropped-Rows: [0-9]+");
    }

    @Test
    void capsCloseBatches() throws Exception {
        assertThat(batches("maxBytes=2000"))
                .first()
                .satisfies(b -> assertThat(b.get("shortReason").stringValue()).isEqualTo("bytes"));
        assertThat(batches("weight=distance"))
                .first()
                .satisfies(
                        b -> {
                            assertThat(b.get("firstRow").intValue()).isEqualTo(100);
                            assertThat(b.get("shortReason").stringValue()).isEqualTo("weight");
                        });
    }

    @Test
    void oneBatchMayBeKept() throws Exception {
        assertThat(page.run("batches/2?size=100", job))
                .contains("200 OK", "ETag: \"", "\"batch\":2");
    }

    @Test
    void aRankHasItsSteps() throws Exception {
        assertThat(page.run("WORLD_SIZE=2", job))
                .contains("rank 0: a step over ", "{\"batch\":0", "{\"batch\":2")
                .doesNotContain("{\"batch\":1,");
    }

    @Test
    void aSubmissionGoesOnWhereItWasCut() throws Exception {
        int rows = rows(batches("batches?size=100\"\n"));
        assertThat(run("next-row"))
                .startsWith("sent rows 0 to 95\n")
                .endsWith(" to %d\n".formatted(rows - 1));
        assertThat(run("next-row")).isEmpty();
    }

    /** In a folder of its own, where the commands may write. */
    private String run(String block) throws Exception {
        return page.run(block, Map.of("JOB", job), folder);
    }
}
