package io.spillway.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Deliveries of a running service, as a client sees them. */
public final class Deliveries {

    private static final String JSON = "application/json";
    private static final JsonMapper MAPPER = new JsonMapper();

    /** No delivery of a test takes longer. */
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final HttpCaller http;

    public Deliveries(HttpCaller http) {
        this.http = http;
    }

    /** A setting that lets a service send to receivers of this machine. */
    public static SpillwayServer.Builder allowed(SpillwayServer.Builder server) {
        return server.set("spillway.delivery.allow-http", "true")
                .set("spillway.delivery.allowed-targets[0]", "127.0.0.0/8");
    }

    /**
     * The answer to a delivery, whatever its status.
     *
     * @param rows of a batch
     * @param more fields beside job, target and batch, or in their place
     */
    public HttpAnswer ask(String job, Object url, int rows, Map<String, ?> more) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("job", job);
        body.put("target", Map.of("url", url.toString()));
        body.put("batch", Map.of("rows", rows));
        body.putAll(more);
        return post("/v1/deliveries", MAPPER.writeValueAsString(body));
    }

    /** A call that has a body. */
    public HttpAnswer post(String path, String body) {
        return http.post(path, JSON, body);
    }

    /** Begins a delivery; gives its id. */
    public String begin(String job, Object url, int rows, Map<String, ?> more) {
        HttpAnswer answer = ask(job, url, rows, more);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return MAPPER.readTree(answer.text()).required("id").stringValue();
    }

    /** Any document of a delivery. */
    public JsonNode document(String path) {
        HttpAnswer answer = http.get("/v1/deliveries/" + path, JSON);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return MAPPER.readTree(answer.text());
    }

    /** What a call does to a delivery, as its document tells it. */
    public JsonNode change(String id, String verb, String body) {
        HttpAnswer answer = post("/v1/deliveries/" + id + ":" + verb, body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return MAPPER.readTree(answer.text());
    }

    /** A delivery's state. */
    public String state(String id) {
        return document(id).required("state").stringValue();
    }

    /** A delivery's document once it is in a state. */
    public JsonNode awaitState(String id, String state) {
        await().atMost(LONGEST)
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> assertThat(state(id)).isEqualTo(state));
        return document(id);
    }

    /** Delivers, and fails unless all is delivered. */
    public JsonNode completed(String job, Object url, int rows, Map<String, ?> more) {
        return awaitState(begin(job, url, rows, more), "COMPLETED");
    }

    /** A delivery's dead letters. */
    public List<JsonNode> failures(String id) {
        List<JsonNode> failures = new ArrayList<>();
        document(id + "/failures").required("failures").forEach(failures::add);
        return failures;
    }

    /** A delivery's attempts, the first one first. */
    public List<JsonNode> attempts(String id) {
        List<JsonNode> attempts = new ArrayList<>();
        document(id + "/attempts?limit=1000").required("attempts").forEach(attempts::addFirst);
        return attempts;
    }
}
