package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.job.JobManager;
import io.spillway.memory.MemoryPool;
import io.spillway.testing.Contract;
import io.spillway.testing.Deliveries;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.Received;
import io.spillway.testing.Receiver;
import io.spillway.testing.Reply;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Rows of jobs, sent to a receiver over real sockets: what that gets, and what is told of it. */
class DeliveriesTest {

    private static final String JSON = "application/json";
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final Contract CONTRACT = new Contract();

    /** Failures that do not take long. */
    private static final Map<String, Object> QUICK =
            Map.of("maxAttempts", 3, "initialDelay", "10ms", "timeout", "2s");

    @TempDir static Path folder;
    private static SpillwayServer server;
    private static Deliveries deliveries;

    @BeforeAll
    static void start() {
        server =
                Deliveries.allowed(SpillwayServer.builder())
                        .dataset("rows", files("p", 1, 0, 7, 2, 0, 0, 3, 10))
                        .dataset("full", files("f", 1, 0, 7, 2, 0, 0, 3, 11))
                        .dataset("tens", files("t", 10, 10, 10, 10, 10, 10, 10, 10, 10, 10))
                        .set("spillway.secrets.token", "sesame")
                        .start();
        deliveries = new Deliveries(server.http());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void everythingIsGivenBack() {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(
                        () -> {
                            assertThat(server.bean("jobManager", JobManager.class).readers())
                                    .isZero();
                            MemoryPool memory = server.bean("memory", MemoryPool.class);
                            assertThat(memory.held()).isZero();
                            assertThat(memory.admitted()).isZero();
                            assertThat(memory.seated()).isZero();
                        });
    }

    /** Files with so many rows each, whose ids count on. */
    private static Path[] files(String name, int... rows) {
        long next = 0;
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < rows.length; i++) {
            files.add(
                    ParquetFiles.write(
                            folder.resolve("%s%d.parquet".formatted(name, i)),
                            "SELECT range AS id, 'row ' || range AS text FROM range(%d, %d)"
                                    .formatted(next, next + rows[i])));
            next += rows[i];
        }
        return files.toArray(Path[]::new);
    }

    private static String job(String dataset, String... steps) {
        return server.submit(
                "{\"from\": {\"dataset\": \"%s\"}, \"steps\": [%s]}"
                        .formatted(dataset, String.join(", ", steps)));
    }

    private static List<Long> ids(String body) {
        List<Long> ids = new ArrayList<>();
        MAPPER.readTree(body).forEach(row -> ids.add(row.required("id").longValue()));
        return ids;
    }

    private static List<List<Long>> bodies(Receiver receiver) {
        return receiver.requests().stream().map(request -> ids(request.text())).toList();
    }

    private static List<Long> range(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }

    private static Map<String, Object> retry(Object... more) {
        Map<String, Object> all = new HashMap<>(Map.of("retry", QUICK));
        for (int i = 0; i < more.length; i += 2) {
            all.put((String) more[i], more[i + 1]);
        }
        return all;
    }

    private static long number(JsonNode document, String name) {
        return document.required("progress").required(name).longValue();
    }

    @ParameterizedTest
    @CsvSource({"1,strict", "2,strict", "8,strict", "8,any"})
    void batchesAreExactWhateverTheFilesAre(int concurrency, String order) throws IOException {
        try (Receiver receiver = Receiver.start()) {
            Map<String, Object> more = Map.of("concurrency", concurrency, "order", order);
            JsonNode full = deliveries.completed(job("full"), receiver.uri("/"), 4, more);
            assertThat(bodies(receiver))
                    .containsExactlyInAnyOrder(
                            range(0, 4),
                            range(4, 8),
                            range(8, 12),
                            range(12, 16),
                            range(16, 20),
                            range(20, 24));
            assertThat(number(full, "deliveredBatches")).isEqualTo(6);
            assertThat(number(full, "deliveredRows")).isEqualTo(24);
            assertThat(number(full, "committedRow")).isEqualTo(24);
            CONTRACT.check(
                    "GET",
                    "/v1/deliveries/{delivery}",
                    server.http().get("/v1/deliveries/" + full.required("id").stringValue(), JSON));
        }
        try (Receiver receiver = Receiver.start()) {
            Map<String, Object> more =
                    Map.of(
                            "concurrency",
                            concurrency,
                            "order",
                            order,
                            "batch",
                            Map.of("rows", 4, "dropLast", true));
            JsonNode dropped = deliveries.completed(job("rows"), receiver.uri("/"), 4, more);
            assertThat(bodies(receiver)).hasSize(5).allMatch(ids -> ids.size() == 4);
            assertThat(number(dropped, "droppedRows")).isEqualTo(3);
        }
        try (Receiver receiver = Receiver.start()) {
            deliveries.completed(job("rows"), receiver.uri("/"), 4, Map.of());
            assertThat(bodies(receiver))
                    .containsExactly(
                            range(0, 4),
                            range(4, 8),
                            range(8, 12),
                            range(12, 16),
                            range(16, 20),
                            range(20, 23));
        }
    }

    @Test
    void noBatchIsEmpty() throws IOException {
        try (Receiver receiver = Receiver.start()) {
            String few = job("tens", "{\"op\": \"filter\", \"where\": \"id >= 95\"}");
            deliveries.completed(few, receiver.uri("/"), 3, Map.of());
            assertThat(bodies(receiver)).containsExactly(range(95, 98), range(98, 100));
        }
        try (Receiver receiver = Receiver.start()) {
            String none = job("tens", "{\"op\": \"filter\", \"where\": \"id >= 100\"}");
            JsonNode done = deliveries.completed(none, receiver.uri("/"), 3, Map.of());
            assertThat(receiver.requests()).isEmpty();
            assertThat(number(done, "rows")).isZero();
        }
    }

    @Test
    void requestsSayWhatTheyAre() throws IOException {
        try (Receiver receiver = Receiver.start()) {
            Map<String, Object> more =
                    Map.of(
                            "target",
                            Map.of(
                                    "url",
                                    receiver.uri("/in?x=1").toString(),
                                    "method",
                                    "PUT",
                                    "headers",
                                    Map.of("Authorization", "Bearer {secret:token}", "X-A", "b")),
                            "body",
                            Map.of(
                                    "model",
                                    "m",
                                    "input",
                                    Map.of("$column", "text"),
                                    "from",
                                    Map.of("$batch", "firstRow")));
            JsonNode done = deliveries.completed(job("full"), "", 16, more);
            String id = done.required("id").stringValue();
            assertThat(receiver.requests()).hasSize(2);
            Received second = receiver.requests().get(1);
            assertThat(second.method()).isEqualTo("PUT");
            assertThat(second.path()).isEqualTo("/in?x=1");
            assertThat(second.header("authorization")).isEqualTo("Bearer sesame");
            assertThat(second.header("x-a")).isEqualTo("b");
            assertThat(second.header("content-type")).isEqualTo(JSON);
            assertThat(second.header("idempotency-key")).isEqualTo(id + ".16.8");
            assertThat(second.header("idempotency-key")).isEqualTo(id + ".16.8");
            assertThat(second.header("spillway-delivery")).isEqualTo(id);
            assertThat(second.header("spillway-first-row")).isEqualTo("16");
            assertThat(second.header("spillway-row-count")).isEqualTo("8");
            assertThat(second.header("spillway-attempt")).isEqualTo("1");
            assertThat(second.header("traceparent")).startsWith("00-" + id + "-");
            JsonNode body = MAPPER.readTree(second.text());
            assertThat(body.required("model").stringValue()).isEqualTo("m");
            assertThat(body.required("from").longValue()).isEqualTo(16);
            assertThat(body.required("input").get(7).stringValue()).isEqualTo("row 23");
            assertThat(done.toString()).doesNotContain("sesame");
        }
    }

    @Test
    void aPlanBecomesAJob() throws IOException {
        try (Receiver receiver = Receiver.start()) {
            HttpAnswer answer =
                    deliveries.post(
                            "/v1/deliveries",
                            """
                            {"plan": {"from": {"dataset": "tens"}, "steps": [{"op": "limit", "rows": 5}]},
                             "options": {"name": "five"},
                             "target": {"url": "%s"}, "batch": {"rows": 2}, "bodyFormat": "ndjson"}
                            """
                                    .formatted(receiver.uri("/")));
            assertThat(answer.status()).as(answer.text()).isEqualTo(201);
            CONTRACT.check("POST", "/v1/deliveries", answer);
            JsonNode made = MAPPER.readTree(answer.text());
            deliveries.awaitState(made.required("id").stringValue(), "COMPLETED");
            assertThat(receiver.requests())
                    .extracting(Received::text)
                    .containsExactly(
                            "{\"id\":0,\"text\":\"row 0\"}\n{\"id\":1,\"text\":\"row 1\"}\n",
                            "{\"id\":2,\"text\":\"row 2\"}\n{\"id\":3,\"text\":\"row 3\"}\n",
                            "{\"id\":4,\"text\":\"row 4\"}\n");
            assertThat(
                            server.http()
                                    .get(made.required("links").required("job").stringValue(), JSON)
                                    .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void anAttemptThatFailsIsRepeatedToTheByte() throws IOException {
        try (Receiver receiver = Receiver.start()) {
            AtomicInteger tries = new AtomicInteger();
            receiver.by(
                    request ->
                            switch (ids(request.text()).getFirst().intValue()) {
                                case 4 ->
                                        tries.getAndIncrement() == 0
                                                ? Reply.status(200).after(Duration.ofSeconds(1))
                                                : Reply.status(200);
                                case 8 ->
                                        tries.getAndIncrement() == 2
                                                ? Reply.reset()
                                                : Reply.status(200);
                                case 12 ->
                                        tries.getAndIncrement() < 6
                                                ? Reply.status(503)
                                                : Reply.status(200);
                                default -> Reply.status(200);
                            });
            Map<String, Object> retry =
                    Map.of("maxAttempts", 3, "initialDelay", "10ms", "timeout", "500ms");
            JsonNode done =
                    deliveries.completed(job("full"), receiver.uri("/"), 4, Map.of("retry", retry));
            Map<String, List<Received>> byId = new HashMap<>();
            receiver.requests()
                    .forEach(
                            request ->
                                    byId.computeIfAbsent(
                                                    request.header("idempotency-key"),
                                                    key -> new ArrayList<>())
                                            .add(request));
            String id = done.required("id").stringValue();
            assertThat(byId).hasSize(6);
            assertThat(byId.get(id + ".4.4")).hasSize(2);
            assertThat(byId.get(id + ".8.4")).hasSize(2);
            assertThat(byId.get(id + ".12.4")).hasSize(3);
            byId.values()
                    .forEach(
                            same -> {
                                for (int i = 0; i < same.size(); i++) {
                                    assertThat(same.get(i).header("spillway-attempt"))
                                            .isEqualTo(Integer.toString(i + 1));
                                    assertThat(same.get(i).body())
                                            .isEqualTo(same.getFirst().body());
                                }
                            });
            assertThat(deliveries.attempts(id))
                    .extracting(attempt -> attempt.required("outcome").stringValue())
                    .containsExactly(
                            "delivered",
                            "timeout",
                            "delivered",
                            "reset",
                            "delivered",
                            "status",
                            "status",
                            "delivered",
                            "delivered",
                            "delivered");
            CONTRACT.check(
                    "GET",
                    "/v1/deliveries/{delivery}/attempts",
                    server.http().get("/v1/deliveries/" + id + "/attempts", JSON));
            assertThat(number(done, "attempts")).isEqualTo(10);
            assertThat(number(done, "failedAttempts")).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"seconds", "date", "unavailable"})
    void aTargetSaysHowLongToWait(String form) throws IOException {
        try (Receiver receiver = Receiver.start()) {
            String until =
                    form.equals("date")
                            ? DateTimeFormatter.RFC_1123_DATE_TIME.format(
                                    Instant.now().plusSeconds(2).atOffset(ZoneOffset.UTC))
                            : "1";
            receiver.then(
                    Reply.status(form.equals("unavailable") ? 503 : 429)
                            .header("Retry-After", until));
            deliveries.completed(job("tens"), receiver.uri("/"), 50, retry());
            List<Received> all = receiver.requests();
            assertThat(all).hasSize(3);
            assertThat(Duration.between(all.get(0).at(), all.get(1).at()))
                    .isGreaterThan(Duration.ofMillis(980))
                    .isLessThan(Duration.ofSeconds(10));
        }
    }

    @Test
    void aWaitIsCappedAndShown() throws IOException {
        try (Receiver receiver = Receiver.start()) {
            receiver.then(Reply.status(429).header("Retry-After", "86400"));
            String id = deliveries.begin(job("tens"), receiver.uri("/"), 50, retry());
            await().until(() -> number(deliveries.document(id), "waitingBatches") == 1);
            JsonNode progress = deliveries.document(id).required("progress");
            assertThat(
                            Duration.between(
                                    Instant.now(),
                                    Instant.parse(
                                            progress.required("nextAttemptAt").stringValue())))
                    .isBetween(Duration.ofMinutes(58), Duration.ofMinutes(60));
            deliveries.change(id, "cancel", "");
            assertThat(deliveries.state(id)).isEqualTo("CANCELED");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "soon"})
    void whatIsNoWaitIsNone(String nonsense) throws IOException {
        try (Receiver receiver = Receiver.start()) {
            receiver.then(Reply.status(429).header("Retry-After", nonsense));
            deliveries.completed(job("tens"), receiver.uri("/"), 50, retry());
            assertThat(receiver.requests()).hasSize(3);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "400, status, 1",
        "302, redirect, 1",
        "413, too-large, 1",
        "500, status, 3",
        "504, status, 3"
    })
    void whatIsNotTakenIsADeadLetter(int status, String reason, int attempts) throws IOException {
        try (Receiver receiver = Receiver.start()) {
            receiver.by(
                    request ->
                            ids(request.text()).contains(25L)
                                    ? Reply.status(status)
                                            .body("no\u0007 thanks " + "x".repeat(300))
                                    : Reply.status(200));
            String id = deliveries.begin(job("tens"), receiver.uri("/"), 10, retry());
            JsonNode done = deliveries.awaitState(id, "COMPLETED_WITH_FAILURES");
            assertThat(number(done, "failedBatches")).isEqualTo(1);
            assertThat(number(done, "failedRows")).isEqualTo(10);
            assertThat(number(done, "deliveredRows")).isEqualTo(90);
            JsonNode letter = deliveries.failures(id).getFirst();
            assertThat(letter.required("id").stringValue()).isEqualTo(id + ".20.10");
            assertThat(letter.required("reason").stringValue()).isEqualTo(reason);
            assertThat(letter.required("status").intValue()).isEqualTo(status);
            assertThat(letter.required("responseHead").stringValue())
                    .startsWith("no thanks xxx")
                    .hasSize(200);
            assertThat(receiver.requests()).hasSize(9 + attempts);
            CONTRACT.check(
                    "GET",
                    "/v1/deliveries/{delivery}/failures",
                    server.http().get("/v1/deliveries/" + id + "/failures", JSON));

            receiver.always(Reply.status(200));
            HttpAnswer replay =
                    deliveries.post(
                            "/v1/deliveries/" + id + ":replay",
                            attempts == 1 ? "{\"batches\": [20]}" : "{\"all\": true}");
            CONTRACT.check("POST", "/v1/deliveries/{delivery}:replay", replay);
            assertThat(replay.status()).as(replay.text()).isEqualTo(200);
            JsonNode whole = deliveries.awaitState(id, "COMPLETED");
            assertThat(number(whole, "deliveredRows")).isEqualTo(100);
            assertThat(number(whole, "failedRows")).isZero();
            Received last = receiver.requests().getLast();
            assertThat(last.header("idempotency-key")).isEqualTo(id + ".20.10");
            assertThat(last.header("spillway-attempt")).isEqualTo("1");
        }
    }

    @Test
    void tooLargeBatchesAreHalved() throws IOException {
        try (Receiver receiver = Receiver.start()) {
            receiver.by(
                    request ->
                            ids(request.text()).size() > 3
                                    ? Reply.status(413)
                                    : Reply.status(ids(request.text()).contains(7L) ? 413 : 200));
            String id =
                    deliveries.begin(
                            job("tens", "{\"op\": \"limit\", \"rows\": 20}"),
                            receiver.uri("/"),
                            10,
                            retry("splitOnTooLarge", true));
            JsonNode done = deliveries.awaitState(id, "COMPLETED_WITH_FAILURES");
            assertThat(number(done, "deliveredRows")).isEqualTo(19);
            assertThat(deliveries.failures(id).getFirst().required("firstRow").longValue())
                    .isEqualTo(7);
            List<Long> taken =
                    receiver.requests().stream()
                            .map(request -> ids(request.text()))
                            .filter(ids -> ids.size() <= 3 && !ids.contains(7L))
                            .flatMap(List::stream)
                            .sorted()
                            .toList();
            assertThat(taken)
                    .isEqualTo(
                            IntStream.range(0, 20)
                                    .filter(i -> i != 7)
                                    .mapToObj(Long::valueOf)
                                    .toList());
        }
    }

    @Test
    void aTargetThatIsGoneEndsIt() throws IOException {
        try (Receiver receiver = Receiver.start()) {
            receiver.then(Reply.status(200), Reply.status(410));
            String id = deliveries.begin(job("tens"), receiver.uri("/"), 10, retry());
            JsonNode failed = deliveries.awaitState(id, "FAILED");
            assertThat(failed.required("reason").required("code").stringValue())
                    .isEqualTo("target-gone");
            assertThat(number(failed, "deliveredRows")).isEqualTo(10);
            assertThat(receiver.requests()).hasSize(2);
            for (String verb : List.of("pause", "resume", "replay")) {
                HttpAnswer refused =
                        deliveries.post(
                                "/v1/deliveries/" + id + ":" + verb,
                                verb.equals("replay") ? "{\"all\": true}" : "");
                assertThat(refused.status()).isEqualTo(409);
                assertThat(refused.text()).contains("delivery-ended");
            }
        }
    }

    @Test
    void onesThatOnlyFailAreDisabledUntilTheyAreResumed() throws IOException {
        try (Receiver receiver = Receiver.start()) {
            receiver.always(Reply.status(503));
            String id =
                    deliveries.begin(
                            job("tens"),
                            receiver.uri("/"),
                            10,
                            Map.of(
                                    "disableAfter",
                                    "300ms",
                                    "retry",
                                    Map.of(
                                            "initialDelay",
                                            "20ms",
                                            "maxDelay",
                                            "50ms",
                                            "maxAttempts",
                                            1000)));
            JsonNode disabled = deliveries.awaitState(id, "DISABLED");
            assertThat(disabled.required("reason").required("code").stringValue())
                    .isEqualTo("no-success");
            int before = receiver.requests().size();
            receiver.always(Reply.status(200));
            deliveries.change(id, "resume", "");
            deliveries.awaitState(id, "COMPLETED");
            assertThat(receiver.requests()).hasSize(before + 10);
        }
    }

    @Test
    void aPausedOneRests() throws IOException {
        try (Receiver receiver = Receiver.start()) {
            receiver.always(Reply.status(200).after(Duration.ofMillis(30)));
            String id = deliveries.begin(job("tens"), receiver.uri("/"), 1, Map.of());
            await().until(() -> receiver.requests().size() >= 3);
            assertThat(deliveries.change(id, "pause", "").required("state").stringValue())
                    .isEqualTo("PAUSED");
            await().pollDelay(Duration.ofMillis(200))
                    .until(
                            () -> {
                                int sent = receiver.requests().size();
                                Thread.sleep(150);
                                return receiver.requests().size() == sent;
                            });
            JsonNode paused = deliveries.document(id);
            assertThat(number(paused, "deliveredRows")).isEqualTo(receiver.requests().size());
            deliveries.change(id, "resume", "");
            deliveries.awaitState(id, "COMPLETED");
            assertThat(bodies(receiver).stream().flatMap(List::stream)).isEqualTo(range(0, 100));
        }
    }

    @Test
    void aPoisonBatchHoldsUpNobody() throws IOException {
        try (Receiver receiver = Receiver.start()) {
            receiver.by(
                    request ->
                            ids(request.text()).contains(0L)
                                    ? Reply.status(503)
                                    : Reply.status(200));
            String id =
                    deliveries.begin(
                            job("tens"),
                            receiver.uri("/"),
                            10,
                            Map.of(
                                    "order",
                                    "any",
                                    "retry",
                                    Map.of("initialDelay", "1h", "maxDelay", "1h")));
            await().until(() -> number(deliveries.document(id), "deliveredRows") == 90);
            JsonNode waiting = deliveries.document(id);
            assertThat(number(waiting, "committedRow")).isZero();
            assertThat(number(waiting, "waitingBatches")).isEqualTo(1);
            deliveries.change(id, "cancel", "");
        }
    }

    @Test
    void aRepeatWithTheSameKeyFindsTheFirstOnesDelivery() throws IOException {
        try (Receiver receiver = Receiver.start()) {
            String body =
                    "{\"job\": \"%s\", \"target\": {\"url\": \"%s\"}, \"batch\": {\"rows\": 50}}"
                            .formatted(job("tens"), receiver.uri("/"));
            HttpAnswer first = keyed("key-1", body);
            assertThat(first.status()).as(first.text()).isEqualTo(201);
            HttpAnswer again = keyed("key-1", body);
            assertThat(again.status()).as(again.text()).isEqualTo(200);
            assertThat(again.header("Location")).isEqualTo(first.header("Location"));
            HttpAnswer other = keyed("key-1", body + " ");
            assertThat(other.status()).isEqualTo(422);
            assertThat(other.text()).contains("idempotency-conflict");
            deliveries.awaitState(
                    MAPPER.readTree(first.text()).required("id").stringValue(), "COMPLETED");
            assertThat(receiver.requests()).hasSize(2);
        }
    }

    private static HttpAnswer keyed(String key, String body) {
        return server.http()
                .call(
                        "POST",
                        "/v1/deliveries",
                        Map.of("Accept", JSON, "Content-Type", JSON, "Idempotency-Key", key),
                        body);
    }

    @Test
    void aJobThatEndsEndsIt() throws IOException {
        try (Receiver receiver = Receiver.start()) {
            receiver.always(Reply.status(200).after(Duration.ofMillis(50)));
            String job = job("tens");
            String id = deliveries.begin(job, receiver.uri("/"), 1, Map.of());
            await().until(() -> !receiver.requests().isEmpty());
            server.http().call("DELETE", "/v1/jobs/" + job, Map.of(), null);
            JsonNode failed = deliveries.awaitState(id, "FAILED");
            assertThat(failed.required("reason").required("code").stringValue())
                    .isEqualTo("job-canceled");
        }
    }

    @Test
    void listsAreInPages() throws IOException {
        try (Receiver receiver = Receiver.start()) {
            String job = job("tens");
            String one = deliveries.begin(job, receiver.uri("/"), 50, Map.of());
            String two = deliveries.begin(job, receiver.uri("/"), 50, Map.of());
            JsonNode page =
                    MAPPER.readTree(server.http().get("/v1/deliveries?limit=1", JSON).text());
            assertThat(page.required("deliveries").get(0).required("id").stringValue())
                    .isEqualTo(two);
            HttpAnswer next = server.http().get("/v1/deliveries?limit=1&before=" + two, JSON);
            CONTRACT.check("GET", "/v1/deliveries", next);
            assertThat(next.text()).contains(one);
            deliveries.awaitState(one, "COMPLETED");
            deliveries.awaitState(two, "COMPLETED");
        }
    }
}
