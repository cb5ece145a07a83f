package io.spillway.tpch;

import io.spillway.testing.HttpAnswer;
import io.spillway.testing.SpillwayServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The service over a folder of TPC-H's tables, asked as its users do. */
final class TpchService implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final String JSON = "application/json";
    private static final JsonMapper MAPPER = new JsonMapper();

    private final SpillwayServer server;

    /**
     * Starts it.
     *
     * @param settings name and value, further ones after it
     */
    TpchService(Path data, String... settings) {
        SpillwayServer.Builder builder = SpillwayServer.builder();
        TpchData.settings(data).forEach(builder::set);
        for (int i = 0; i < settings.length; i += 2) {
            builder.set(settings[i], settings[i + 1]);
        }
        server = builder.start();
    }

    /**
     * What a query gave.
     *
     * @param types of its columns, by the names that the service gives them
     * @param lines its rows as NDJSON, rows as objects
     */
    record Result(List<String> types, List<String> lines) {}

    SpillwayServer server() {
        return server;
    }

    /**
     * Runs a query as a job, and lets it go again.
     *
     * @param memoryLimit of its job, in bytes
     */
    Result run(TpchQuery query, long memoryLimit) {
        JsonNode made = submit(query, memoryLimit);
        String job = made.required("id").stringValue();
        List<String> types =
                made.required("schema")
                        .valueStream()
                        .map(column -> column.required("type").stringValue())
                        .toList();
        try {
            awaitCount(query, job);
            return new Result(types, server.lines(job, "wait=60s"));
        } finally {
            server.http().call("DELETE", "/v1/jobs/" + job, Map.of(), null);
        }
    }

    private JsonNode submit(TpchQuery query, long memoryLimit) {
        ObjectNode body = MAPPER.createObjectNode();
        body.putObject("plan").putObject("from").put("sql", query.sql());
        body.putObject("options").put("memoryLimit", memoryLimit);
        HttpAnswer answer = server.http().post("/v1/jobs", JSON, MAPPER.writeValueAsString(body));
        return MAPPER.readTree(expect(query.toString(), 201, answer).text());
    }

    /** Answers of 202 say that it goes on. */
    private void awaitCount(TpchQuery query, String job) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        HttpAnswer answer;
        do {
            answer = server.http().post("/v1/jobs/" + job + ":count?wait=30s", JSON, "");
        } while (answer.status() == 202 && System.nanoTime() < deadline);
        expect(query.toString(), 200, answer);
    }

    private static HttpAnswer expect(String what, int status, HttpAnswer answer) {
        if (answer.status() != status) {
            throw new AssertionError(what + ": " + answer.status() + " " + answer.text());
        }
        return answer;
    }

    @Override
    public void close() {
        server.close();
    }
}
