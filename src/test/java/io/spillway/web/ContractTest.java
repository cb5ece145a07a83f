package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.cursor.BatchLink;
import io.spillway.cursor.KeyRing;
import io.spillway.cursor.LeaseRef;
import io.spillway.cursor.LeaseToken;
import io.spillway.cursor.LinkToken;
import io.spillway.cursor.Split;
import io.spillway.cursor.SplitToken;
import io.spillway.error.ErrorCode;
import io.spillway.testing.Contract;
import io.spillway.testing.Deliveries;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.Receiver;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The contract and the service, held against each other in both directions: every documented answer
 * is provoked and checked, and nothing is mapped that is not documented.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ContractTest {

    private static final String JSON = "application/json";
    private static final String NDJSON = "application/x-ndjson";
    private static final String KEY =
            "c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00";
    private static final String FLIGHTS =
            "{\"plan\":{\"from\":{\"dataset\":\"flights\"},\"steps\":[{\"op\":\"limit\",\"rows\":2500}]}}";

    private static final String GROUP = "{\"batch\": {\"rows\": 1000}}";

    private static final String LARGE = "{\"plan\":\"" + "x".repeat(100_000) + "\"}";
    private static final Map<String, String> KEYLESS =
            Map.of("Content-Type", JSON, "X-API-Key", "wrong");
    private static final Map<String, String> PICTURES =
            Map.of("Content-Type", JSON, "Accept", "image/png");
    private static final Map<String, String> TEXT = Map.of("Content-Type", "text/csv");

    /** Faults of the machine, which a test of a healthy one cannot ask for. */
    private static final Set<Integer> NOT_PROVOKED = Set.of(500, 503);

    private final Contract contract = new Contract();
    private final JsonMapper mapper = new JsonMapper();

    @TempDir static Path folder;
    private @Nullable SpillwayServer running;
    private @Nullable SpillwayServer guarded;
    private static @Nullable Receiver receiver;

    @BeforeAll
    void start() throws IOException, NoSuchAlgorithmException {
        receiver = Receiver.start();
        Path samples = Path.of("samples").toAbsolutePath();
        Files.copy(samples.resolve("airports.parquet"), folder.resolve("changing.parquet"));
        Files.write(
                folder.resolve("torn.parquet"),
                Arrays.copyOf(Files.readAllBytes(samples.resolve("airports.parquet")), 5_000));
        running =
                Deliveries.allowed(SpillwayServer.builder())
                        .root(samples)
                        .root(folder)
                        .dataset("flights", samples.resolve("flights-3m.parquet"))
                        .dataset("birdstrikes", samples.resolve("birdstrikes.parquet"))
                        .dataset("changing", folder.resolve("changing.parquet"))
                        .dataset("torn", folder.resolve("torn.parquet"))
                        .set("spillway.exports.roots[0]", folder.resolve("exports").toString())
                        .set("spillway.limits.body", "64KB")
                        .set("spillway.limits.plan.bytes", "32KB")
                        .start();
        String hash =
                HexFormat.of()
                        .formatHex(
                                MessageDigest.getInstance("SHA-256")
                                        .digest(KEY.getBytes(StandardCharsets.UTF_8)));
        guarded =
                Deliveries.allowed(SpillwayServer.builder())
                        .dataset("flights", samples.resolve("flights-3m.parquet"))
                        .set("spillway.security.mode", "api-key")
                        .set("spillway.security.api-keys[0].name", "test")
                        .set("spillway.security.api-keys[0].hash", "sha256:" + hash)
                        .set("spillway.jobs.max-open", "1")
                        .set("spillway.exports.roots[0]", folder.resolve("exports").toString())
                        .set("spillway.exports.max-open", "0")
                        .set("spillway.delivery.max-open", "0")
                        .set("spillway.groups.max-per-job", "1")
                        .start();
    }

    @AfterAll
    void stop() throws IOException {
        if (receiver != null) {
            receiver.close();
        }
        for (SpillwayServer server : Arrays.asList(running, guarded)) {
            if (server != null) {
                server.close();
            }
        }
    }

    private static <T> T started(@Nullable T server) {
        if (server == null) {
            throw new AssertionError("the server did not start");
        }
        return server;
    }

    /** Calls, asserts the status, and holds the answer against the contract. */
    private HttpAnswer exchange(
            int status,
            SpillwayServer server,
            String method,
            String path,
            Map<String, String> headers,
            @Nullable String body) {
        HttpAnswer answer = server.http().call(method, path, headers, body);
        assertThat(answer.status()).as("%s %s: %s", method, path, answer.text()).isEqualTo(status);
        contract.check(method, path, answer);
        return answer;
    }

    private HttpAnswer get(int status, String path, String accept) {
        return exchange(status, started(running), "GET", path, Map.of("Accept", accept), null);
    }

    private HttpAnswer post(int status, String path, String body) {
        return exchange(status, started(running), "POST", path, Map.of("Content-Type", JSON), body);
    }

    private String jobOf(HttpAnswer answer) {
        return json(answer).required("id").stringValue();
    }

    private JsonNode json(HttpAnswer answer) {
        return mapper.readTree(answer.text());
    }

    private String submit(String body) {
        return jobOf(post(201, "/v1/jobs", body));
    }

    private String canceled() {
        String job = submit(FLIGHTS);
        exchange(204, started(running), "DELETE", "/v1/jobs/" + job, Map.of(), null);
        return job;
    }

    @Test
    void jobsAreSubmittedOnceAndExplainedWithoutBeing() {
        Map<String, String> headers = Map.of("Content-Type", JSON, "Idempotency-Key", "one");
        SpillwayServer server = started(running);
        HttpAnswer first = exchange(201, server, "POST", "/v1/jobs", headers, FLIGHTS);
        HttpAnswer again = exchange(200, server, "POST", "/v1/jobs", headers, FLIGHTS);
        assertThat(jobOf(again)).isEqualTo(jobOf(first));
        assertThat(first.header("Location")).contains("/v1/jobs/" + jobOf(first));
        exchange(
                422,
                server,
                "POST",
                "/v1/jobs",
                headers,
                "{\"plan\":{\"from\":{\"dataset\":\"flights\"}}}");

        JsonNode dry = json(post(200, "/v1/jobs?dryRun=true", FLIGHTS));
        assertThat(contract.faults("DryRun", dry.toString())).isEmpty();
        assertThat(dry.required("rowCount").longValue()).isEqualTo(2500);

        JsonNode plan = json(get(200, "/v1/jobs/" + jobOf(first) + "/plan", JSON));
        assertThat(plan.required("physicalPlan")).isEqualTo(dry.at("/plan/physicalPlan"));
        assertThat(plan.required("physical")).isEqualTo(dry.at("/plan/physical"));
    }

    @Test
    void jobsAreListedInPages() {
        submit(FLIGHTS);
        String last = submit(FLIGHTS);
        JsonNode list = json(get(200, "/v1/jobs?limit=1", JSON));
        assertThat(list.at("/jobs/0/id").stringValue()).isEqualTo(last);
        String next = list.required("next").stringValue();
        JsonNode more = json(get(200, "/v1/jobs?limit=1&before=" + next, JSON));
        assertThat(more.at("/jobs/0/id").stringValue()).isNotEqualTo(last);
        get(400, "/v1/jobs?limit=0", JSON);
    }

    @Test
    void jobsAreRenewedAndCanceled() {
        String job = submit(FLIGHTS);
        get(200, "/v1/jobs/" + job, JSON);
        post(200, "/v1/jobs/" + job + ":renew", "{\"ttl\":\"48h\"}");
        exchange(200, started(running), "POST", "/v1/jobs/" + job + ":renew", Map.of(), null);
        post(400, "/v1/jobs/" + job + ":renew", "{\"ttl\":\"soon\"}");

        String gone = canceled();
        assertThat(json(get(200, "/v1/jobs/" + gone, JSON)).required("state").stringValue())
                .isEqualTo("CANCELED");
        exchange(204, started(running), "DELETE", "/v1/jobs/" + gone, Map.of(), null);
        get(410, "/v1/jobs/" + gone + "/rows", JSON);
        get(410, "/v1/jobs/" + gone + "/rows", NDJSON);
        post(410, "/v1/jobs/" + gone + ":renew", "{\"ttl\":\"48h\"}");
    }

    @Test
    void rowsAreCounted() {
        String late =
                "{\"plan\":{\"from\":{\"dataset\":\"flights\"},\"steps\":[{\"op\":\"filter\",\"where\":\"delay"
                        + " > 300\"}]}}";
        String job = "/v1/jobs/" + submit(late);
        post(202, job + ":count?wait=0s", "");
        post(200, job + ":count", "");
        post(400, job + ":count?wait=soon", "");
        post(410, "/v1/jobs/" + canceled() + ":count", "");
        String divided =
                "{\"plan\":{\"from\":{\"dataset\":\"flights\"},\"steps\":[{\"op\":\"filter\",\"where\":\"delay"
                        + " / (distance - distance) > 1\"}]}}";
        post(422, "/v1/jobs/" + submit(divided) + ":count", "");
    }

    @Test
    void jobsAreWatched() {
        String job = canceled();
        String events = "/v1/jobs/" + job + "/events";
        String end = "id: " + job + ".end";
        assertThat(get(200, events, "text/event-stream").text()).contains("event: end", end);
        Map<String, String> headers =
                Map.of("Accept", "text/event-stream", "Last-Event-ID", job + ".end");
        exchange(204, started(running), "GET", events, headers, null);
        Map<String, String> foreign =
                Map.of("Accept", "text/event-stream", "Last-Event-ID", "other.end");
        exchange(400, started(running), "GET", events, foreign, null);
    }

    @Test
    void streamsAreOpenedByTickets() {
        String job = "/v1/jobs/" + submit(FLIGHTS);
        String ticket = json(post(200, job + ":ticket", "")).required("ticket").stringValue();
        get(200, job + "/rows?limit=1&ticket=" + ticket, JSON);
        get(401, job + "/rows?limit=1&ticket=wrong", JSON);
        post(410, "/v1/jobs/" + canceled() + ":ticket", "");
    }

    @Test
    void rowsComeAsPagesAndStreamsInEveryForm() {
        String rows = "/v1/jobs/" + submit(FLIGHTS) + "/rows";
        for (String form :
                List.of("", "&rows=arrays", "&numbers=strings", "&invalidText=replace")) {
            JsonNode page = json(get(200, rows + "?limit=7&offset=3" + form, JSON));
            assertThat(page.required("rows").size()).isEqualTo(7);
            assertThat(page.at("/next/offset").longValue()).isEqualTo(10);
            get(200, rows + "?limit=7" + form, NDJSON);
        }
        HttpAnswer usual = get(200, rows, JSON);
        assertThat(json(usual).required("rows").size()).isEqualTo(1000);
        assertThat(usual.header("Link")).isPresent();
        HttpAnswer end = get(200, rows + "?offset=2500", JSON);
        assertThat(end.header("Link")).isEmpty();
        assertThat(json(end).required("next").isNull()).isTrue();
        HttpAnswer stream = get(200, rows + "?format=ndjson", JSON);
        assertThat(stream.header("Trailer")).contains("Spillway-Row-Count");
        assertThat(stream.trailer("Spillway-Row-Count")).contains("2500");

        HttpAnswer direct = post(200, "/v1/rows?limit=2", FLIGHTS);
        get(200, direct.header("Content-Location").orElseThrow() + "?offset=2&limit=2", JSON);
        post(200, "/v1/rows?format=ndjson", FLIGHTS);
    }

    @Test
    void rowsComeInFormatsThatAreNoJson() {
        String rows = "/v1/jobs/" + submit(FLIGHTS) + "/rows?limit=3&format=";
        assertThat(get(200, rows + "csv", "*/*").text()).startsWith("date,");
        assertThat(get(200, rows + "sse", "*/*").text()).contains("event: end\n");
        for (String query :
                List.of(
                        "csv&numbers=strings",
                        "arrow&rows=arrays",
                        "ndjson&maxBytes=10",
                        "json&batch=10",
                        "json&lastEventId=x",
                        "sse&wait=1s",
                        "sse&lastEventId=x")) {
            get(400, rows + query, "*/*");
        }
    }

    @Test
    void rowsComeInExactBatches() {
        String job = submit(FLIGHTS);
        String batches = "/v1/jobs/" + job + "/batches?size=1000";
        HttpAnswer lines = get(200, batches, NDJSON);
        lines.text().lines().forEach(line -> assertThat(contract.faults("Batch", line)).isEmpty());
        assertThat(lines.trailer("Spillway-Batch-Count")).contains("3");
        for (String query :
                List.of(
                        "order=any",
                        "dropLast=true",
                        "shard=1&of=2",
                        "shard=1&of=2&remainder=drop",
                        "shard=1&of=2&remainder=pad",
                        "shard=1&of=2&remainder=separate",
                        "maxBytes=9000&offset=7",
                        "weight=delay&maxWeight=300&rows=arrays")) {
            HttpAnswer answer = get(200, batches + "&" + query, NDJSON);
            assertThat(contract.faults("Batch", answer.text().lines().findFirst().orElseThrow()))
                    .isEmpty();
        }
        assertThat(get(200, batches + "&format=sse", "*/*").text()).contains("event: batch\n");
        Map<String, String> seen =
                Map.of("Accept", "text/event-stream", "Last-Event-ID", job + ".end");
        exchange(204, started(running), "GET", batches, seen, null);
        for (String wrong : List.of("from=x", "shard=1", "maxBytes=0", "order=no")) {
            get(400, batches + "&" + wrong, NDJSON);
        }

        String batch = "/v1/jobs/" + job + "/batches/2?size=1000";
        HttpAnswer one = get(200, batch, JSON);
        assertThat(json(one).required("rowCount").intValue()).isEqualTo(500);
        get(200, batch, NDJSON);
        get(200, batch + "&format=csv", JSON);
        Map<String, String> known = Map.of("If-None-Match", one.header("ETag").orElseThrow());
        exchange(304, started(running), "GET", batch, known, null);
        get(404, "/v1/jobs/" + job + "/batches/3?size=1000", JSON);
        get(400, "/v1/jobs/" + job + "/batches/2", JSON);
        String gone = canceled();
        get(410, "/v1/jobs/" + gone + "/batches?size=10", NDJSON);
        get(410, "/v1/jobs/" + gone + "/batches/1?size=10", JSON);
    }

    @Test
    void rowsThatTakeLongAndStreamsThatWereReadToTheirEndAreToldOf() {
        String never =
                "origin || destination || CAST(distance AS VARCHAR) || CAST(delay AS VARCHAR) LIKE"
                        + " '%no such%'";
        String slow =
                "{\"plan\":{\"from\":{\"dataset\":\"flights\"},\"steps\":[{\"op\":\"filter\",\"where\":\"%s\"}]}}"
                        .formatted(never);
        get(202, "/v1/jobs/" + submit(slow) + "/rows?wait=0s", NDJSON);
        post(202, "/v1/rows?wait=0s", slow);
        get(202, "/v1/jobs/" + submit(slow) + "/batches?size=9&wait=0s", NDJSON);
        get(202, "/v1/jobs/" + submit(slow) + "/batches/1?size=9&wait=0s", JSON);

        String job = submit(FLIGHTS);
        Map<String, String> seen =
                Map.of("Accept", "text/event-stream", "Last-Event-ID", job + ".end");
        exchange(204, started(running), "GET", "/v1/jobs/" + job + "/rows", seen, null);
    }

    @Test
    void wrongRequestsAreToldWhere() {
        String rows = "/v1/jobs/" + submit(FLIGHTS) + "/rows";
        String other =
                json(get(200, "/v1/jobs/" + submit(FLIGHTS) + "/rows?limit=1", JSON))
                        .at("/next/cursor")
                        .stringValue();
        for (String query :
                List.of(
                        "offset=-1",
                        "offset=9223372036854775808",
                        "offset=1e3",
                        "offset=",
                        "offset=%205",
                        "offset=0x10",
                        "limit=-1",
                        "limit=1000000",
                        "format=xml",
                        "numbers=many",
                        "rows=tuples",
                        "cursor=damaged",
                        "cursor=" + other,
                        "ofset=1")) {
            get(400, rows + "?" + query, JSON);
        }
        post(400, "/v1/rows", "{\"plan\":");
        post(400, "/v1/jobs", "[]");
        String mistyped =
                """
                {"plan": {"from": {"dataset": "flights"}, "steps": [{"op": "filter", "where": "dely > 1"}]}}
                """;
        JsonNode problem = json(post(400, "/v1/jobs", mistyped));
        assertThat(problem.required("pointer").stringValue()).isEqualTo("/plan/steps/0/where");
        assertThat(problem.required("suggestion").stringValue()).isEqualTo("delay");
    }

    /** A request to each operation that is wrong in one way, for each way that it documents. */
    @Test
    void everyResourceAnswersStrangersAndStrangeRequests() {
        String job = submit(FLIGHTS);
        SpillwayServer server = started(running);
        Map<String, String> json = Map.of("Content-Type", JSON);
        String export = jobOf(post(201, "/v1/exports", export(job, "strange.parquet")));
        String split = split(job);
        String foreign =
                server.bean("splitToken", SplitToken.class)
                        .encode(new Split("none", "0".repeat(64), new Split.Rows(0, 0)));
        String lease = lease(job);
        String delivery = jobOf(post(201, "/v1/deliveries", delivery(job, 1_000)));
        String link = link(server, delivery, 0, 10);
        for (Contract.Operation operation : contract.operations()) {
            String method = operation.method();
            String path =
                    operation
                            .path()
                            .replace("{job}", job)
                            .replace("{name}", "flights")
                            .replace("{batch}", "0")
                            .replace("{split}", split)
                            .replace("{group}", "workers")
                            .replace("{lease}", lease)
                            .replace("{export}", export)
                            .replace("{delivery}", delivery)
                            .replace("{link}", link)
                            .concat(needed(operation));
            String nowhere =
                    operation
                            .path()
                            .replace("{job}", "none")
                            .replace("{name}", "none")
                            .replace("{batch}", "0")
                            .replace("{split}", foreign)
                            .replace("{group}", "none")
                            .replace("{lease}", leaseOfNobody())
                            .replace("{export}", "none")
                            .replace("{delivery}", "none")
                            .replace("{link}", link(server, "none", 0, 10))
                            .concat(needed(operation));
            String body = Set.of("POST", "PUT").contains(method) ? body(path) : null;
            for (int status : statuses(operation)) {
                switch (status) {
                    case 401 -> exchange(401, started(guarded), method, path, KEYLESS, body);
                    case 404 -> exchange(404, server, method, nowhere, json, body);
                    case 405 -> checkOtherMethod(operation, path);
                    case 406 -> exchange(406, server, method, path, PICTURES, body);
                    case 413 -> exchange(413, server, method, path, json, LARGE);
                    case 415 -> exchange(415, server, method, path, TEXT, body);
                    default -> {}
                }
            }
        }
    }

    /** The parameters without which an operation makes no sense. */
    private static String needed(Contract.Operation operation) {
        return operation.path().contains("/batches") ? "?size=10" : "";
    }

    private static String body(String path) {
        if (path.endsWith(":renew")) {
            return "{}";
        }
        if (path.endsWith("/splits")) {
            return "{\"count\": 3}";
        }
        if (path.endsWith(":divide")) {
            return "{\"row\": 3}";
        }
        if (path.endsWith(":claim")) {
            return "{\"reader\": \"ann\"}";
        }
        if (path.endsWith(":reset")) {
            return "{\"row\": 0}";
        }
        if (path.endsWith("/groups/workers") || path.endsWith("/groups/none")) {
            return GROUP;
        }
        if (path.endsWith(":replay")) {
            return "{\"all\": true}";
        }
        if (path.endsWith("/deliveries")) {
            return delivery("none", 10);
        }
        return path.endsWith("/exports") ? export("none", "none.parquet") : FLIGHTS;
    }

    private static String delivery(String job, int rows) {
        return "{\"job\": \"%s\", \"target\": {\"url\": \"%s\"}, \"batch\": {\"rows\": %d}}"
                .formatted(job, started(receiver).uri("/"), rows);
    }

    private static String link(SpillwayServer server, String delivery, long firstRow, long rows) {
        return new LinkToken(server.bean("keyRing", KeyRing.class))
                .encode(new BatchLink(delivery, firstRow, rows));
    }

    private static String export(String job, String name) {
        return "{\"job\": \"%s\", \"path\": \"%s/exports/%s\"}".formatted(job, folder, name);
    }

    /** A lease of a new group of a job. */
    private String lease(String job) {
        put(201, "/v1/jobs/" + job + "/groups/workers", GROUP);
        return claimed(job, 1);
    }

    private HttpAnswer put(int status, String path, String body) {
        return exchange(status, started(running), "PUT", path, Map.of("Content-Type", JSON), body);
    }

    private String claimed(String job, int batches) {
        return json(post(
                        200,
                        "/v1/jobs/" + job + "/groups/workers:claim",
                        "{\"reader\": \"ann\", \"batches\": " + batches + "}"))
                .at("/leases/0/lease")
                .stringValue();
    }

    private String leaseOfNobody() {
        return started(running)
                .bean("leaseToken", LeaseToken.class)
                .encode(new LeaseRef("none", "none", 1, 0, 1));
    }

    @Test
    void batchesAreLeasedUntilAllAreCommitted() {
        String job = submit(FLIGHTS);
        String group = "/v1/jobs/" + job + "/groups/workers";
        String first = lease(job);
        put(200, group, GROUP);
        put(409, group, "{\"batch\": {\"rows\": 100}}");
        put(400, group, "{\"batch\": {\"rows\": 0}}");
        get(200, "/v1/jobs/" + job + "/groups", JSON);
        String second = claimed(job, 2);
        post(204, group + ":claim", "{\"reader\": \"bob\"}");
        post(400, group + ":claim", "{\"reader\": \"\"}");
        post(400, group + ":claim?wait=soon", "{\"reader\": \"bob\"}");
        post(200, "/v1/leases/" + first + ":renew", "{\"leaseTime\": \"5m\"}");
        post(400, "/v1/leases/" + first + ":renew", "{\"leaseTime\": \"1y\"}");
        post(204, "/v1/leases/" + first + ":commit", "");
        post(204, "/v1/leases/" + second + ":release", "");
        for (String call : List.of(":release", ":commit", ":renew")) {
            post(409, "/v1/leases/" + second + call, "");
            post(400, "/v1/leases/damaged" + call, "");
        }
        post(200, group + ":reset", "{\"row\": 1000}");
        post(400, group + ":reset", "{\"row\": 1}");
        for (JsonNode lease :
                json(post(200, group + ":claim", "{\"reader\": \"bob\", \"batches\": 9}"))
                        .required("leases")) {
            post(204, "/v1/leases/" + lease.required("lease").stringValue() + ":commit", "");
        }
        post(410, group + ":claim", "{\"reader\": \"bob\"}");
        assertThat(json(get(200, group, JSON)).required("done").booleanValue()).isTrue();
        exchange(204, started(running), "DELETE", group, Map.of(), null);

        String gone = submit(FLIGHTS);
        String lease = lease(gone);
        exchange(204, started(running), "DELETE", "/v1/jobs/" + gone, Map.of(), null);
        put(410, "/v1/jobs/" + gone + "/groups/workers", GROUP);
        post(410, "/v1/jobs/" + gone + "/groups/workers:reset", "{\"row\": 0}");
        for (String call : List.of(":release", ":commit", ":renew")) {
            post(410, "/v1/leases/" + lease + call, "");
        }
    }

    @Test
    void batchesOfRowsThatAreNotCountedAreLeasedOnceTheyAre() {
        String divided =
                "{\"plan\":{\"from\":{\"dataset\":\"flights\"},\"steps\":[{\"op\":\"filter\",\"where\":\"delay"
                        + " / (distance - distance) > 1\"}]}}";
        String broken = "/v1/jobs/" + submit(divided) + "/groups/workers";
        put(201, broken, GROUP);
        post(409, broken + ":reset", "{\"row\": 1000000}");
        post(422, broken + ":claim", "{\"reader\": \"ann\"}");
        String narrow =
                "{\"plan\":{\"from\":{\"dataset\":\"flights\"},\"steps\":[{\"op\":\"filter\",\"where\":\"delay"
                        + " > 300\"}]},\"options\":{\"memoryLimit\":10000}}";
        String small = "/v1/jobs/" + submit(narrow) + "/groups/workers";
        put(201, small, GROUP);
        post(507, small + ":claim", "{\"reader\": \"ann\"}");
    }

    @Test
    void rowsAreExported() {
        String job = submit(FLIGHTS);
        HttpAnswer made = post(201, "/v1/exports", export(job, "one.parquet"));
        String path = made.header("Location").orElseThrow();
        await().until(() -> json(get(200, path, JSON)).has("files"));
        post(409, "/v1/exports", export(job, "one.parquet"));
        Map<String, String> keyed = Map.of("Content-Type", JSON, "Idempotency-Key", "two");
        SpillwayServer server = started(running);
        String two = export(job, "keyed.parquet");
        HttpAnswer first = exchange(201, server, "POST", "/v1/exports", keyed, two);
        HttpAnswer again = exchange(200, server, "POST", "/v1/exports", keyed, two);
        assertThat(jobOf(again)).isEqualTo(jobOf(first));
        exchange(422, server, "POST", "/v1/exports", keyed, export(job, "other.parquet"));
        post(400, "/v1/exports", "{\"job\": 1}");
        post(403, "/v1/exports", export(job, "../one.parquet"));
        post(410, "/v1/exports", export(canceled(), "two.parquet"));
        exchange(204, started(running), "DELETE", path, Map.of(), null);
        assertThat(json(get(200, path, JSON)).required("state").stringValue())
                .isEqualTo("COMPLETED");

        post(201, "/v1/exports", export(job, "two.parquet"));
        String next = json(get(200, "/v1/exports?limit=1", JSON)).required("next").stringValue();
        get(200, "/v1/exports?limit=1&before=" + next, JSON);
        get(400, "/v1/exports?limit=0", JSON);
    }

    @Test
    void rowsAreDelivered() {
        String job = submit(FLIGHTS);
        HttpAnswer made = post(201, "/v1/deliveries", delivery(job, 100));
        String path = made.header("Location").orElseThrow();
        await().until(() -> json(get(200, path, JSON)).has("endedAt"));
        SpillwayServer server = started(running);
        long rows =
                json(get(200, path + "/attempts", JSON))
                        .at("/attempts")
                        .valueStream()
                        .filter(attempt -> attempt.required("firstRow").longValue() == 0)
                        .findAny()
                        .orElseThrow()
                        .required("rowCount")
                        .longValue();
        get(200, "/v1/links/" + link(server, jobOf(made), 0, rows), NDJSON);
        get(400, "/v1/links/" + link(server, jobOf(made), 0, rows) + "?rows=tuples", NDJSON);
        get(200, path + "/failures", JSON);
        get(400, path + "/failures?limit=0", JSON);
        get(200, path + "/attempts", JSON);
        get(400, path + "/attempts?before=x", JSON);
        HttpAnswer events = get(200, path + "/events", "text/event-stream");
        assertThat(events.text()).contains("event: end");
        exchange(
                204,
                server,
                "GET",
                path + "/events",
                Map.of("Accept", "text/event-stream", "Last-Event-ID", jobOf(made) + ".end"),
                null);
        exchange(
                400,
                server,
                "GET",
                path + "/events",
                Map.of("Accept", "text/event-stream", "Last-Event-ID", "x"),
                null);
        post(409, path + ":pause", "");
        post(409, path + ":resume", "");
        post(200, path + ":cancel", "");
        post(200, path + ":replay", "{\"all\": true}");
        post(400, path + ":replay", "{\"batches\": []}");
        post(404, path + ":replay", "{\"batches\": [3]}");

        Map<String, String> keyed = Map.of("Content-Type", JSON, "Idempotency-Key", "two");
        String two = delivery(job, 10);
        HttpAnswer first = exchange(201, server, "POST", "/v1/deliveries", keyed, two);
        HttpAnswer again = exchange(200, server, "POST", "/v1/deliveries", keyed, two);
        assertThat(jobOf(again)).isEqualTo(jobOf(first));
        exchange(422, server, "POST", "/v1/deliveries", keyed, delivery(job, 11));
        String running = first.header("Location").orElseThrow();
        post(200, running + ":pause", "");
        post(200, running + ":resume", "");
        post(200, running + ":cancel", "");
        await().until(() -> json(get(200, running, JSON)).has("endedAt"));
        post(409, running + ":replay", "{\"all\": true}");
        post(400, "/v1/deliveries", "{\"job\": 1}");
        post(
                403,
                "/v1/deliveries",
                delivery(job, 10)
                        .replace(
                                "\"job\": \"" + job + "\"",
                                "\"plan\": {\"from\": {\"files\": {\"format\": \"parquet\","
                                        + " \"paths\": [\"/etc/x\"]}}}"));
        post(410, "/v1/deliveries", delivery(canceled(), 10));
        HttpAnswer ofGone = post(201, "/v1/deliveries", delivery(job, 10));
        server.http().call("DELETE", "/v1/jobs/" + job, Map.of(), null);
        get(410, "/v1/links/" + link(server, jobOf(ofGone), Long.MAX_VALUE - 10, 10), NDJSON);
        String next = json(get(200, "/v1/deliveries?limit=1", JSON)).required("next").stringValue();
        get(200, "/v1/deliveries?limit=1&before=" + next, JSON);
        get(400, "/v1/deliveries?limit=0", JSON);
    }

    private String split(String job) {
        return json(post(200, "/v1/jobs/" + job + "/splits", "{\"count\": 1}"))
                .at("/splits/0/token")
                .stringValue();
    }

    @Test
    void jobsAreTakenApart() throws IOException {
        String job = submit(FLIGHTS);
        String splits = "/v1/jobs/" + job + "/splits";
        post(200, splits, "{\"targetRows\": 100, \"equalRows\": \"pad\", \"alignTo\": 7}");
        post(400, splits, "{\"count\": 3, \"targetRows\": 100}");
        String rows = "/v1/splits/" + split(job) + "/rows";
        JsonNode page = json(get(200, rows + "?limit=10", JSON));
        get(200, page.at("/next/href").stringValue(), JSON);
        get(400, rows + "?offset=-1", JSON);
        HttpAnswer events = get(200, rows + "?limit=10", "text/event-stream");
        assertThat(events.text()).contains("event: end");
        Map<String, String> seen =
                Map.of("Accept", "text/event-stream", "Last-Event-ID", job + ".end");
        exchange(204, started(running), "GET", rows, seen, null);
        post(200, "/v1/splits/" + split(job) + ":divide", "{\"fraction\": 0.5}");
        post(400, "/v1/splits/" + split(job) + ":divide", "{\"fraction\": 1.5}");
        get(400, "/v1/splits/none/rows", JSON);

        String sorted =
                submit(
                        """
                        {"plan": {"from": {"dataset": "flights"},
                                  "steps": [{"op": "sort", "by": ["delay"]}]}}
                        """);
        post(409, "/v1/jobs/" + sorted + "/splits", "{\"count\": 3, \"equalRows\": true}");
        String share = "/v1/splits/" + split(sorted);
        post(409, share + ":divide", "{\"fraction\": 0.5}");
        get(202, share + "/rows?wait=0s", NDJSON);
        String divided =
                submit(
                        """
                        {"plan": {"from": {"dataset": "flights"},
                                  "steps": [{"op": "select", "columns":
                                             ["delay / (distance - distance) AS x"]}]}}
                        """);
        get(422, "/v1/splits/" + split(divided) + "/rows", JSON);
        String small =
                submit(
                        """
                        {"plan": {"from": {"dataset": "flights"}}, "options": {"memoryLimit": 4000000}}
                        """);
        get(507, "/v1/splits/" + split(small) + "/rows", JSON);

        Path folder = Files.createDirectories(ContractTest.folder.resolve("split"));
        Path file = folder.resolve("changing.parquet");
        Files.copy(Path.of("samples", "airports.parquet"), file);
        String changing =
                submit(
                        "{\"plan\": {\"from\": {\"files\": {\"format\": \"parquet\", \"paths\": [\"%s\"]}}}}"
                                .formatted(file));
        String changed = split(changing);
        Files.copy(
                Path.of("samples", "zipcodes.parquet"), file, StandardCopyOption.REPLACE_EXISTING);
        get(409, "/v1/splits/" + changed + "/rows", JSON);

        String gone = submit(FLIGHTS);
        String lost = split(gone);
        exchange(204, started(running), "DELETE", "/v1/jobs/" + gone, Map.of(), null);
        post(410, "/v1/jobs/" + gone + "/splits", "{\"count\": 3}");
        get(410, "/v1/splits/" + lost + "/rows", JSON);
        post(410, "/v1/splits/" + lost + ":divide", "{\"row\": 5}");
    }

    /** Whatever operation a path has, it has no PATCH; its 405 is documented with each of them. */
    private void checkOtherMethod(Contract.Operation operation, String path) {
        HttpAnswer answer = started(running).http().call("PATCH", path, Map.of(), null);
        assertThat(answer.status()).as(path).isEqualTo(405);
        contract.check(operation.method(), path, answer);
    }

    private Set<Integer> statuses(Contract.Operation operation) {
        Set<Integer> statuses = new TreeSet<>();
        for (Contract.Answer answer : contract.answers()) {
            if (answer.operation().equals(operation)) {
                statuses.add(answer.status());
            }
        }
        return statuses;
    }

    @Test
    void filesThatCannotBeReadAreNamed() throws IOException {
        String torn = "{\"plan\":{\"from\":{\"dataset\":\"torn\"}}}";
        post(422, "/v1/jobs", torn);
        post(422, "/v1/rows", torn);
        get(422, "/v1/datasets/torn", JSON);
        String outside =
                "{\"plan\":{\"from\":{\"files\":{\"format\":\"parquet\",\"paths\":[\"/etc/passwd\"]}}}}";
        post(403, "/v1/jobs", outside);
        post(403, "/v1/rows", outside);
        String divided =
                "{\"plan\":{\"from\":{\"dataset\":\"flights\"},\"steps\":[{\"op\":\"select\",\"columns\":[\"delay"
                        + " / (distance - distance) AS x\"]}]}}";
        get(422, "/v1/jobs/" + submit(divided) + "/rows", JSON);
        get(422, "/v1/jobs/" + submit(divided) + "/batches?size=9", NDJSON);
        get(422, "/v1/jobs/" + submit(divided) + "/batches/0?size=9", JSON);

        String job = submit("{\"plan\":{\"from\":{\"dataset\":\"changing\"}}}");
        get(200, "/v1/jobs/" + job + "/rows?limit=1", JSON);
        String filtered =
                submit(
                        "{\"plan\":{\"from\":{\"dataset\":\"changing\"},\"steps\":[{\"op\":\"filter\",\"where\":\"name"
                                + " LIKE '%x%'\"}]}}");
        Files.copy(
                Path.of("samples", "zipcodes.parquet"),
                folder.resolve("changing.parquet"),
                StandardCopyOption.REPLACE_EXISTING);
        post(409, "/v1/jobs/" + filtered + ":count", "");
        String group = "/v1/jobs/" + filtered + "/groups/workers";
        put(201, group, GROUP);
        post(409, group + ":claim", "{\"reader\": \"ann\"}");
        JsonNode problem = json(get(409, "/v1/jobs/" + job + "/rows?limit=1", JSON));
        assertThat(problem.required("file").stringValue()).endsWith("changing.parquet");
        get(409, "/v1/jobs/" + job + "/batches?size=9", NDJSON);
        get(409, "/v1/jobs/" + job + "/batches/0?size=9", JSON);
    }

    @Test
    void workThatDoesNotFitIsRefused() {
        String small =
                "{\"plan\":{\"from\":{\"dataset\":\"flights\"}},\"options\":{\"memoryLimit\":4000000}}";
        get(507, "/v1/jobs/" + submit(small) + "/rows", JSON);
        get(507, "/v1/jobs/" + submit(small) + "/batches?size=9", NDJSON);
        get(507, "/v1/jobs/" + submit(small) + "/batches/0?size=9", JSON);
        post(507, "/v1/rows", small);
        String narrow =
                "{\"plan\":{\"from\":{\"dataset\":\"flights\"},\"steps\":[{\"op\":\"filter\",\"where\":\"delay"
                        + " > 300\"}]},\"options\":{\"memoryLimit\":10000}}";
        post(507, "/v1/jobs/" + submit(narrow) + ":count", "");

        Map<String, String> headers = Map.of("Content-Type", JSON, "X-API-Key", KEY);
        SpillwayServer server = started(guarded);
        String job = jobOf(exchange(201, server, "POST", "/v1/jobs", headers, FLIGHTS));
        exchange(429, server, "POST", "/v1/exports", headers, export(job, "many.parquet"));
        exchange(429, server, "POST", "/v1/deliveries", headers, delivery(job, 10));
        String groups = "/v1/jobs/" + job + "/groups/";
        exchange(201, server, "PUT", groups + "one", headers, GROUP);
        exchange(429, server, "PUT", groups + "two", headers, GROUP);
        exchange(429, server, "POST", "/v1/jobs", headers, FLIGHTS);
        exchange(429, server, "POST", "/v1/rows", headers, FLIGHTS);
    }

    @Test
    void datasetsAreDescribed() {
        JsonNode list = json(get(200, "/v1/datasets", JSON));
        assertThat(list.at("/datasets/0/name").stringValue()).isEqualTo("birdstrikes");
        JsonNode dataset = json(get(200, "/v1/datasets/flights", JSON));
        assertThat(dataset.required("rows").longValue()).isEqualTo(3_000_000);

        String capture =
                """
                {"job": "%s", "target": {"url": "%s"}, "batch": {"rows": 100},
                 "capture": {"columns": {"x": "$[*]"}, "keys": ["delay"], "dataset": "%s"}}
                """;
        String job = submit(FLIGHTS);
        String target = started(receiver).uri("/").toString();
        post(409, "/v1/deliveries", capture.formatted(job, target, "flights"));
        HttpAnswer made = post(201, "/v1/deliveries", capture.formatted(job, target, "caught"));
        await().untilAsserted(
                        () ->
                                assertThat(
                                                json(get(
                                                                200,
                                                                "/v1/deliveries/" + jobOf(made),
                                                                JSON))
                                                        .at("/capture/rows")
                                                        .isNumber())
                                        .isTrue());
        get(200, "/v1/datasets/caught", JSON);
        SpillwayServer server = started(running);
        exchange(204, server, "DELETE", "/v1/datasets/caught", Map.of(), null);
        exchange(404, server, "DELETE", "/v1/datasets/flights", Map.of(), null);
    }

    @Test
    void operationsEndpointsAnswer() throws IOException {
        get(200, "/actuator/health/liveness", JSON);
        get(200, "/actuator/health/readiness", JSON);
        assertThat(get(200, "/actuator/prometheus", "text/plain").text()).contains("jvm_memory");
        assertThat(get(200, "/openapi", "*/*").text()).isEqualTo(Files.readString(Contract.FILE));
    }

    @Test
    void examplesAreValidAndRun() {
        Map<String, JsonNode> examples = contract.submissions();
        assertThat(examples).isNotEmpty();
        examples.forEach(
                (name, example) -> {
                    assertThat(contract.faults("Submission", example.toString()))
                            .as(name)
                            .isEmpty();
                    post(200, "/v1/rows", example.toString());
                });
    }

    @Test
    void errorCodesAreThoseOfTheService() {
        assertThat(contract.enumeration("ErrorCode"))
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(ErrorCode.values()).map(ErrorCode::slug).toList());
    }

    @Test
    void everythingMappedIsDocumentedAndTheOtherWayRound() {
        Set<Contract.Operation> mapped = new TreeSet<>();
        for (RequestMappingInfo info :
                started(running)
                        .bean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                        .getHandlerMethods()
                        .keySet()) {
            info.getPatternsCondition()
                    .getPatterns()
                    .forEach(
                            path ->
                                    info.getMethodsCondition()
                                            .getMethods()
                                            .forEach(
                                                    method ->
                                                            mapped.add(
                                                                    new Contract.Operation(
                                                                            method.name(),
                                                                            path
                                                                                    .getPatternString()))));
        }
        Set<Contract.Operation> documented = new TreeSet<>(contract.operations());
        documented.removeIf(o -> o.path().startsWith("/actuator/"));
        assertThat(mapped).containsExactlyElementsOf(documented);
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void everyDocumentedAnswerWasGiven() {
        Set<Contract.Answer> missing = new TreeSet<>(contract.answers());
        missing.removeAll(contract.seen());
        missing.removeIf(a -> NOT_PROVOKED.contains(a.status()));
        // For a file to change between planning and reading within one call is a matter of luck.
        missing.remove(new Contract.Answer(new Contract.Operation("POST", "/v1/rows"), 409));
        // Takes readers that hold all memory and do not read on.
        missing.removeIf(
                a -> a.status() == 429 && a.operation().path().matches(".*/(rows|batches.*)"));
        // Rows behind a link are read as those of batches are, which are asked for all this.
        missing.removeIf(
                a ->
                        Set.of(202, 409, 422, 429, 507).contains(a.status())
                                && a.operation().path().equals("/v1/links/{link}"));
        assertThat(missing).isEmpty();
    }
}
