package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.testing.Deliveries;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.Received;
import io.spillway.testing.Receiver;
import io.spillway.testing.Reply;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Deliveries that may not be, and deliveries that disturb nobody. */
class DeliveryFaultsTest {

    private static final JsonMapper MAPPER = new JsonMapper();

    private static SpillwayServer server;
    private static Deliveries deliveries;

    @BeforeAll
    static void start() {
        server = service().set("spillway.delivery.public-url", "http://127.0.0.1:1/").start();
        deliveries = new Deliveries(server.http());
    }

    private static SpillwayServer.Builder service() {
        return Deliveries.allowed(SpillwayServer.builder())
                .dataset("flights", Path.of("samples/flights-3m.parquet").toAbsolutePath())
                .set("spillway.secrets.token", "sesame")
                .set("spillway.delivery.max-concurrency", "16");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String flights(int rows) {
        return server.submit(
                "{\"from\": {\"dataset\": \"flights\"}, \"steps\": [{\"op\": \"limit\", \"rows\": %d}]}"
                        .formatted(rows));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{'url': 'http://10.0.0.1/'} | | target-not-allowed | /target/url",
                "{'url': 'http://[::ffff:10.0.0.1]/'} | | target-not-allowed | /target/url",
                "{'url': 'http://0x0a000001/'} | | target-not-allowed | /target/url",
                "{'url': 'file:///etc/passwd'} | | target-not-allowed | /target/url",
                "{'url': 'http://user:pass@127.0.0.1/'} | | target-not-allowed | /target/url",
                "{'url': 'http://127.0.0.1/', 'headers': {'Authorization': 'Bearer x'}} | |"
                        + " invalid-plan | /target/headers/Authorization",
                "{'url': 'http://127.0.0.1/', 'headers': {'Authorization': 'Bearer {secret:none}'}}"
                        + " | | unknown-secret | /target/headers/Authorization",
                "{'url': 'http://127.0.0.1/', 'headers': {'Host': 'x'}} | | invalid-plan |"
                        + " /target/headers/Host",
                "{'url': 'http://127.0.0.1/', 'headers': {'webhook-id': 'x'}} | | invalid-plan |"
                        + " /target/headers/webhook-id",
                "{'url': 'http://127.0.0.1/', 'authentication': {'type': 'bearer', 'token': 'x'}} |"
                        + " | invalid-plan | /target/authentication/token",
                "{'url': 'http://127.0.0.1/', 'authentication': {'type': 'digest'}} | |"
                        + " invalid-plan | /target/authentication/type",
                "{'url': 'http://127.0.0.1/', 'authentication': {'type': 'webhook', 'secret':"
                        + " '{secret:none}'}} | | unknown-secret | /target/authentication",
                "{'url': 'http://127.0.0.1/', 'method': 'GET'} | | invalid-plan | /target/method",
                "{'url': 'http://127.0.0.1/'} | 'body': {'a': {'$column': 'dely'}} | unknown-column"
                        + " | /body/a/$column",
                "{'url': 'http://127.0.0.1/'} | 'body': {'a': {'$row': '*'}} | invalid-plan |"
                        + " /body/a",
                "{'url': 'http://127.0.0.1/'} | 'concurrency': 17 | invalid-plan | /concurrency",
                "{'url': 'http://127.0.0.1/'} | 'order': 'some' | invalid-plan | /order",
                "{'url': 'http://127.0.0.1/'} | 'rate': {'requestsPerSecond': 0} | invalid-plan |"
                        + " /rate/requestsPerSecond",
                "{'url': 'http://127.0.0.1/'} | 'retry': {'timeout': '0s'} | invalid-plan |"
                        + " /retry/timeout",
                "{'url': 'http://127.0.0.1/'} | 'retries': {} | invalid-plan | /retries",
                "{'url': 'http://127.0.0.1/'} | 'batch': {'rows': 0} | invalid-plan | /batch/rows",
                "{'url': 'http://127.0.0.1/'} | 'batch': {'rows': 3, 'weight': {'column': 'dely',"
                        + " 'max': 3}} | unknown-column | /batch/weight/column",
                "{'url': 'http://127.0.0.1/'} | 'job': 'none' | unknown-job | /job"
            })
    void whatMayNotBeIsToldWithItsPlace(String target, String more, String code, String pointer) {
        String job = flights(10);
        StringBuilder body = new StringBuilder("{'target': ").append(target);
        String rest = more == null ? "" : more;
        body.append(rest.contains("'job'") ? "" : ", 'job': '" + job + "'");
        body.append(rest.contains("'batch'") ? "" : ", 'batch': {'rows': 10}");
        body.append(rest.isEmpty() ? "" : ", " + rest).append('}');
        HttpAnswer answer = deliveries.post("/v1/deliveries", body.toString().replace('\'', '"'));
        JsonNode problem = MAPPER.readTree(answer.text());
        assertThat(problem.required("code").stringValue()).as(answer.text()).isEqualTo(code);
        assertThat(problem.required("pointer").stringValue()).as(answer.text()).startsWith(pointer);
        assertThat(answer.text()).doesNotContain("sesame");
    }

    /** The others end as fast as they do alone, and nothing is read ahead for the slow one. */
    @Test
    void aSlowEndpointHoldsUpNobody() throws IOException {
        try (Receiver slow = Receiver.start();
                Receiver fast = Receiver.start()) {
            slow.always(Reply.never());
            String stuck =
                    deliveries.begin(
                            flights(2_000),
                            slow.uri("/"),
                            10,
                            Map.of("concurrency", 4, "retry", Map.of("timeout", "60s")));
            await().until(() -> slow.requests().size() == 4);
            List<String> others = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                others.add(deliveries.begin(flights(2_000), fast.uri("/"), 10, Map.of()));
            }
            others.forEach(id -> deliveries.awaitState(id, "COMPLETED"));
            assertThat(fast.requests()).hasSize(1_000);
            assertThat(slow.requests()).hasSize(4);
            JsonNode progress = deliveries.document(stuck).required("progress");
            assertThat(progress.required("attempts").longValue()).isZero();
            deliveries.change(stuck, "cancel", "");
        }
    }

    @Test
    void receiversFetchWhatALinkLeadsTo() throws IOException {
        try (Receiver receiver = Receiver.start()) {
            deliveries.completed(
                    flights(25),
                    receiver.uri("/"),
                    10,
                    Map.of("body", Map.of("link", Map.of("$batch", "link"))));
            List<String> lines = new ArrayList<>();
            for (Received request : receiver.requests()) {
                String link = MAPPER.readTree(request.text()).required("link").stringValue();
                assertThat(link).startsWith("http://127.0.0.1:1/v1/links/");
                HttpAnswer rows =
                        server.http()
                                .get(link.substring(link.indexOf("/v1/")), "application/x-ndjson");
                assertThat(rows.status()).as(rows.text()).isEqualTo(200);
                rows.text().lines().forEach(lines::add);
            }
            assertThat(lines).hasSize(25).doesNotHaveDuplicates();
            assertThat(server.http().get("/v1/links/none", "*/*").status()).isEqualTo(404);
        }
    }

    @Test
    void whoWatchesSeesTheEnd() throws IOException {
        try (Receiver receiver = Receiver.start()) {
            receiver.then(Reply.status(400));
            String id = deliveries.begin(flights(30), receiver.uri("/"), 10, Map.of());
            HttpAnswer events =
                    server.http().get("/v1/deliveries/" + id + "/events", "text/event-stream");
            assertThat(events.status()).isEqualTo(200);
            assertThat(events.text())
                    .contains("event: state", "event: progress", "event: end")
                    .contains("COMPLETED_WITH_FAILURES")
                    .contains("\"failedBatches\":1");
        }
    }
}
