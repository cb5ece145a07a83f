package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.testing.Groups;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.SpillwayServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Consumer groups over HTTP: what readers get, and what nobody gets. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GroupsTest {

    private static final String JSON = "application/json";
    private static final JsonMapper MAPPER = new JsonMapper();

    /** Of 53 rows. */
    private static final String SMALL = limit(53);

    private static final String DELAYED =
            "{\"from\": {\"dataset\": \"flights\"}, \"steps\": [{\"op\": \"filter\", \"where\":"
                    + " \"delay > 300\"}]}";

    private @Nullable SpillwayServer running;

    /** Of somebody else. */
    private @Nullable SpillwayServer foreign;

    @BeforeAll
    void start() {
        running = server().start();
        foreign = server().start();
    }

    private static SpillwayServer.Builder server() {
        return SpillwayServer.builder()
                .dataset("flights", Path.of("samples/flights-3m.parquet").toAbsolutePath());
    }

    @AfterAll
    void stop() {
        for (SpillwayServer server : Arrays.asList(running, foreign)) {
            if (server != null) {
                server.close();
            }
        }
    }

    private SpillwayServer service() {
        return started(running);
    }

    private static SpillwayServer started(@Nullable SpillwayServer server) {
        if (server == null) {
            throw new AssertionError("the server did not start");
        }
        return server;
    }

    private static String limit(int rows) {
        return "{\"from\": {\"dataset\": \"flights\"}, \"steps\": [{\"op\": \"limit\", \"rows\": "
                + rows
                + "}]}";
    }

    private Groups group(String job, String body) {
        return new Groups(service().http(), job, "workers").made(body);
    }

    private static String problem(int status, HttpAnswer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.mediaType()).isEqualTo("application/problem+json");
        return MAPPER.readTree(answer.text()).required("code").stringValue();
    }

    /** Claims and commits until all is done; gives the rows in the order of their batches. */
    private static List<String> drain(Groups group, int batches) {
        Map<Long, List<String>> read = new TreeMap<>();
        HttpAnswer answer = group.ask("ann", batches, "");
        while (answer.status() == 200) {
            for (JsonNode lease : Groups.leases(answer)) {
                List<String> rows = group.rows(lease);
                assertThat(rows).hasSize(lease.required("rowCount").intValue());
                read.put(lease.required("firstRow").longValue(), rows);
                group.commit(lease);
            }
            answer = group.ask("ann", batches, "");
        }
        assertThat(problem(410, answer)).isEqualTo("group-done");
        return read.values().stream().flatMap(List::stream).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 52, 53, 54, 1_000_000})
    void theUnionOfAllBatchesIsTheJobOfWhateverSizeTheyAre(int rows) {
        String job = service().submit(SMALL);
        Groups group = group(job, "{\"batch\": {\"rows\": " + rows + "}}");
        assertThat(drain(group, 3)).isEqualTo(service().lines(job, ""));
        JsonNode document = group.document();
        assertThat(document.required("done").booleanValue()).isTrue();
        JsonNode progress = document.required("progress");
        for (String row : List.of("committedRow", "committedRows", "nextRow", "endRow")) {
            assertThat(progress.required(row).longValue()).as(row).isEqualTo(53);
        }
        assertThat(progress.required("committedBatches").intValue())
                .isEqualTo((53 + rows - 1) / rows);
    }

    @Test
    void aShortLastBatchSaysSoOrIsDropped() {
        String job = service().submit(SMALL);
        Groups all = group(job, "{\"batch\": {\"rows\": 10}}");
        List<JsonNode> leases = all.claim("ann", 100);
        assertThat(leases).hasSize(6);
        assertThat(leases.get(4).has("shortReason")).isFalse();
        assertThat(leases.get(5).required("shortReason").stringValue()).isEqualTo("end");
        assertThat(leases.get(5).required("batch").intValue()).isEqualTo(5);
        assertThat(leases.get(5).required("rowCount").intValue()).isEqualTo(3);

        Groups full = new Groups(service().http(), job, "full");
        full.made("{\"batch\": {\"rows\": 10, \"dropLast\": true}}");
        assertThat(drain(full, 2)).isEqualTo(service().lines(job, "limit=50"));
        assertThat(full.document().at("/progress/endRow").intValue()).isEqualTo(50);
    }

    @Test
    void aJobWithoutRowsIsDoneAtOnce() {
        String job = service().submit(limit(0));
        assertThat(drain(group(job, "{\"batch\": {\"rows\": 10}}"), 1)).isEmpty();
    }

    @Test
    void whatOthersHaveIsWaitedFor() {
        String job = service().submit(SMALL);
        Groups group = group(job, "{\"batch\": {\"rows\": 53}, \"leaseTime\": \"500ms\"}");
        JsonNode first = group.claim("ann", 1).getFirst();
        HttpAnswer none = group.ask("bob", 1, "");
        assertThat(none.status()).isEqualTo(204);
        assertThat(none.header("Retry-After")).contains("1");
        await().atMost(Duration.ofSeconds(20)).until(() -> group.ask("bob", 1, "").status() == 200);
        assertThat(problem(409, group.use(first, "commit"))).isEqualTo("lease-lost");
        assertThat(group.use(first, "commit").text()).contains("'bob'").contains("\"row\":0");
    }

    @Test
    void rowsThatAreNotCountedAreCountedAsFarAsBatchesNeed() {
        String job = service().submit(DELAYED);
        Groups group = group(job, "{\"batch\": {\"rows\": 100}}");
        int status;
        do {
            HttpAnswer answer = group.ask("eager", 1, "?wait=0s");
            status = answer.status();
            if (status == 204) {
                assertThat(answer.header("Retry-After")).contains("1");
            } else {
                assertThat(status).as(answer.text()).isEqualTo(200);
                Groups.leases(answer).forEach(lease -> group.use(lease, "release"));
            }
        } while (status == 204);
        assertThat(drain(group, 5)).isEqualTo(service().lines(job, ""));
    }

    @Test
    void aSortedJobIsSharedLikeAnyOther() {
        String job =
                service()
                        .submit(
                                "{\"from\": {\"dataset\": \"flights\"}, \"steps\": [{\"op\":"
                                        + " \"filter\", \"where\": \"delay > 500\"}, {\"op\": \"sort\","
                                        + " \"by\": [\"delay DESC\"]}]}");
        Groups group = group(job, "{\"batch\": {\"rows\": 64}}");
        assertThat(drain(group, 4)).isEqualTo(service().lines(job, ""));
    }

    @Test
    void whoHasABatchAfterAnotherReadsTheSameBytes() {
        String job =
                service()
                        .submit(
                                "{\"from\": {\"dataset\": \"flights\"}, \"steps\": [{\"op\":"
                                        + " \"limit\", \"rows\": 20000}, {\"op\": \"filter\","
                                        + " \"where\": \"delay > 0\"}, {\"op\": \"sample\","
                                        + " \"fraction\": 0.3, \"seed\": 7}]}");
        Groups group = group(job, "{\"batch\": {\"rows\": 137}}");
        group.claim("first", 2);
        JsonNode first = group.claim("first", 1).getFirst();
        HttpAnswer once = group.askRows(first);
        assertThat(once.text().lines()).hasSize(137);
        assertThat(group.use(first, "release").status()).isEqualTo(204);
        JsonNode second = group.claim("second", 1).getFirst();
        assertThat(second.required("firstRow")).isEqualTo(first.required("firstRow"));
        assertThat(second.required("epoch").intValue()).isEqualTo(2);
        assertThat(group.askRows(second).text()).isEqualTo(once.text());
        assertThat(group.reset(137 * 2).status()).isEqualTo(200);
        assertThat(group.askRows(group.claim("third", 1).getFirst()).text()).isEqualTo(once.text());
        assertThat(group.reset(0).status()).isEqualTo(200);
        assertThat(drain(group, 3)).isEqualTo(service().lines(job, ""));
    }

    @Test
    void aResetHandsOutAnewFromARowOn() {
        String job = service().submit(SMALL);
        Groups group = group(job, "{\"batch\": {\"rows\": 10}}");
        drain(group, 2);
        HttpAnswer reset = group.reset(30);
        assertThat(reset.status()).as(reset.text()).isEqualTo(200);
        JsonNode document = MAPPER.readTree(reset.text());
        assertThat(document.required("generation").intValue()).isEqualTo(2);
        assertThat(document.required("done").booleanValue()).isFalse();
        assertThat(document.at("/progress/committedRow").intValue()).isEqualTo(30);
        JsonNode stale = group.claim("ann", 1).getFirst();
        assertThat(stale.required("firstRow").intValue()).isEqualTo(30);
        assertThat(group.reset(50).status()).isEqualTo(200);
        for (String action : List.of("renew", "commit", "release")) {
            HttpAnswer answer = group.use(stale, action);
            assertThat(problem(409, answer)).isEqualTo("lease-lost");
            assertThat(answer.text()).contains("reset");
        }
        assertThat(drain(group, 2)).isEqualTo(service().lines(job, "offset=50"));
        assertThat(problem(400, group.reset(55))).isEqualTo("invalid-plan");
        assertThat(problem(400, group.reset(60))).isEqualTo("invalid-plan");
        assertThat(problem(400, group.reset(-10))).isEqualTo("invalid-plan");
        assertThat(group.document().required("generation").intValue()).isEqualTo(3);
    }

    @Test
    void aResetToARowThatMayNotBeThereAsksForACount() {
        String job = service().submit(DELAYED);
        Groups group = group(job, "{\"batch\": {\"rows\": 10}}");
        HttpAnswer early = group.reset(1_000_000);
        assertThat(problem(409, early)).isEqualTo("row-count-unknown");
        assertThat(early.text()).contains("/v1/jobs/" + job + ":count");
        assertThat(service().http().post("/v1/jobs/" + job + ":count", JSON, "").status())
                .isEqualTo(200);
        assertThat(problem(400, group.reset(1_000_000))).isEqualTo("invalid-plan");
        assertThat(group.reset(100).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {"batch": {"rows": 0}}                              | invalid-plan | /batch/rows
                    {"batch": {"rows": -1}}                             | invalid-plan | /batch/rows
                    {"batch": {"rows": 1000001}}                        | invalid-plan | /batch/rows
                    {"batch": {"rows": 9223372036854775808}}            | invalid-plan | /batch/rows
                    {"batch": {"rows": 1.5}}                            | invalid-plan | /batch/rows
                    {"batch": {"rows": "10"}}                           | invalid-plan | /batch/rows
                    {"batch": {}}                                       | invalid-plan | /batch
                    {"batch": {"rows": 1, "maxbytes": 1}}               | invalid-plan | /batch/maxbytes
                    {"batch": {"rows": 1, "maxBytes": 0}}               | invalid-plan | /batch/maxBytes
                    {"batch": {"rows": 1, "weight": {"column": "delay"}}} | invalid-plan | /batch/weight
                    {"batch": {"rows": 1}, "leaseTime": "0s"}           | invalid-plan | /leaseTime
                    {"batch": {"rows": 1}, "leaseTime": "99ms"}         | invalid-plan | /leaseTime
                    {"batch": {"rows": 1}, "leaseTime": "25h"}          | invalid-plan | /leaseTime
                    {"rows": 1}                                         | invalid-plan | /rows
                    {                                                   | malformed-json |
                    """)
    void aGroupThatCannotBeIsRefusedWithThePlace(
            String body, String code, @Nullable String pointer) {
        String job = service().submit(SMALL);
        HttpAnswer answer = new Groups(service().http(), job, "workers").put(body);
        assertThat(problem(400, answer)).isEqualTo(code);
        if (pointer != null) {
            assertThat(MAPPER.readTree(answer.text()).required("pointer").stringValue())
                    .isEqualTo(pointer);
        }
        assertThat(service().http().get("/v1/jobs/" + job + "/groups", JSON).text())
                .isEqualTo("{\"groups\":[]}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"reader\": \" \"}",
                "{\"reader\": \"a\", \"batches\": 0}",
                "{\"reader\": \"a\", \"batches\": 1001}",
                "{\"reader\": \"a\", \"leaseTime\": \"2d\"}",
                "{\"reader\": \"a\\u0000b\"}",
                "[]"
            })
    void aClaimThatCannotBeMovesNothing(String body) {
        String job = service().submit(SMALL);
        Groups group = group(job, "{\"batch\": {\"rows\": 10}}");
        HttpAnswer answer =
                service().http().post("/v1/jobs/" + job + "/groups/workers:claim", JSON, body);
        assertThat(problem(400, answer)).isEqualTo("invalid-plan");
        assertThat(group.document().at("/progress/nextRow").intValue()).isZero();
    }

    @Test
    void aGroupStaysAsItWasMade() {
        String job = service().submit(SMALL);
        Groups group = group(job, "{\"batch\": {\"rows\": 10}, \"leaseTime\": \"90s\"}");
        JsonNode lease = group.claim("ann", 1).getFirst();
        HttpAnswer same =
                group.put(
                        "{\"leaseTime\": \"PT1M30S\", \"batch\": {\"dropLast\": false, \"rows\":"
                                + " 10}}");
        assertThat(same.status()).as(same.text()).isEqualTo(200);
        assertThat(MAPPER.readTree(same.text())).isEqualTo(group.document());
        for (String other :
                List.of(
                        "{\"batch\": {\"rows\": 11}, \"leaseTime\": \"90s\"}",
                        "{\"batch\": {\"rows\": 10}}",
                        "{\"batch\": {\"rows\": 10, \"dropLast\": true}, \"leaseTime\":"
                                + " \"90s\"}")) {
            assertThat(problem(409, group.put(other))).isEqualTo("group-conflict");
        }
        group.commit(lease);
        assertThat(
                        problem(
                                400,
                                new Groups(service().http(), job, "odd%20name")
                                        .put("{\"batch\": {\"rows\": 1}}")))
                .isEqualTo("invalid-parameter");
        assertThat(problem(404, new Groups(service().http(), job, "odd%20name").ask("ann", 1, "")))
                .isEqualTo("unknown-group");
    }

    @Test
    void aForgedOrForeignLeaseIsRefused() {
        String job = service().submit(SMALL);
        Groups group = group(job, "{\"batch\": {\"rows\": 10}}");
        String token = group.claim("ann", 1).getFirst().required("lease").stringValue();
        String cursor =
                MAPPER.readTree(service().page(job, "limit=1")).at("/next/cursor").stringValue();
        char last = token.charAt(token.length() - 2);
        List<String> tokens = new ArrayList<>(List.of("x", cursor, token + "A"));
        tokens.add(
                token.substring(0, token.length() - 2)
                        + (last == 'A' ? 'B' : 'A')
                        + token.substring(token.length() - 1));
        SpillwayServer other = started(foreign);
        tokens.add(
                new Groups(other.http(), other.submit(SMALL), "workers")
                        .made("{\"batch\": {\"rows\": 10}}")
                        .claim("ann", 1)
                        .getFirst()
                        .required("lease")
                        .stringValue());
        for (String forged : tokens) {
            for (String action : List.of("renew", "commit", "release")) {
                HttpAnswer answer =
                        service().http().post("/v1/leases/" + forged + ":" + action, JSON, "");
                assertThat(problem(400, answer)).as(forged).isEqualTo("invalid-lease");
            }
        }
        assertThat(group.document().at("/progress/leasedBatches").intValue()).isEqualTo(1);
        assertThat(group.document().at("/progress/committedRows").intValue()).isZero();
    }

    @Test
    void leasesOfAGroupThatWasRemovedAreNotThoseOfTheNextOfItsName() {
        String job = service().submit(SMALL);
        Groups group = group(job, "{\"batch\": {\"rows\": 10}}");
        JsonNode lease = group.claim("ann", 1).getFirst();
        String path = "/v1/jobs/" + job + "/groups/workers";
        assertThat(service().http().call("DELETE", path, Map.of(), null).status()).isEqualTo(204);
        assertThat(problem(404, service().http().get(path, JSON))).isEqualTo("unknown-group");
        group.made("{\"batch\": {\"rows\": 10}}");
        group.claim("bob", 1);
        assertThat(problem(404, group.use(lease, "commit"))).isEqualTo("unknown-group");
    }

    @Test
    void aJobThatEndsTakesItsLeasesWithIt() {
        String job = service().submit(SMALL);
        Groups group = group(job, "{\"batch\": {\"rows\": 10}}");
        JsonNode lease = group.claim("ann", 1).getFirst();
        assertThat(service().http().call("DELETE", "/v1/jobs/" + job, Map.of(), null).status())
                .isEqualTo(204);
        assertThat(problem(410, group.use(lease, "commit"))).isEqualTo("job-canceled");
        assertThat(problem(410, group.ask("ann", 1, ""))).isEqualTo("job-canceled");
        assertThat(group.document().at("/progress/committedRows").intValue()).isZero();
    }

    @Test
    void useOfAGroupRenewsItsJob() throws Exception {
        HttpAnswer made =
                service()
                        .http()
                        .post(
                                "/v1/jobs",
                                JSON,
                                "{\"plan\": " + SMALL + ", \"options\": {\"ttl\": \"2s\"}}");
        String job = MAPPER.readTree(made.text()).required("id").stringValue();
        Groups group = group(job, "{\"batch\": {\"rows\": 1}}");
        long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        while (System.nanoTime() < end) {
            JsonNode lease = group.claim("ann", 1).getFirst();
            assertThat(group.use(lease, "renew").status()).isEqualTo(200);
            group.commit(lease);
            Thread.sleep(400);
        }
        HttpAnswer after = service().http().get("/v1/jobs/" + job, JSON);
        assertThat(MAPPER.readTree(after.text()).required("state").stringValue())
                .isEqualTo("READY");
    }

    @Test
    void twoWhoClaimAtOnceGetDifferentBatches() throws Exception {
        String job = service().submit(limit(2_500));
        Groups group = group(job, "{\"batch\": {\"rows\": 10}}");
        try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
            List<Callable<List<Long>>> readers = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                String reader = "reader-" + i;
                readers.add(
                        () ->
                                group.claim(reader, 5).stream()
                                        .map(lease -> lease.required("firstRow").longValue())
                                        .toList());
            }
            List<Long> rows = new ArrayList<>();
            for (Future<List<Long>> claimed : threads.invokeAll(readers)) {
                rows.addAll(claimed.get());
            }
            assertThat(new HashSet<>(rows)).hasSize(80).hasSameSizeAs(rows);
            assertThat(group.document().at("/progress/nextRow").intValue()).isEqualTo(800);
        }
    }
}
