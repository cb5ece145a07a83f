package io.spillway;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.Exports;
import io.spillway.testing.ShellPage;
import io.spillway.testing.SpillwayServer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The commands of docs/exports.md, run by a shell as they stand there, but for the port. */
class ExportsPageTest {

    private static final JsonMapper MAPPER = new JsonMapper();

    @Test
    void theCommandsExport(@TempDir Path out) throws Exception {
        try (SpillwayServer server =
                SpillwayServer.builder()
                        .dataset("flights", Path.of("samples/flights-3m.parquet").toAbsolutePath())
                        .set("spillway.exports.roots[0]", out.toString())
                        .start()) {
            ShellPage page = new ShellPage("docs/exports.md", server.port());
            Exports exports = new Exports(server.http());
            String job =
                    server.submit(
                            "{\"from\": {\"dataset\": \"flights\"}, \"steps\": [{\"op\": \"limit\","
                                    + " \"rows\": 2500}]}");
            Map<String, String> variables = Map.of("JOB", job, "OUT", out.toString());

            String file = id(page.run("/delays.parquet", variables));
            assertThat(exports.ended(file).required("state").stringValue()).isEqualTo("COMPLETED");
            JsonNode told = MAPPER.readTree(page.run("curl -s \"", Map.of("EXPORT", file)));
            assertThat(told).isEqualTo(exports.document(file));

            String folder = id(page.run("maxFileRows", variables));
            assertThat(exports.ended(folder).required("files").size()).isEqualTo(3);
            assertThat(page.run("-X DELETE", Map.of("EXPORT", folder))).isEqualTo("204\n");
            assertThat(Exports.tree(out))
                    .containsExactly(
                            "delays",
                            "delays.parquet",
                            "delays/_SUCCESS",
                            "delays/part-00000.parquet",
                            "delays/part-00001.parquet",
                            "delays/part-00002.parquet");
        }
    }

    private static String id(String answer) {
        return MAPPER.readTree(answer).required("id").stringValue();
    }
}
