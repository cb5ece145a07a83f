package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.testing.Deliveries;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.Receiver;
import io.spillway.testing.Reply;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deliveries of services that stop and start again, and of several callers. */
class DeliveriesRestartTest {

    private static final String JSON = "application/json";

    @TempDir Path home;

    private static SpillwayServer.Builder service() {
        return Deliveries.allowed(SpillwayServer.builder())
                .dataset("flights", Path.of("samples/flights-3m.parquet").toAbsolutePath());
    }

    @Test
    void aDeliveryOfSomebodyElseIsNone() throws Exception {
        SpillwayServer.Builder guarded = service().set("spillway.security.mode", "api-key");
        int at = 0;
        for (String name : List.of("ann", "bob")) {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest((name + "-secret").getBytes(StandardCharsets.UTF_8));
            guarded.set("spillway.security.api-keys[" + at + "].name", name)
                    .set(
                            "spillway.security.api-keys[" + at++ + "].hash",
                            "sha256:" + HexFormat.of().formatHex(hash));
        }
        try (SpillwayServer both = guarded.start();
                Receiver receiver = Receiver.start()) {
            HttpAnswer made =
                    both.http()
                            .call(
                                    "POST",
                                    "/v1/deliveries",
                                    as("ann"),
                                    """
                                    {"plan": {"from": {"dataset": "flights"}, "steps": [{"op": "limit", "rows": 9}]},
                                     "target": {"url": "%s"}, "batch": {"rows": 3}}
                                    """
                                            .formatted(receiver.uri("/")));
            assertThat(made.status()).as(made.text()).isEqualTo(201);
            String path = made.header("Location").orElseThrow();
            for (String call :
                    List.of(
                            "GET ",
                            "GET /failures",
                            "GET /attempts",
                            "GET /events",
                            "POST :pause",
                            "POST :resume",
                            "POST :cancel",
                            "POST :replay")) {
                String method = call.substring(0, call.indexOf(' '));
                String rest = call.substring(call.indexOf(' ') + 1);
                HttpAnswer foreign =
                        both.http()
                                .call(
                                        method,
                                        path + rest,
                                        as("bob"),
                                        method.equals("GET") ? null : "{\"all\": true}");
                assertThat(foreign.status()).as(call).isEqualTo(404);
            }
            assertThat(both.http().call("GET", path, as("ann"), null).status()).isEqualTo(200);
            assertThat(both.http().call("GET", "/v1/deliveries", as("bob"), null).text())
                    .contains("\"deliveries\":[]");
        }
    }

    private static Map<String, String> as(String name) {
        return Map.of("Content-Type", JSON, "X-API-Key", name + "-secret");
    }

    @Test
    void aDeliveryGoesOnAfterARestart() throws IOException {
        try (Receiver receiver = Receiver.start()) {
            receiver.always(Reply.status(200).after(Duration.ofMillis(20)));
            String id;
            try (SpillwayServer first = service().home(home).start()) {
                String job =
                        first.submit(
                                "{\"from\": {\"dataset\": \"flights\"}, \"steps\": [{\"op\":"
                                        + " \"limit\", \"rows\": 100}]}");
                id = new Deliveries(first.http()).begin(job, receiver.uri("/"), 2, Map.of());
                await().until(() -> receiver.requests().size() > 5);
            }
            int before = receiver.requests().size();
            assertThat(before).isLessThan(50);
            try (SpillwayServer second = service().home(home).start()) {
                new Deliveries(second.http()).awaitState(id, "COMPLETED");
            }
            assertThat(receiver.requests().stream().map(r -> r.header("idempotency-key")))
                    .as("nothing was under way when it stopped")
                    .hasSize(50)
                    .doesNotHaveDuplicates();
        }
    }
}
