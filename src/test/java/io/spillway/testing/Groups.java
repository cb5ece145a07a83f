package io.spillway.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A consumer group of a running service, as its readers see it. Thread-safe. */
public final class Groups {

    private static final String JSON = "application/json";
    private static final JsonMapper MAPPER = new JsonMapper();

    private final HttpCaller http;
    private final String path;

    /**
     * A group that may be there or not.
     *
     * @param http calls against the service
     */
    public Groups(HttpCaller http, String job, String name) {
        this.http = http;
        this.path = "/v1/jobs/" + job + "/groups/" + name;
    }

    /** The answer to a PUT, whatever its status. */
    public HttpAnswer put(String body) {
        return http.call(
                "PUT",
                path,
                Map.of("Accept", JSON, "Content-Type", JSON),
                body);
    }

    /** Makes it, and fails if that fails. */
    public Groups made(String body) {
        HttpAnswer answer = put(body);
        assertThat(answer.status()).as(answer.text()).isIn(200, 201);
        return this;
    }

    /** Its document. */
    public JsonNode document() {
        HttpAnswer answer = http.get(path, JSON);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return MAPPER.readTree(answer.text());
    }

    /** The answer to a claim, whatever its status. */
    public HttpAnswer ask(String reader, int batches, String query) {
        return http.post(
                path + ":claim" + query,
                JSON,
                "{\"reader\": \"%s\", \"batches\": %d}".formatted(reader, batches));
    }

    /** Leases, one at least. */
    public List<JsonNode> claim(String reader, int batches) {
        HttpAnswer answer = ask(reader, batches, "");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return leases(answer);
    }

    /** The leases of an answer that is a 200. */
    public static List<JsonNode> leases(HttpAnswer answer) {
        return MAPPER.readTree(answer.text()).required("leases").valueStream().toList();
    }

    /** The answer to what a holder does: {@code renew}, {@code commit}, {@code release}. */
    public HttpAnswer use(JsonNode lease, String action) {
        return http.post(
                "/v1/leases/" + lease.required("lease").stringValue() + ":" + action, JSON, "");
    }

    /** Commits, and fails if that does not count. */
    public void commit(JsonNode lease) {
        HttpAnswer answer = use(lease, "commit");
        assertThat(answer.status()).as(answer.text()).isEqualTo(204);
    }

    /** The answer to a reset. */
    public HttpAnswer reset(long row) {
        return http.post(path + ":reset", JSON, "{\"row\": %d}".formatted(row));
    }

    /** The answer with a batch's rows, one a line. */
    public HttpAnswer askRows(JsonNode lease) {
        return http.get(lease.required("rows").stringValue(), "application/x-ndjson");
    }

    /** A batch's rows, one a line. */
    public List<String> rows(JsonNode lease) {
        HttpAnswer answer = askRows(lease);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.text().lines().toList();
    }
}
