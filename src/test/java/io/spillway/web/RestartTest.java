package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.SpillwayServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Jobs belong to their owners and outlive the process. */
class RestartTest {

    private static final String JSON = "application/json";
    private static final JsonMapper MAPPER = new JsonMapper();

    @TempDir Path home;

    private SpillwayServer.Builder service() {
        return SpillwayServer.builder()
                .home(home)
                .dataset("flights", Path.of("samples/flights-3m.parquet").toAbsolutePath());
    }

    @Test
    void aRestartLosesNoJobAndACursorFromBeforeGoesOn() {
        String plan =
                "{\"from\": {\"dataset\": \"flights\"}, \"steps\": [{\"op\": \"filter\", \"where\": \"delay > 300\"}]}";
        String job;
        String href;
        String page;
        String document;
        try (SpillwayServer before = service().start()) {
            job = before.submit(plan);
            href =
                    MAPPER.readTree(before.page(job, "limit=50"))
                            .get("next")
                            .get("href")
                            .stringValue();
            page = before.http().get(href, JSON).text();
            document = before.http().get("/v1/jobs/" + job, JSON).text();
        }
        try (SpillwayServer after = service().start()) {
            assertThat(after.http().get(href, JSON).text()).isEqualTo(page);
            JsonNode found = MAPPER.readTree(after.http().get("/v1/jobs", JSON).text()).get("jobs");
            assertThat(found).hasSize(1);
            assertThat(found.get(0).get("snapshot"))
                    .isEqualTo(MAPPER.readTree(document).get("snapshot"));
            assertThat(after.http().get("/v1/jobs/" + job + "/plan", JSON).text())
                    .contains("delay");
        }
    }

    @Test
    void aJobDoesNotExistForAnybodyButItsOwner() {
        try (SpillwayServer server =
                service()
                        .set("spillway.security.mode", "api-key")
                        .set("spillway.security.api-keys[0].name", "alice")
                        .set(
                                "spillway.security.api-keys[0].hash",
                                "sha256:" + sha256("alice-secret"))
                        .set("spillway.security.api-keys[1].name", "bob")
                        .set("spillway.security.api-keys[1].hash", "sha256:" + sha256("bob-secret"))
                        .start()) {
            Map<String, String> alice =
                    Map.of("X-API-Key", "alice-secret", "Content-Type", JSON, "Accept", JSON);
            Map<String, String> bob =
                    Map.of("X-API-Key", "bob-secret", "Content-Type", JSON, "Accept", JSON);
            HttpAnswer made =
                    server.http()
                            .call(
                                    "POST",
                                    "/v1/jobs",
                                    alice,
                                    "{\"plan\": {\"from\": {\"dataset\": \"flights\"}}}");
            assertThat(made.status()).as(made.text()).isEqualTo(201);
            String path = made.header("Location").orElseThrow();

            for (String call :
                    List.of(
                            "GET " + path,
                            "GET " + path + "/rows",
                            "GET " + path + "/plan",
                            "DELETE " + path,
                            "POST " + path + ":renew")) {
                List<String> words = Splitter.on(' ').splitToList(call);
                HttpAnswer hidden =
                        server.http()
                                .call(
                                        words.get(0),
                                        words.get(1),
                                        bob,
                                        words.get(0).equals("POST") ? "{}" : null);
                assertThat(hidden.status()).as(call).isEqualTo(404);
                assertThat(hidden.text()).contains("unknown-job");
            }
            assertThat(server.http().call("GET", "/v1/jobs", bob, null).text())
                    .contains("\"jobs\":[]");
            assertThat(server.http().call("GET", path + "/rows?limit=1", alice, null).status())
                    .isEqualTo(200);
            assertThat(server.http().get(path, JSON).status()).isEqualTo(401);
            HttpAnswer renewed =
                    server.http().call("POST", path + ":renew", alice, "{\"ttl\": \"48h\"}");
            assertThat(renewed.status()).as(renewed.text()).isEqualTo(200);
        }
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(
                            MessageDigest.getInstance("SHA-256")
                                    .digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
