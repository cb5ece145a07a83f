package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.ChunkedResponse;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.JsonTexts;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.RowForm;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Pages whose answers get lost, and offsets and limits at the edge, in every form. */
@SuppressWarnings("NullAway.Init") // the server is there before all tests
class PagingCasesTest {

    private static final String JSON = "application/json";
    private static final JsonMapper MAPPER = new JsonMapper();

    @TempDir static Path folder;

    private static SpillwayServer server;
    private static String three;
    private static String thousand;

    @BeforeAll
    static void start() {
        server =
                SpillwayServer.builder()
                        .dataset(
                                "three",
                                write("three", "SELECT * FROM (VALUES (3), (1), (2)) t(id)"))
                        .dataset("none", write("none", "SELECT 1 AS id WHERE false"))
                        .dataset(
                                "thousand",
                                write(
                                        "thousand",
                                        "SELECT range AS id, repeat('größer ', 20) AS text FROM"
                                                + " range(1000)"))
                        .start();
        three = server.submit("{\"from\": {\"dataset\": \"three\"}}");
        thousand = server.submit("{\"from\": {\"dataset\": \"thousand\"}}");
    }

    private static Path write(String name, String query) {
        return ParquetFiles.write(folder.resolve(name + ".parquet"), query);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "3, 10, 0",
        "4, 10, 0",
        "2, 10, 1",
        "0, 0, 0",
        "1, 2, 2",
        "2, 9223372036854775807, 1",
        "9223372036854775807, 10, 0",
        "9223372036854775807, 9223372036854775807, 0",
        "1, 4294967298, 2"
    })
    void offsetsAndLimitsAtTheEdgeAreNoErrors(String offset, String limit, int rows) {
        for (RowForm form : RowForm.values()) {
            if (form != RowForm.JSON || limit.length() < 5) {
                long start = System.nanoTime();
                assertThat(form.rows(server.port(), three, "offset=" + offset + "&limit=" + limit))
                        .as("%s", form)
                        .hasSize(rows);
                assertThat(Duration.ofNanos(System.nanoTime() - start))
                        .isLessThan(Duration.ofSeconds(5));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theStartOfNothingIsNoError(RowForm form) {
        String none = server.submit("{\"from\": {\"dataset\": \"none\"}}");
        assertThat(form.rows(server.port(), none, "offset=0&limit=3")).isEmpty();
        assertThat(form.rows(server.port(), none, "")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"offset=3&limit=10", "offset=2&limit=10", "offset=0&limit=3"})
    void aPageHasAsManyBytesAsItsHeadSays(String query) throws IOException {
        try (ChunkedResponse page = RowForm.JSON.ask(server.port(), three, query)) {
            byte[] body = page.readAll();
            assertThat(page.field("Content-Length")).isEqualTo(Integer.toString(body.length));
            assertThat(JsonTexts.elements(new String(body, StandardCharsets.UTF_8), "rows"))
                    .hasSizeLessThan(4);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "9223372036854775808", "1e3", "", "%205", "0x10"})
    void numbersThatAreNoneAreRefusedInEveryForm(String value) throws IOException {
        for (RowForm form : RowForm.values()) {
            for (String name : List.of("offset", "limit")) {
                try (ChunkedResponse answer = form.ask(server.port(), three, name + "=" + value)) {
                    JsonNode problem = MAPPER.readTree(answer.text());
                    assertThat(answer.status()).as("%s %s", form, name).isEqualTo(400);
                    assertThat(problem.get("parameter").stringValue()).isEqualTo(name);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "9223372036854775808", "1e3", "\"\"", "\" 5\"", "1.5", "null"})
    void numbersOfStepsThatAreNoneAreRefused(String value) {
        for (String op : List.of("limit", "offset")) {
            HttpAnswer answer =
                    server.http()
                            .post(
                                    "/v1/jobs",
                                    JSON,
                                    "{\"plan\": {\"from\": {\"dataset\": \"three\"}, \"steps\":"
                                            + " [{\"op\": \""
                                            + op
                                            + "\", \"rows\": "
                                            + value
                                            + "}]}}");
            assertThat(answer.status()).as(answer.text()).isEqualTo(400);
            assertThat(MAPPER.readTree(answer.text()).get("pointer").stringValue())
                    .isEqualTo("/plan/steps/0/rows");
        }
    }

    /** A page that got lost on its way is asked for again, by its cursor. */
    @Test
    void aPageThatWasLostIsThereAgain() throws Exception {
        List<String> hrefs = new ArrayList<>(List.of("/v1/jobs/" + thousand + "/rows?limit=100"));
        List<String> pages = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            String href = hrefs.get(i);
            if (i == 3) {
                try (ChunkedResponse half = ChunkedResponse.ok(server.port(), href, JSON)) {
                    half.next();
                    half.reset();
                }
                CompletableFuture<String> other =
                        CompletableFuture.supplyAsync(() -> server.http().get(href, JSON).text());
                pages.add(server.http().get(href, JSON).text());
                assertThat(other.get()).isEqualTo(pages.getLast());
            } else {
                pages.add(server.http().get(href, JSON).text());
            }
            JsonNode next = MAPPER.readTree(pages.getLast()).get("next");
            hrefs.add(next.isNull() ? "" : next.get("href").stringValue());
        }
        assertThat(hrefs.getLast()).isEmpty();
        assertThat(server.http().get(hrefs.get(3), JSON).text()).isEqualTo(pages.get(3));
        List<Integer> ids = new ArrayList<>();
        pages.forEach(
                p -> MAPPER.readTree(p).get("rows").forEach(r -> ids.add(r.get("id").intValue())));
        assertThat(ids).hasSize(1000).isSorted().doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource
    void whatHasExpiredIsGoneInEveryForm(RowForm form) throws Exception {
        HttpAnswer made =
                server.http()
                        .post(
                                "/v1/jobs",
                                JSON,
                                "{\"plan\": {\"from\": {\"dataset\": \"thousand\"}}, \"options\":"
                                        + " {\"ttl\": \"1s\"}}");
        String job = MAPPER.readTree(made.text()).get("id").stringValue();
        String cursor =
                MAPPER.readTree(server.page(job, "limit=10"))
                        .get("next")
                        .get("cursor")
                        .stringValue();
        Thread.sleep(1_300);
        try (ChunkedResponse answer = form.ask(server.port(), job, "limit=5&cursor=" + cursor)) {
            assertThat(answer.status()).isEqualTo(410);
            assertThat(answer.text()).contains("job-expired").doesNotContain("größer");
        }
        char first = cursor.charAt(20);
        String damaged =
                cursor.substring(0, 20) + (first == 'A' ? 'B' : 'A') + cursor.substring(21);
        try (ChunkedResponse answer = form.ask(server.port(), thousand, "cursor=" + damaged)) {
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.text()).contains("invalid-cursor");
        }
    }

    @Test
    void aPageIsCutByBytesOnlyBetweenRowsAndSaysSo() {
        List<String> rows = new ArrayList<>();
        String at = "limit=1000&maxBytes=5000";
        while (!at.isEmpty()) {
            String page = server.page(thousand, at);
            List<String> own = JsonTexts.elements(page, "rows");
            assertThat(own).isNotEmpty();
            assertThat(String.join(",", own).getBytes(StandardCharsets.UTF_8).length)
                    .isLessThanOrEqualTo(5_000);
            rows.addAll(own);
            JsonNode next = MAPPER.readTree(page).get("next");
            at = "";
            if (!next.isNull()) {
                assertThat(next.get("reason").stringValue()).isEqualTo("maxBytes");
                at = next.get("href").stringValue().replaceFirst(".*\\?", "");
            }
        }
        assertThat(rows).isEqualTo(server.lines(thousand, ""));
        // A row that is larger goes alone.
        assertThat(JsonTexts.elements(server.page(thousand, "maxBytes=1"), "rows")).hasSize(1);
    }
}
