package io.spillway;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.Contract;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples of the page on plans, run as they stand there, and as the contract has them. */
class PlansPageTest {

    private static SpillwayServer server;
    private static Path data;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        data = Files.createDirectory(folder.toRealPath().resolve("orders"));
        ParquetFiles.write(
                data.resolve("orders.parquet"),
                "SELECT i AS id, ['Lisboa', 'Porto', NULL][1 + i % 3] AS city, i * 1.5::DOUBLE AS"
                        + " price, CASE WHEN i = 2 THEN NULL ELSE ['gift', 'red', 'blue'][1:i % 4] END"
                        + " AS tags FROM range(8) r(i)");
        server =
                SpillwayServer.builder()
                        .root(data)
                        .dataset("orders", data.resolve("orders.parquet"))
                        .start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** Every example as a plan; a step alone goes over the dataset. */
    static List<String> examples() throws IOException {
        List<String> plans = new ArrayList<>();
        Stream<String> blocks =
                Pattern.compile("```json\n(.*?)```", Pattern.DOTALL)
                        .matcher(Files.readString(Path.of("docs", "plans.md")))
                        .results()
                        .map(match -> match.group(1));
        for (String block : blocks.toList()) {
            if (block.startsWith("{\"from\"")) {
                plans.add(block);
            } else {
                block.lines()
                        .map("{\"from\": {\"dataset\": \"orders\"}, \"steps\": [%s]}"::formatted)
                        .forEach(plans::add);
            }
        }
        return plans;
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyExampleGivesRows(String plan) {
        String here = plan.replace("/data/orders", data.toString());
        assertThat(server.ndjson(here)).isNotEmpty();
        assertThat(new Contract().faults("Plan", plan)).isEmpty();
    }

    @Test
    void everyStepAndSourceHasAnExample() throws IOException {
        String all = String.join("\n", examples());
        List<String> steps =
                Pattern.compile("(?m)^ {10}(\\w+): '#/components/schemas/\\w+Step'$")
                        .matcher(Files.readString(Contract.FILE))
                        .results()
                        .map((MatchResult match) -> match.group(1))
                        .toList();
        assertThat(steps).hasSizeGreaterThan(10);
        for (String step : steps) {
            assertThat(all).contains("\"op\": \"" + step + "\"");
        }
        assertThat(all).contains("\"dataset\"", "\"files\"", "\"values\"", "\"sql\"");
    }
}
