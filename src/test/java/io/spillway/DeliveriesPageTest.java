package io.spillway;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.Deliveries;
import io.spillway.testing.Receiver;
import io.spillway.testing.Reply;
import io.spillway.testing.ShellPage;
import io.spillway.testing.SpillwayServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The commands of docs/deliveries.md, run by a shell as they stand there, but for the servers. */
class DeliveriesPageTest {

    private static final JsonMapper MAPPER = new JsonMapper();

    @Test
    void theCommandsSendWatchAndSendAgain() throws Exception {
        try (Receiver hook = Receiver.start();
                SpillwayServer server = Deliveries.allowed(SpillwayServer.samples()).start()) {
            ShellPage page =
                    new ShellPage("docs/deliveries.md", server.port())
                            .with("https://hooks.example.com", hook.uri("").toString());
            Deliveries deliveries = new Deliveries(server.http());
            hook.then(Reply.status(200), Reply.status(400));

            String id = MAPPER.readTree(page.run("/airports\"}", "")).required("id").stringValue();
            JsonNode ended = deliveries.awaitState(id, "COMPLETED_WITH_FAILURES");
            assertThat(hook.requests().stream().map(r -> MAPPER.readTree(r.text()).size()))
                    .containsExactly(100, 100, 50);

            Map<String, String> variables = Map.of("DELIVERY", id);
            assertThat(MAPPER.readTree(page.run(":replay", variables)).required("id").stringValue())
                    .isEqualTo(id);
            JsonNode whole = deliveries.awaitState(id, "COMPLETED");
            assertThat(ended.at("/progress/deliveredRows").longValue()).isEqualTo(150);
            assertThat(whole.at("/progress/deliveredRows").longValue()).isEqualTo(250);
            assertThat(hook.requests().get(3).body()).isEqualTo(hook.requests().get(1).body());

            List<String> told = page.run("/failures\"", variables).lines().toList();
            assertThat(String.join("", told)).contains("\"attempts\":", id);
        }
    }
}
