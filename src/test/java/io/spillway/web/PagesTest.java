package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.SpillwayServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Pages by offset and cursor: borders, bad parameters, repeats, and what a page says of the next.
 */
class PagesTest {

    private static final String JSON = "application/json";
    private static final String NDJSON = "application/x-ndjson";
    private static final JsonMapper MAPPER = new JsonMapper();

    @TempDir static Path folder;

    private static SpillwayServer server;
    private static String three;
    private static String thousand;
    private static String odd;

    @BeforeAll
    static void start() {
        Path small =
                ParquetFiles.write(
                        folder.resolve("three.parquet"),
                        "SELECT * FROM (VALUES (3), (1), (2)) t(id)");
        Path large =
                ParquetFiles.write(
                        folder.resolve("thousand.parquet"),
                        "SELECT range AS id, 'row ' || range AS text FROM range(1000)",
                        "ROW_GROUP_SIZE 2048");
        server =
                SpillwayServer.builder()
                        .dataset("three", small)
                        .dataset("thousand", large)
                        .root(folder)
                        .start();
        three = server.submit("{\"from\": {\"dataset\": \"three\"}}");
        thousand = server.submit("{\"from\": {\"dataset\": \"thousand\"}}");
        odd =
                server.submit(
                        "{\"from\": {\"dataset\": \"thousand\"}, \"steps\": [{\"op\": \"filter\","
                                + " \"where\": \"id % 2 = 1\"}]}");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static JsonNode page(String job, String query) {
        return MAPPER.readTree(server.page(job, query));
    }

    private static List<Long> ids(JsonNode page) {
        List<Long> ids = new ArrayList<>();
        page.get("rows").forEach(row -> ids.add(row.get("id").longValue()));
        return ids;
    }

    @ParameterizedTest
    @CsvSource({
        "9223372036854775807, 2, ''",
        "9223372036854775807, 10, ''",
        "3, 10, ''",
        "4, 10, ''",
        "2, 10, '2'",
        "0, 0, ''",
        "1, 9000, '1,2'"
    })
    void offsetsAtAndPastTheEndGiveWhatThereIs(String offset, String limit, String expected) {
        JsonNode page = page(three, "offset=" + offset + "&limit=" + limit);
        assertThat(String.join(",", ids(page).stream().map(String::valueOf).toList()))
                .isEqualTo(expected);
        assertThat(page.get("rowCount").longValue()).isEqualTo(3);
        assertThat(page.get("schema")).hasSize(1);
        assertThat(page.get("next").isNull()).isEqualTo(!limit.equals("0"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"-1", "9223372036854775808", "1e3", "", "%205", "0x10", "1.0", "+1", "١"})
    void numbersThatAreNoneAreRefusedByName(String value) {
        for (String name : List.of("offset", "limit")) {
            HttpAnswer answer =
                    server.http()
                            .get(
                                    "/v1/jobs/" + three + "/rows?" + name + "=" + encoded(value),
                                    JSON);
            assertThat(answer.status()).isEqualTo(400);
            JsonNode problem = MAPPER.readTree(answer.text());
            assertThat(problem.get("code").stringValue()).isEqualTo("invalid-parameter");
            assertThat(problem.get("parameter").stringValue()).isEqualTo(name);
        }
    }

    private static String encoded(String value) {
        return value.equals("١") ? "%D9%A1" : value;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ofset=3",
                "offset=1&offset=2",
                "offset=1&cursor=x",
                "format=xml",
                "numbers=all",
                "rows=lists",
                "limit=10001"
            })
    void parametersThatAreUnknownOrContradictAreRefused(String query) {
        HttpAnswer answer = server.http().get("/v1/jobs/" + three + "/rows?" + query, JSON);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text()).contains("invalid-parameter");
    }

    @Test
    void aPageHasTheLengthThatItsHeaderSays() {
        HttpAnswer answer =
                server.http().get("/v1/jobs/" + thousand + "/rows?offset=100&limit=300", JSON);
        assertThat(answer.header("Content-Length"))
                .contains(Integer.toString(answer.text().length()));
        assertThat(answer.header("Link").orElseThrow())
                .contains(MAPPER.readTree(answer.text()).get("next").get("href").stringValue());
    }

    @Test
    void theSameCursorGivesTheSameBytesHoweverOftenAndByWhomever() {
        List<String> pages = new ArrayList<>();
        List<Long> all = new ArrayList<>();
        String href = "/v1/jobs/" + thousand + "/rows?limit=100";
        List<String> hrefs = new ArrayList<>();
        while (true) {
            hrefs.add(href);
            String text = server.http().get(href, JSON).text();
            pages.add(text);
            JsonNode page = MAPPER.readTree(text);
            all.addAll(ids(page));
            if (page.get("next").isNull()) {
                break;
            }
            href = page.get("next").get("href").stringValue();
        }
        assertThat(pages).hasSize(10);
        assertThat(all).hasSize(1000).isSorted().doesNotHaveDuplicates();
        for (int i = 9; i >= 0; i--) {
            assertThat(server.http().get(hrefs.get(i), JSON).text()).isEqualTo(pages.get(i));
        }
    }

    @Test
    void aFilteredJobSaysWhereItEndsAsSoonAsItIsKnown() {
        JsonNode middle = page(odd, "offset=10&limit=5");
        assertThat(ids(middle)).containsExactly(21L, 23L, 25L, 27L, 29L);
        assertThat(middle.get("next").get("offset").longValue()).isEqualTo(15);

        JsonNode exactEnd = page(odd, "offset=495&limit=5");
        assertThat(ids(exactEnd)).containsExactly(991L, 993L, 995L, 997L, 999L);
        assertThat(exactEnd.get("next").isNull()).isTrue();
        assertThat(exactEnd.get("rowCount").longValue()).isEqualTo(500);

        assertThat(ids(page(odd, "offset=498&limit=5"))).containsExactly(997L, 999L);
        assertThat(ids(page(odd, "offset=500&limit=5"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "limit:6 filter:id>=4 | 4,5",
                "limit:6 filter:id>=6 | ''",
                "offset:2 limit:5 filter:id%2=0 limit:1 | 2",
                "filter:id>=17 limit:2 | 17,18",
                "filter:id>=17 offset:2 limit:2 filter:id<>19 | 20",
                "limit:0 | ''",
                "offset:998 | 998,999",
                "filter:id>=0 offset:9223372036854775807 limit:9223372036854775807 | ''"
            })
    void limitsStayWhereTheyStand(String steps, String expected) {
        List<String> parts = new ArrayList<>();
        for (String step : Splitter.on(' ').split(steps)) {
            String[] words = step.split(":", 2);
            parts.add(
                    words[0].equals("filter")
                            ? "{\"op\": \"filter\", \"where\": \"" + words[1] + "\"}"
                            : "{\"op\": \"" + words[0] + "\", \"rows\": " + words[1] + "}");
        }
        String plan =
                "{\"from\": {\"dataset\": \"thousand\"}, \"steps\": ["
                        + String.join(",", parts)
                        + "]}";
        List<String> ids =
                server.ndjson(plan).stream()
                        .map(line -> MAPPER.readTree(line).get("id").toString())
                        .toList();
        assertThat(String.join(",", ids)).isEqualTo(expected);
    }

    @Test
    void aDeepPageReadsLittleOfALargeFile() throws Exception {
        Path file =
                ParquetFiles.write(
                        folder.resolve("deep.parquet"),
                        "SELECT range AS id FROM range(10000000)",
                        "CODEC 'zstd', ROW_GROUP_SIZE 100000");
        String from =
                "{\"from\": {\"files\": {\"format\": \"parquet\", \"paths\": [\"" + file + "\"]}}";
        String job = server.submit(from + "}");
        JsonNode page = page(job, "offset=9999990&limit=10");
        assertThat(ids(page)).first().isEqualTo(9_999_990L);
        assertThat(ids(page)).hasSize(10).last().isEqualTo(9_999_999L);
        assertThat(page.get("next").isNull()).isTrue();
        JsonNode document = MAPPER.readTree(server.http().get("/v1/jobs/" + job, JSON).text());
        assertThat(document.get("progress").get("bytesRead").longValue())
                .isPositive()
                .isLessThan(Files.size(file) / 20);

        String filtered =
                server.submit(
                        from + ", \"steps\": [{\"op\": \"filter\", \"where\": \"id % 2 = 1\"}]}");
        JsonNode last = page(filtered, "offset=4999995&limit=10");
        assertThat(ids(last))
                .containsExactly(9_999_991L, 9_999_993L, 9_999_995L, 9_999_997L, 9_999_999L);
        assertThat(last.get("next").isNull()).isTrue();
        assertThat(last.get("rowCount").longValue()).isEqualTo(5_000_000);
    }

    @Test
    void aDamagedOrForeignCursorIsRefused() {
        String cursor = page(thousand, "limit=10").get("next").get("cursor").stringValue();
        char flipped = cursor.charAt(50) == 'A' ? 'B' : 'A';
        String damaged = cursor.substring(0, 50) + flipped + cursor.substring(51);
        for (String path :
                List.of(
                        "/v1/jobs/" + thousand + "/rows?cursor=" + damaged,
                        "/v1/jobs/" + thousand + "/rows?cursor=",
                        "/v1/jobs/" + odd + "/rows?cursor=" + cursor)) {
            HttpAnswer answer = server.http().get(path, JSON);
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.text()).contains("invalid-cursor").doesNotContain("\"rows\"");
        }
        assertThat(server.lines(thousand, "cursor=" + cursor + "&limit=1"))
                .hasSize(1)
                .first()
                .asString()
                .contains("\"id\":10,");
    }

    @ParameterizedTest
    @CsvSource({
        "text/html, 406",
        "image/*, 406",
        "'application/x-ndjson;q=0, */*', 200",
        "'*/*', 200",
        "application/*, 200",
        "garbage, 406"
    })
    void acceptIsHonoured(String accept, int status) {
        HttpAnswer answer = server.http().get("/v1/jobs/" + three + "/rows", accept);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.mediaType()).isEqualTo(status == 200 ? JSON : "application/problem+json");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 60, 1_000, 70_000})
    void aPageHasAsManyRowsAsFitItsBytesAndOneAtLeast(int maxBytes) {
        List<Long> all = new ArrayList<>();
        String href = "/v1/jobs/" + thousand + "/rows?limit=900&maxBytes=" + maxBytes;
        for (int pages = 0; pages < 20; pages++) {
            String text = server.http().get(href, JSON).text();
            JsonNode page = MAPPER.readTree(text);
            all.addAll(ids(page));
            JsonNode next = page.get("next");
            int size = page.get("rows").size();
            int bytes = text.indexOf("],\"next\"") - text.indexOf("\"rows\":[") - 8;
            assertThat(bytes <= maxBytes || size == 1).isTrue();
            if (next.isNull()) {
                break;
            }
            if (next.get("reason").stringValue().equals("maxBytes")) {
                String row = "{\"id\":%d,\"text\":\"row %1$d\"}".formatted(all.size());
                assertThat(bytes + 1 + row.length()).isGreaterThan(maxBytes);
            } else {
                assertThat(size).isEqualTo(900);
            }
            href = next.get("href").stringValue();
            assertThat(href).contains("&maxBytes=" + maxBytes);
        }
        for (int i = 0; i < all.size(); i++) {
            assertThat(all.get(i)).isEqualTo(i);
        }
        assertThat(all).hasSizeGreaterThanOrEqualTo(20);
    }

    @Test
    void aPageEndsEarlyAtItsByteLimitAndSaysSo() {
        try (SpillwayServer tight =
                SpillwayServer.builder()
                        .dataset(
                                "many",
                                ParquetFiles.write(
                                        folder.resolve("many.parquet"),
                                        "SELECT range AS id, 'row ' || range AS text FROM"
                                                + " range(20000)",
                                        "ROW_GROUP_SIZE 2048"))
                        .set("spillway.limits.page-bytes", "100KB")
                        .start()) {
            List<Long> all = new ArrayList<>();
            String href =
                    "/v1/jobs/"
                            + tight.submit("{\"from\": {\"dataset\": \"many\"}}")
                            + "/rows?limit=9000";
            boolean cut = false;
            while (true) {
                String text = tight.http().get(href, JSON).text();
                assertThat(tight.http().get(href, JSON).text()).isEqualTo(text);
                JsonNode page = MAPPER.readTree(text);
                all.addAll(ids(page));
                if (page.get("next").isNull()) {
                    break;
                }
                cut |= page.get("next").get("reason").stringValue().equals("maxBytes");
                href = page.get("next").get("href").stringValue();
            }
            assertThat(cut).isTrue();
            assertThat(all).hasSize(20_000).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    void anIdempotencyKeyMakesARepeatReturnTheSameJob() {
        String body = "{\"plan\": {\"from\": {\"dataset\": \"three\"}}}";
        Map<String, String> headers =
                Map.of("Idempotency-Key", "k1", "Content-Type", JSON, "Accept", JSON);
        HttpAnswer first = server.http().call("POST", "/v1/jobs", headers, body);
        HttpAnswer again = server.http().call("POST", "/v1/jobs", headers, body);
        HttpAnswer other =
                server.http().call("POST", "/v1/jobs", headers, body.replace("three", "thousand"));

        assertThat(first.status()).isEqualTo(201);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.header("Location")).isEqualTo(first.header("Location"));
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.text()).contains("idempotency-conflict");
    }

    @Test
    void aJobThatExpiredIsGoneAndAnUnknownOneWasNeverThere() throws Exception {
        HttpAnswer made =
                server.http()
                        .post(
                                "/v1/jobs",
                                JSON,
                                "{\"plan\": {\"from\": {\"dataset\": \"three\"}}, \"options\":"
                                        + " {\"ttl\": \"1s\"}}");
        String path = made.header("Location").orElseThrow();
        assertThat(server.http().get(path + "/rows", JSON).status()).isEqualTo(200);
        Thread.sleep(1_500);
        HttpAnswer expired = server.http().get(path + "/rows", JSON);
        assertThat(expired.status()).isEqualTo(410);
        assertThat(expired.text()).contains("job-expired");
        assertThat(server.http().get(path, JSON).text()).contains("\"EXPIRED\"");
        assertThat(server.http().get("/v1/jobs/" + "0".repeat(32) + "/rows", JSON).status())
                .isEqualTo(404);
    }

    @Test
    void aBodyOverTheLimitOrOfAnotherTypeIsRefused() {
        String large = "{\"plan\": {\"from\": {\"dataset\": \"" + "x".repeat(17 << 20) + "\"}}}";
        assertThat(server.http().post("/v1/jobs", JSON, large).status()).isEqualTo(413);
        HttpAnswer text =
                server.http().call("POST", "/v1/jobs", Map.of("Content-Type", "text/plain"), "{}");
        assertThat(text.status()).isEqualTo(415);
        assertThat(server.http().post("/v1/rows", NDJSON, "{").text()).contains("malformed-json");
    }
}
