package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.Groups;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.SpillwayServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Batches of consumer groups that end where a cap is met. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CappedGroupsTest {

    private static final String JSON = "application/json";
    private static final JsonMapper MAPPER = new JsonMapper();

    private static final String SOME =
            "{\"from\": {\"dataset\": \"flights\"}, \"steps\": [{\"op\": \"limit\", \"rows\":"
                    + " 2003}]}";
    private static final String DELAYED =
            "{\"from\": {\"dataset\": \"flights\"}, \"steps\": [{\"op\": \"filter\", \"where\":"
                    + " \"delay > 400\"}]}";

    private @Nullable SpillwayServer running;

    @BeforeAll
    void start() {
        running =
                SpillwayServer.builder()
                        .dataset("flights", Path.of("samples/flights-3m.parquet").toAbsolutePath())
                        .start();
    }

    @AfterAll
    void stop() {
        if (running != null) {
            running.close();
        }
    }

    private SpillwayServer service() {
        if (running == null) {
            throw new AssertionError("the server did not start");
        }
        return running;
    }

    private Groups group(String job, String name, String batch) {
        return new Groups(service().http(), job, name).made("{\"batch\": " + batch + "}");
    }

    /** All batches, in order, each committed. */
    private static List<JsonNode> drain(Groups group, int batches) {
        TreeMap<Long, JsonNode> found = new TreeMap<>();
        HttpAnswer answer = group.ask("ann", batches, "");
        while (answer.status() != 410) {
            if (answer.status() == 200) {
                for (JsonNode lease : Groups.leases(answer)) {
                    found.put(lease.required("firstRow").longValue(), lease);
                    group.commit(lease);
                }
            }
            answer = group.ask("ann", batches, "");
        }
        assertThat(answer.text()).contains("group-done");
        return List.copyOf(found.values());
    }

    /** Borders as a plain loop over the rows finds them. */
    private static List<String> expected(
            List<String> rows, int maxRows, long maxBytes, @Nullable String column, long max) {
        List<String> batches = new ArrayList<>();
        int first = 0;
        long bytes = 2;
        long weight = 0;
        for (int row = 0; row <= rows.size(); row++) {
            String reason = null;
            if (row < rows.size()) {
                long rowBytes = rows.get(row).getBytes(StandardCharsets.UTF_8).length;
                long rowWeight = column == null ? 0 : weight(rows.get(row), column);
                if (row > first && bytes + 1 + rowBytes > maxBytes) {
                    reason = "bytes";
                } else if (row > first && weight + rowWeight > max) {
                    reason = "weight";
                }
            }
            boolean full = row - first == maxRows;
            if (row > first && (full || reason != null || row == rows.size())) {
                batches.add(
                        first
                                + "+"
                                + (row - first)
                                + (full ? "" : reason == null ? "end" : reason));
                first = row;
                bytes = 2;
                weight = 0;
            }
            if (row < rows.size()) {
                long rowBytes = rows.get(row).getBytes(StandardCharsets.UTF_8).length;
                bytes += rowBytes + (row > first ? 1 : 0);
                weight += column == null ? 0 : weight(rows.get(row), column);
            }
        }
        return batches;
    }

    private static long weight(String row, String column) {
        JsonNode value = MAPPER.readTree(row).required(column);
        return value.isNull() ? 0 : Math.max(0, value.longValue());
    }

    private static List<String> told(List<JsonNode> leases) {
        return leases.stream()
                .map(
                        lease ->
                                lease.required("firstRow").longValue()
                                        + "+"
                                        + lease.required("rowCount").longValue()
                                        + lease.path("shortReason").asString(""))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {SOME, DELAYED})
    void aBatchEndsWhereTheFirstCapIsMet(String plan) {
        String job = service().submit(plan);
        List<String> rows = service().lines(job, "");
        assertThat(told(drain(group(job, "bytes", "{\"rows\": 50, \"maxBytes\": 3000}"), 3)))
                .isEqualTo(expected(rows, 50, 3_000, null, 0));
        assertThat(
                        told(
                                drain(
                                        group(
                                                job,
                                                "weight",
                                                "{\"rows\": 20, \"weight\": {\"column\":"
                                                        + " \"distance\", \"max\": 9000}}"),
                                        40)))
                .isEqualTo(expected(rows, 20, Long.MAX_VALUE, "distance", 9_000));
        List<String> both = expected(rows, 24, 1_800, "delay", 300);
        assertThat(both).anyMatch(b -> b.endsWith("bytes") || b.endsWith("weight"));
        assertThat(
                        told(
                                drain(
                                        group(
                                                job,
                                                "both",
                                                "{\"rows\": 24, \"maxBytes\": 1800, \"weight\":"
                                                        + " {\"column\": \"delay\", \"max\": 300}}"),
                                        1)))
                .isEqualTo(both);
    }

    @Test
    void oneRowOverACapGoesAloneAndHasNoNumber() {
        String job = service().submit(SOME);
        Groups group = group(job, "tiny", "{\"rows\": 10, \"maxBytes\": 1}");
        List<JsonNode> leases = group.claim("ann", 5);
        assertThat(told(leases))
                .containsExactly("0+1bytes", "1+1bytes", "2+1bytes", "3+1bytes", "4+1bytes");
        assertThat(leases.getFirst().has("batch")).isFalse();
        assertThat(group.rows(leases.get(3))).isEqualTo(service().lines(job, "offset=3&limit=1"));
    }

    @Test
    void manyWhoClaimAtOnceCutTheSameAsOne() throws Exception {
        String job = service().submit(DELAYED);
        String batch = "{\"rows\": 16, \"maxBytes\": 1000}";
        List<String> alone = told(drain(group(job, "alone", batch), 1));
        Groups group = group(job, "many", batch);
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Callable<List<JsonNode>>> readers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int batches = 1 + i;
                readers.add(() -> drain(group, batches));
            }
            TreeMap<Long, JsonNode> all = new TreeMap<>();
            int count = 0;
            for (Future<List<JsonNode>> found : threads.invokeAll(readers)) {
                for (JsonNode lease : found.get()) {
                    all.put(lease.required("firstRow").longValue(), lease);
                    count++;
                }
            }
            assertThat(all).hasSize(count);
            assertThat(told(List.copyOf(all.values()))).isEqualTo(alone);
        }
    }

    @Test
    void theLastBatchIsDroppedIfOnlyTheEndMadeItShort() {
        String job = service().submit(SOME);
        List<String> rows = service().lines(job, "");
        List<String> kept =
                expected(rows, 50, 3_000, null, 0).stream()
                        .filter(batch -> !batch.endsWith("end"))
                        .toList();
        Groups group = group(job, "full", "{\"rows\": 50, \"maxBytes\": 3000, \"dropLast\": true}");
        assertThat(told(drain(group, 7))).isEqualTo(kept);
    }

    @Test
    void aResetMayBeginAnywhere() {
        String job = service().submit(SOME);
        Groups group = group(job, "reset", "{\"rows\": 50, \"maxBytes\": 3000}");
        drain(group, 5);
        assertThat(group.reset(1_997).status()).isEqualTo(200);
        assertThat(told(drain(group, 5))).containsExactly("1997+6end");
    }

    @Test
    void aWeightAloneIsReadAlone() {
        String job = service().submit(SOME);
        Groups group =
                group(
                        job,
                        "narrow",
                        "{\"rows\": 100, \"weight\": {\"column\": \"distance\", \"max\": 50000}}");
        drain(group, 100);
        long narrow = bytesRead(job);
        assertThat(service().lines(job, "limit=1")).hasSize(1);
        assertThat(narrow).isPositive().isLessThan(bytesRead(job) - narrow);
    }

    private long bytesRead(String job) {
        HttpAnswer answer = service().http().get("/v1/jobs/" + job, JSON);
        return MAPPER.readTree(answer.text()).at("/progress/bytesRead").longValue();
    }

    @Test
    void whatCannotWeighIsRefused() {
        String job = service().submit(SOME);
        Groups group = new Groups(service().http(), job, "heavy");
        HttpAnswer unknown =
                group.put(
                        "{\"batch\": {\"rows\": 1, \"weight\": {\"column\": \"dely\", \"max\":"
                                + " 1}}}");
        assertThat(unknown.status()).isEqualTo(400);
        assertThat(unknown.text()).contains("unknown-column", "\"suggestion\":\"delay\"");
        HttpAnswer text =
                group.put(
                        "{\"batch\": {\"rows\": 1, \"weight\": {\"column\": \"origin\", \"max\":"
                                + " 1}}}");
        assertThat(text.status()).isEqualTo(400);
        assertThat(text.text()).contains("type-mismatch", "/batch/weight/column");
    }
}
