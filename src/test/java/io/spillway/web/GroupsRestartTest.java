package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.Groups;
import io.spillway.testing.SpillwayServer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Consumer groups outlive the process. */
class GroupsRestartTest {

    private static SpillwayServer.Builder server() {
        return SpillwayServer.builder()
                .dataset("flights", Path.of("samples/flights-3m.parquet").toAbsolutePath());
    }

    @Test
    void whatWasCommittedSurvivesARestart(@TempDir Path home) {
        String job;
        JsonNode open;
        JsonNode committed;
        try (SpillwayServer before = server().home(home).start()) {
            job = before.submit(
                            "{\"from\": {\"dataset\": \"flights\"}, \"steps\": [{\"op\": \"limit\","
                                    + " \"rows\": 53}]}");
            Groups group =
                    new Groups(before.http(), job, "workers").made("{\"batch\": {\"rows\": 10}}");
            List<JsonNode> leases = group.claim("ann", 3);
            committed = leases.get(1);
            group.commit(committed);
            open = leases.get(0);
        }
        try (SpillwayServer after = server().home(home).start()) {
            Groups group = new Groups(after.http(), job, "workers");
            JsonNode progress = group.document().required("progress");
            assertThat(progress.required("committedRows").intValue()).isEqualTo(10);
            assertThat(progress.required("committedRow").intValue()).isZero();
            assertThat(progress.required("leasedBatches").intValue()).isEqualTo(2);
            group.commit(committed);
            group.commit(open);
            assertThat(group.claim("bob", 1).getFirst().required("firstRow").intValue())
                    .isEqualTo(30);
            assertThat(group.document().at("/progress/committedRow").intValue()).isEqualTo(20);
        }
    }
}
