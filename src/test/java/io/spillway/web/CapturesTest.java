package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.testing.Deliveries;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.Received;
import io.spillway.testing.Receiver;
import io.spillway.testing.Reply;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Columns out of the answers of an endpoint, and the datasets that come of them. */
class CapturesTest {

    private static final String JSON = "application/json";
    private static final JsonMapper MAPPER = new JsonMapper();

    /** The body that embedding endpoints want. */
    private static final Map<String, Object> INPUT =
            Map.of("model", "m", "input", Map.of("$column", "text"));

    @TempDir static Path folder;
    @TempDir Path home;

    private SpillwayServer.Builder service() {
        Path file = folder.resolve("docs.parquet");
        if (!Files.exists(file)) {
            var _ =
                    ParquetFiles.write(
                            file, "SELECT range AS id, 'text ' || range AS text FROM range(0, 50)");
        }
        return Deliveries.allowed(SpillwayServer.builder()).home(home).dataset("docs", file);
    }

    private static Map<String, Object> capture(String dataset) {
        return Map.of(
                "body",
                INPUT,
                "capture",
                Map.of(
                        "columns",
                        Map.of("embedding", "$.data[*].embedding"),
                        "keys",
                        List.of("id"),
                        "dataset",
                        dataset));
    }

    private static String job(SpillwayServer server) {
        return server.submit("{\"from\": {\"dataset\": \"docs\"}}");
    }

    /** Embeds a text: its number, and half of that. */
    private static Reply embedded(Received request) {
        List<String> data = new ArrayList<>();
        MAPPER.readTree(request.text())
                .required("input")
                .forEach(
                        text -> {
                            int number = number(text.stringValue());
                            data.add(
                                    "{\"index\": 0, \"embedding\": [%d, %s]}"
                                            .formatted(number, number / 2.0));
                        });
        return Reply.json("{\"data\": [" + String.join(",", data) + "]}");
    }

    private static int number(String text) {
        return Integer.parseInt(text.substring("text ".length()));
    }

    private static boolean has(Received request, int number) {
        return request.text().contains("\"text " + number + "\"");
    }

    /** Ids of a dataset, each checked to have its own embedding. */
    private static List<Long> ids(SpillwayServer server, String dataset) {
        return server.ndjson("{\"from\": {\"dataset\": \"" + dataset + "\"}}").stream()
                .map(
                        line -> {
                            JsonNode row = MAPPER.readTree(line);
                            long id = row.required("id").longValue();
                            assertThat(row.required("embedding").toString())
                                    .isEqualTo("[%d.0,%s]".formatted(id, id / 2.0));
                            return id;
                        })
                .toList();
    }

    private static List<Long> from(long first, long end) {
        return Stream.iterate(first, id -> id < end, id -> id + 1).toList();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(home.resolve("spool/captures"))) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void whatIsAnsweredBecomesADataset() throws Exception {
        try (SpillwayServer server = service().start();
                Receiver receiver = Receiver.start().by(CapturesTest::embedded)) {
            Deliveries deliveries = new Deliveries(server.http());
            JsonNode done =
                    deliveries.completed(job(server), receiver.uri("/"), 8, capture("embedded"));
            assertThat(done.required("capture").toString())
                    .isEqualTo("{\"dataset\":\"embedded\",\"rows\":50}");
            assertThat(ids(server, "embedded")).isEqualTo(from(0, 50));
            assertThat(
                            server.ndjson(
                                    """
                                    {"from": {"sql": "SELECT d.id, d.text, e.embedding FROM docs d JOIN embedded e ON d.id = e.id WHERE d.id = 7"}}
                                    """))
                    .containsExactly("{\"id\":7,\"text\":\"text 7\",\"embedding\":[7.0,3.5]}");
            await().untilAsserted(() -> assertThat(files()).as("no parts stay").hasSize(1));

            assertThat(server.http().get("/v1/datasets", JSON).text()).contains("\"embedded\"");
            JsonNode dataset =
                    MAPPER.readTree(server.http().get("/v1/datasets/embedded", JSON).text());
            assertThat(dataset.required("rows").longValue()).isEqualTo(50);
            assertThat(remove(server, "embedded", Map.of())).isEqualTo(204);
            assertThat(remove(server, "embedded", Map.of())).isEqualTo(404);
            assertThat(remove(server, "docs", Map.of())).isEqualTo(404);
            assertThat(files()).isEmpty();
            assertThat(server.http().get("/v1/datasets/embedded", JSON).status()).isEqualTo(404);
        }
    }

    private static int remove(SpillwayServer server, String name, Map<String, String> headers) {
        return server.http().call("DELETE", "/v1/datasets/" + name, headers, null).status();
    }

    @Test
    void aNameIsMadeUp() throws IOException {
        try (SpillwayServer server = service().start();
                Receiver receiver = Receiver.start().by(CapturesTest::embedded)) {
            JsonNode done =
                    new Deliveries(server.http())
                            .completed(
                                    job(server),
                                    receiver.uri("/"),
                                    50,
                                    Map.of(
                                            "body",
                                            INPUT,
                                            "capture",
                                            Map.of(
                                                    "columns",
                                                    Map.of("embedding", "$.data[*].embedding"),
                                                    "keys",
                                                    List.of("id"))));
            String name = "delivery-" + done.required("id").stringValue();
            assertThat(done.at("/capture/dataset").stringValue()).isEqualTo(name);
            assertThat(ids(server, name)).isEqualTo(from(0, 50));
        }
    }

    @Test
    void answersThatHaveNotWhatIsWantedAreDeadLettersAndAreCapturedWhenReplayed() throws Exception {
        AtomicBoolean well = new AtomicBoolean();
        try (SpillwayServer server = service().start();
                Receiver receiver =
                        Receiver.start()
                                .by(
                                        request ->
                                                well.get()
                                                        ? embedded(request)
                                                        : has(request, 10)
                                                                ? Reply.json(
                                                                        "{\"data\":"
                                                                                + " [{\"embedding\":"
                                                                                + " [1]}]}")
                                                                : has(request, 30)
                                                                        ? Reply.status(200)
                                                                                .body("<p>no</p>")
                                                                        : embedded(request))) {
            Deliveries deliveries = new Deliveries(server.http());
            String id = deliveries.begin(job(server), receiver.uri("/"), 10, capture("some"));
            deliveries.awaitState(id, "COMPLETED_WITH_FAILURES");
            assertThat(
                            deliveries.failures(id).stream()
                                    .map(f -> f.required("reason").stringValue()))
                    .containsExactly("capture-length", "response-not-json");
            assertThat(ids(server, "some"))
                    .isEqualTo(
                            from(0, 50).stream()
                                    .filter(row -> row / 10 != 1 && row / 10 != 3)
                                    .toList());
            int before = receiver.requests().size();

            well.set(true);
            deliveries.change(id, "replay", "{\"all\": true}");
            deliveries.awaitState(id, "COMPLETED");
            assertThat(ids(server, "some")).isEqualTo(from(0, 50));
            assertThat(receiver.requests()).as("no other is asked for again").hasSize(before + 2);
            await().untilAsserted(() -> assertThat(files()).hasSize(1));
        }
    }

    @Test
    void nothingIsAskedForTwiceAfterARestart() throws Exception {
        try (Receiver receiver = Receiver.start()) {
            receiver.by(request -> ((Reply.Plain) embedded(request)).after(Duration.ofMillis(20)));
            String id;
            try (SpillwayServer first = service().start()) {
                id =
                        new Deliveries(first.http())
                                .begin(job(first), receiver.uri("/"), 2, capture("late"));
                await().until(() -> receiver.requests().size() > 5);
            }
            assertThat(receiver.requests()).hasSizeLessThan(25);
            try (SpillwayServer second = service().start()) {
                new Deliveries(second.http()).awaitState(id, "COMPLETED");
                assertThat(ids(second, "late")).isEqualTo(from(0, 50));
            }
            assertThat(receiver.requests().stream().map(r -> r.header("idempotency-key")))
                    .hasSize(25)
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void aDatasetOfNothingIsOne() throws IOException {
        try (SpillwayServer server = service().start();
                Receiver receiver = Receiver.start()) {
            Deliveries deliveries = new Deliveries(server.http());
            String none =
                    server.submit(
                            "{\"from\": {\"dataset\": \"docs\"}, \"steps\": [{\"op\": \"filter\","
                                    + " \"where\": \"id < 0\"}]}");
            deliveries.completed(none, receiver.uri("/"), 10, capture("none"));
            assertThat(receiver.requests()).isEmpty();
            assertThat(ids(server, "none")).isEmpty();
            String refused = deliveries.begin(job(server), receiver.uri("/"), 25, capture("bad"));
            JsonNode done = deliveries.awaitState(refused, "COMPLETED_WITH_FAILURES");
            assertThat(done.at("/capture/rows").longValue()).isZero();
            assertThat(ids(server, "bad")).isEmpty();
            assertThat(remove(server, "bad", Map.of())).isEqualTo(204);

            receiver.by(CapturesTest::embedded);
            deliveries.change(refused, "replay", "{\"batches\": [25]}");
            deliveries.awaitState(refused, "COMPLETED_WITH_FAILURES");
            assertThat(ids(server, "bad")).as("it is there again").isEqualTo(from(25, 50));
        }
    }

    @Test
    void batchesOfAnyOrderAndCapsKeepTheOrderOfTheRows() throws IOException {
        AtomicInteger calls = new AtomicInteger();
        try (SpillwayServer server = service().start();
                Receiver receiver =
                        Receiver.start()
                                .by(
                                        request ->
                                                calls.incrementAndGet() % 3 == 0
                                                        ? Reply.status(503)
                                                        : embedded(request))) {
            Map<String, Object> more = new HashMap<>(capture("mixed"));
            more.put("order", "any");
            more.put("concurrency", 4);
            more.put("batch", Map.of("rows", 9, "maxBytes", 90));
            more.put("retry", Map.of("initialDelay", "10ms"));
            new Deliveries(server.http()).completed(job(server), receiver.uri("/"), 9, more);
            assertThat(ids(server, "mixed")).isEqualTo(from(0, 50));
        }
    }

    @Test
    void answersWaitUntilTheyCanBeWritten() throws Exception {
        Path inTheWay = Files.createDirectories(home.resolve("spool")).resolve("captures");
        Files.writeString(inTheWay, "no folder");
        try (SpillwayServer server = service().start();
                Receiver receiver = Receiver.start().by(CapturesTest::embedded)) {
            Deliveries deliveries = new Deliveries(server.http());
            String id = deliveries.begin(job(server), receiver.uri("/"), 5, capture("slow"));
            await().until(() -> receiver.requests().size() == 2);
            Thread.sleep(700);
            assertThat(receiver.requests())
                    .as("no more is asked for than may be unrecorded")
                    .hasSize(2);
            assertThat(deliveries.document(id).at("/progress/deliveredRows").longValue()).isZero();
            Files.delete(inTheWay);
            deliveries.awaitState(id, "COMPLETED");
            assertThat(ids(server, "slow")).isEqualTo(from(0, 50));
            assertThat(receiver.requests()).as("none is asked for again").hasSize(10);
        }
    }

    @Test
    void aDeliveryThatIsCanceledLeavesNothing() throws Exception {
        try (SpillwayServer server = service().start();
                Receiver receiver = Receiver.start()) {
            receiver.by(request -> has(request, 20) ? Reply.status(503) : embedded(request));
            Deliveries deliveries = new Deliveries(server.http());
            String id = deliveries.begin(job(server), receiver.uri("/"), 10, capture("never"));
            await().until(
                            () ->
                                    deliveries.document(id).at("/progress/deliveredRows").asInt()
                                            == 20);
            assertThat(files()).isNotEmpty();
            HttpAnswer taken = deliveries.ask(job(server), receiver.uri("/"), 10, capture("never"));
            assertThat(taken.status()).as("it is to be").isEqualTo(409);
            deliveries.change(id, "cancel", "");
            await().untilAsserted(() -> assertThat(files()).isEmpty());
            assertThat(server.http().get("/v1/datasets", JSON).text()).doesNotContain("never");
            receiver.by(CapturesTest::embedded);
            deliveries.completed(job(server), receiver.uri("/"), 10, capture("never"));
        }
    }

    @Test
    void namesThatAreTakenOrWrongAreToldBefore() throws IOException {
        try (SpillwayServer server = service().start();
                Receiver receiver = Receiver.start().by(CapturesTest::embedded)) {
            Deliveries deliveries = new Deliveries(server.http());
            String job = job(server);
            deliveries.completed(job, receiver.uri("/"), 50, capture("mine"));
            for (String name : List.of("docs", "mine")) {
                HttpAnswer answer = deliveries.ask(job, receiver.uri("/"), 50, capture(name));
                assertThat(answer.status()).as(answer.text()).isEqualTo(409);
                assertThat(answer.text())
                        .contains("dataset-exists", "\"pointer\":\"/capture/dataset\"");
            }
            HttpAnswer wrong = deliveries.ask(job, receiver.uri("/"), 50, capture("a/b"));
            assertThat(wrong.status()).isEqualTo(400);
            assertThat(wrong.text()).contains("\"pointer\":\"/capture/dataset\"");
            assertThat(receiver.requests()).hasSize(1);
        }
    }

    @Test
    void nobodyElseFindsIt() throws Exception {
        SpillwayServer.Builder guarded = service().set("spillway.security.mode", "api-key");
        int at = 0;
        for (String name : List.of("ann", "bob")) {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest((name + "-secret").getBytes(StandardCharsets.UTF_8));
            String key = "spillway.security.api-keys[" + at++ + "].";
            guarded.set(key + "name", name)
                    .set(key + "hash", "sha256:" + HexFormat.of().formatHex(hash));
        }
        try (SpillwayServer server = guarded.start();
                Receiver receiver = Receiver.start().by(CapturesTest::embedded)) {
            String body =
                    """
                    {"plan": {"from": {"dataset": "docs"}}, "target": {"url": "%s"},
                     "batch": {"rows": 25}, "body": {"input": {"$column": "text"}},
                     "capture": {"columns": {"embedding": "$.data[*].embedding"}, "keys": ["id"], "dataset": "secret"}}
                    """
                            .formatted(receiver.uri("/"));
            HttpAnswer made = server.http().call("POST", "/v1/deliveries", as("ann"), body);
            assertThat(made.status()).as(made.text()).isEqualTo(201);
            String path = made.header("Location").orElseThrow();
            await().until(
                            () ->
                                    server.http()
                                            .call("GET", path, as("ann"), null)
                                            .text()
                                            .contains("\"COMPLETED\""));
            String plan = "{\"plan\": {\"from\": {\"dataset\": \"secret\"}}}";
            assertThat(server.http().call("POST", "/v1/jobs", as("ann"), plan).status())
                    .isEqualTo(201);
            for (String jobs : List.of("/v1/jobs", "/v1/jobs?dryRun=true")) {
                HttpAnswer foreign = server.http().call("POST", jobs, as("bob"), plan);
                assertThat(foreign.status()).isEqualTo(400);
                assertThat(foreign.text()).contains("unknown-dataset");
            }
            assertThat(server.http().call("GET", "/v1/datasets", as("bob"), null).text())
                    .doesNotContain("secret");
            assertThat(server.http().call("GET", "/v1/datasets/secret", as("bob"), null).status())
                    .isEqualTo(404);
            assertThat(remove(server, "secret", as("bob"))).isEqualTo(404);
            assertThat(server.http().call("POST", "/v1/deliveries", as("bob"), body).status())
                    .as("a name of another owner is free")
                    .isEqualTo(201);
            assertThat(remove(server, "secret", as("ann"))).isEqualTo(204);
        }
    }

    private static Map<String, String> as(String name) {
        return Map.of("Content-Type", JSON, "X-API-Key", name + "-secret");
    }
}
