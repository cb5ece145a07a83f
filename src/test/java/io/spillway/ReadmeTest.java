package io.spillway;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.Deliveries;
import io.spillway.testing.Received;
import io.spillway.testing.Receiver;
import io.spillway.testing.Reply;
import io.spillway.testing.ShellPage;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The commands of README, run by a shell as they stand there, but for the port. */
class ReadmeTest {

    private static final JsonMapper MAPPER = new JsonMapper();

    private static SpillwayServer server;
    private static ShellPage page;
    private static Deliveries deliveries;

    @BeforeAll
    static void start() throws IOException {
        server =
                Deliveries.allowed(SpillwayServer.samples())
                        .set("spillway.secrets.embed", "sesame")
                        .set("spillway.secrets.aws-id", "id")
                        .set("spillway.secrets.aws-key", "key")
                        .start();
        page = new ShellPage("README.md", server.port());
        deliveries = new Deliveries(server.http());
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
    void anEndpointGetsEachNameOnceInBatchesOf96() throws Exception {
        try (Receiver endpoint = Receiver.start()) {
            endpoint.by(ReadmeTest::embeddings);
            String told = sent(endpoint, "https://api.example.com", "/v1/embeddings");
            deliveries.awaitState(id(told), "COMPLETED");

            List<Integer> sizes = new ArrayList<>();
            int names = 0;
            for (Received request : endpoint.requests()) {
                assertThat(request.header("authorization")).isEqualTo("Bearer sesame");
                sizes.add(MAPPER.readTree(request.text()).required("input").size());
                names += sizes.getLast();
            }
            assertThat(names).isEqualTo(3376);
            assertThat(
                            MAPPER.readTree(page.run("\"airport_embeddings\"}}}", ""))
                                    .get("rows")
                                    .toString())
                    .isEqualTo(
                            "[{\"iata\":\"00M\",\"embedding\":[7.0,0.5]},"
                                    + "{\"iata\":\"00R\",\"embedding\":[20.0,0.5]}]");
            assertThat(sizes).hasSize(36).filteredOn(n -> n != 96).containsExactly(16);
        }
    }

    /** What an endpoint of OpenAI's kind answers. */
    private static Reply embeddings(Received request) {
        ObjectNode answer = MAPPER.createObjectNode();
        ArrayNode data = answer.putArray("data");
        MAPPER.readTree(request.text())
                .required("input")
                .forEach(
                        name ->
                                data.addObject()
                                        .putArray("embedding")
                                        .add(name.stringValue().length())
                                        .add(0.5));
        return Reply.json(MAPPER.writeValueAsString(answer));
    }

    @Test
    void aTableGetsItsItemsBy25Signed() throws Exception {
        try (Receiver table = Receiver.start()) {
            table.always(Reply.json("{\"UnprocessedItems\": {}}"));
            String told = sent(table, "https://dynamodb.example.com", "BatchWriteItem");
            deliveries.awaitState(id(told), "COMPLETED");

            Set<String> ids = new HashSet<>();
            for (Received request : table.requests()) {
                assertThat(request.header("x-amz-target"))
                        .isEqualTo("DynamoDB_20120810.BatchWriteItem");
                assertThat(request.header("content-type")).isEqualTo("application/x-amz-json-1.0");
                assertThat(request.header("authorization"))
                        .startsWith("AWS4-HMAC-SHA256 Credential=id/")
                        .contains("/eu-central-1/dynamodb/aws4_request");
                JsonNode items = MAPPER.readTree(request.text()).at("/RequestItems/airports");
                assertThat(items.size()).isBetween(1, 25);
                items.forEach(
                        item -> {
                            assertThat(item.at("/PutRequest/Item/name/S").isString()).isTrue();
                            ids.add(item.at("/PutRequest/Item/id/S").stringValue());
                        });
            }
            assertThat(table.requests()).hasSize(136);
            assertThat(ids).hasSize(3376);
        }
    }

    private static String id(String document) {
        return MAPPER.readTree(document).required("id").stringValue();
    }

    /** What the command prints that sends to a server, of which this one takes the place. */
    private static String sent(Receiver receiver, String server, String command) throws Exception {
        return page.with(server, receiver.uri("").toString()).run(command, "");
    }

    @Test
    void theCommandsThatStartAndTestAreTheOnesThatAreChecked() throws IOException {
        String gate = Files.readString(Path.of(".ci/run"));
        assertThat(gate).contains(page.block("spring-boot:run").strip());
        assertThat(page.block("mvn verify").strip()).isEqualTo("mvn verify");
        assertThat(gate).contains("mvn -B -ntp verify");
    }
}
