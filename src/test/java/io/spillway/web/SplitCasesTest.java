package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.HttpAnswer;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.RowForm;
import io.spillway.testing.SpillwayServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Splits of files of odd lengths, read at once, again, from the middle and after a restart. */
class SplitCasesTest {

    private static final String JSON = "application/json";
    private static final JsonMapper MAPPER = new JsonMapper();

    @TempDir Path folder;

    private SpillwayServer.Builder files(int... rows) {
        List<Path> files = new ArrayList<>();
        int next = 0;
        for (int count : rows) {
            files.add(
                    ParquetFiles.write(
                            folder.resolve("part-" + files.size() + ".parquet"),
                            "SELECT i AS id, 'row ' || i AS name FROM range(%d, %d) AS t(i)"
                                    .formatted(next, next + count),
                            ""));
            next += count;
        }
        return SpillwayServer.builder()
                .home(folder.resolve("home"))
                .dataset("a", files.toArray(Path[]::new));
    }

    private static JsonNode splits(SpillwayServer server, String job, String body) {
        HttpAnswer answer = server.http().post("/v1/jobs/" + job + "/splits", JSON, body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return MAPPER.readTree(answer.text());
    }

    private static List<Long> ids(SpillwayServer server, String job, JsonNode split, String query) {
        return RowForm.NDJSON
                .rowsAt(server.port(), split.get("href").stringValue(), job, query)
                .stream()
                .map(row -> MAPPER.readTree(row).get("id").longValue())
                .toList();
    }

    private static List<Long> idsOf(SpillwayServer server, String job, JsonNode splits)
            throws Exception {
        List<Long> ids = new ArrayList<>();
        try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<Long>>> reads = new ArrayList<>();
            for (JsonNode split : splits.get("splits")) {
                reads.add(readers.submit(() -> ids(server, job, split, "")));
            }
            for (Future<List<Long>> read : reads) {
                ids.addAll(read.get(60, TimeUnit.SECONDS));
            }
        }
        return ids;
    }

    private static List<Long> range(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{\"op\": \"filter\", \"where\": \"id >= 0\"}",
                "{\"op\": \"sort\", \"by\": [\"id\"]}"
            })
    void splitsThatAreReadAtOnceAreAllRowsAndTheRestIsEmpty(String step) throws Exception {
        try (SpillwayServer server = files(40, 1, 62).start()) {
            for (int count : List.of(2, 4, 200)) {
                String job =
                        server.submit(
                                "{\"from\": {\"dataset\": \"a\"}, \"steps\": [" + step + "]}");
                JsonNode splits = splits(server, job, "{\"count\": " + count + "}");
                assertThat(splits.get("splits")).hasSize(count);
                assertThat(idsOf(server, job, splits)).isEqualTo(range(0, 103));
                if (step.isEmpty() && count >= 4) {
                    for (JsonNode split : splits.get("splits")) {
                        assertThat(split.get("fileCount").intValue()).isLessThanOrEqualTo(1);
                    }
                }
                JsonNode last = splits.get("splits").get(count - 1);
                String path = last.get("href").stringValue();
                HttpAnswer page = server.http().get(path, JSON);
                assertThat(MAPPER.readTree(page.text()).get("schema")).hasSize(2);
                assertThat(server.http().get(path, "text/csv").text()).startsWith("id,name");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{\"op\": \"filter\", \"where\": \"id % 2 = 0\"}"})
    void allSplitsReadWhatAWholeReaderDoes(String step) throws Exception {
        try (SpillwayServer server = files(60_000, 50_000, 70_000, 40_000, 90_000).start()) {
            String plan = "{\"from\": {\"dataset\": \"a\"}, \"steps\": [" + step + "]}";
            String whole = server.submit(plan);
            List<String> rows = server.lines(whole, "format=ndjson");
            assertThat(bytesRead(server, whole)).isPositive();
            // A reader that gets no processor for a second is parked, and reads some bytes again.
            long least = Long.MAX_VALUE;
            for (int i = 0; i < 3; i++) {
                String apart = server.submit(plan);
                assertThat(idsOf(server, apart, splits(server, apart, "{\"count\": 4}")))
                        .hasSameSizeAs(rows);
                least = Math.min(least, bytesRead(server, apart));
            }
            assertThat(least).isLessThanOrEqualTo(bytesRead(server, whole) * 105 / 100);
        }
    }

    private static long bytesRead(SpillwayServer server, String job) {
        String document = server.http().get("/v1/jobs/" + job, JSON).text();
        return MAPPER.readTree(document).at("/progress/bytesRead").longValue();
    }

    @Test
    void equalSplitsLoseNothingUnlessThatIsAsked() throws Exception {
        try (SpillwayServer server = files(2, 2, 9, 9).start()) {
            assertThat(lengths(server, 22, 2, "exact")).containsExactly(11L, 11L);
            assertThat(lengths(server, 22, 2, "drop")).containsExactly(11L, 11L);
            assertThat(lengths(server, 10, 3, "exact")).containsExactly(4L, 3L, 3L);
            assertThat(lengths(server, 10, 3, "drop")).containsExactly(3L, 3L, 3L);
            assertThat(lengths(server, 10, 3, "pad")).containsExactly(4L, 4L, 4L);
            assertThat(lengths(server, 2, 5, "exact")).containsExactly(1L, 1L, 0L, 0L, 0L);
            assertThat(lengths(server, 2, 5, "drop")).containsExactly(0L, 0L, 0L, 0L, 0L);
            assertThat(lengths(server, 2, 5, "pad")).containsExactly(1L, 1L, 1L, 1L, 1L);

            String job = limited(server, 10);
            JsonNode padded = splits(server, job, equal(3, "pad"));
            assertThat(padded.get("repeatedRows").longValue()).isEqualTo(2);
            assertThat(padded.get("splits").get(2).get("repeats").longValue()).isEqualTo(2);
            assertThat(ids(server, job, padded.get("splits").get(2), ""))
                    .containsExactly(8L, 9L, 0L, 1L);
            assertThat(splits(server, job, equal(3, "drop")).get("droppedRows").longValue())
                    .isEqualTo(1);
        }
    }

    private static String limited(SpillwayServer server, int rows) {
        return server.submit(
                "{\"from\": {\"dataset\": \"a\"}, \"steps\": [{\"op\": \"limit\", \"rows\": %d}]}"
                        .formatted(rows));
    }

    private static String equal(int count, String mode) {
        return "{\"count\": %d, \"equalRows\": \"%s\"}".formatted(count, mode);
    }

    private static List<Long> lengths(SpillwayServer server, int rows, int count, String mode)
            throws Exception {
        String job = limited(server, rows);
        JsonNode splits = splits(server, job, equal(count, mode));
        List<Long> lengths = new ArrayList<>();
        for (JsonNode split : splits.get("splits")) {
            long told = split.get("rows").get("value").longValue();
            assertThat(ids(server, job, split, "")).hasSize((int) told);
            lengths.add(told);
        }
        return lengths;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"op\": \"filter\", \"where\": \"id % 3 <> 0\"}",
                "{\"op\": \"sample\", \"fraction\": 0.8, \"seed\": 5}"
            })
    void aSplitIsTheSameForWhoeverTakesItOver(String step) throws Exception {
        String job;
        JsonNode splits;
        List<Long> second;
        SpillwayServer.Builder files = files(300, 400, 100, 700);
        try (SpillwayServer server = files.start()) {
            job = server.submit("{\"from\": {\"dataset\": \"a\"}, \"steps\": [" + step + "]}");
            splits = splits(server, job, "{\"count\": 4}");
            second = ids(server, job, splits.get("splits").get(1), "");
            assertThat(second).hasSizeGreaterThan(200);
            assertThat(ids(server, job, splits.get("splits").get(1), "offset=137"))
                    .isEqualTo(second.subList(137, second.size()));
        }
        try (SpillwayServer server = files.start()) {
            JsonNode split = splits.get("splits").get(1);
            assertThat(ids(server, job, split, "offset=137"))
                    .isEqualTo(second.subList(137, second.size()));
            assertThat(ids(server, job, split, "")).isEqualTo(second);
            assertThat(idsOf(server, job, splits)).isSorted().doesNotHaveDuplicates();
            JsonNode again = splits(server, job, "{\"count\": 4}");
            assertThat(ids(server, job, again.get("splits").get(1), "")).isEqualTo(second);
        }
    }

    @Test
    void damagedAndForeignTokensAreRefused() {
        try (SpillwayServer server = files(10).start()) {
            String job = server.submit("{\"from\": {\"dataset\": \"a\"}}");
            JsonNode page = MAPPER.readTree(server.page(job, "limit=1"));
            String token =
                    splits(server, job, "{\"count\": 1}").at("/splits/0/token").stringValue();
            String damaged =
                    token.substring(0, 30)
                            + (token.charAt(30) == 'A' ? 'B' : 'A')
                            + token.substring(31);
            for (String wrong :
                    List.of(damaged, "x", page.at("/next/cursor").stringValue(), token + "A")) {
                HttpAnswer answer = server.http().get("/v1/splits/" + wrong + "/rows", JSON);
                assertThat(answer.status()).as(wrong).isEqualTo(400);
                assertThat(answer.text()).contains("invalid-split");
            }
            String cursor = page.at("/next/cursor").stringValue();
            HttpAnswer foreign =
                    server.http().get("/v1/splits/" + token + "/rows?cursor=" + cursor, JSON);
            assertThat(foreign.status()).isEqualTo(400);
            assertThat(foreign.text()).contains("invalid-cursor");
        }
    }
}
