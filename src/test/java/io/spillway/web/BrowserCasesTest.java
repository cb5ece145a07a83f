package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.spillway.testing.Chromium;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.SlowLine;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Pages of other origins, and streams that fail, in a browser's own EventSource. */
@SuppressWarnings("NullAway.Init") // the browser is there before all tests
class BrowserCasesTest {

    private static final int ROWS = 20_000;
    private static final String KEY = "alice-secret";

    /** Reads events until the browser gives up, or the stream has ended; tells what it saw. */
    private static final String READ =
            """
            url => new Promise(resolve => {
              const seen = {ids: [], opened: 0, failures: [], ended: false};
              const source = new EventSource(url);
              const done = () => { source.close(); resolve(JSON.stringify(seen)); };
              source.onopen = () => seen.opened++;
              source.addEventListener('rows', e => JSON.parse(e.data).forEach(r => seen.ids.push(r.id)));
              source.addEventListener('failure', e => seen.failures.push(JSON.parse(e.data).code));
              source.addEventListener('end', () => { seen.ended = true; done(); });
              source.onerror = () => source.readyState === EventSource.CLOSED && done();
            })
            """;

    /** Asks for a ticket as a page does that has a key; tells the ticket, or that nothing came. */
    private static final String TICKET =
            """
            ([url, key]) => fetch(url, {method: 'POST', headers: {'X-API-Key': key}})
              .then(answer => answer.json()).then(json => json.ticket, () => 'nothing')
            """;

    @TempDir static Path folder;

    private static Chromium chromium;

    @BeforeAll
    static void start() {
        chromium = Chromium.start();
    }

    @AfterAll
    static void stop() {
        chromium.close();
    }

    /** A site that consists of an empty page. */
    private static HttpServer site() throws IOException {
        HttpServer site =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] page = "<!DOCTYPE html><title>page</title>".getBytes(StandardCharsets.UTF_8);
        site.createContext(
                "/",
                call -> {
                    try (call) {
                        call.getResponseHeaders().set("Content-Type", "text/html");
                        call.sendResponseHeaders(200, page.length);
                        call.getResponseBody().write(page);
                    }
                });
        site.start();
        return site;
    }

    private static String origin(HttpServer site) {
        return "http://localhost:" + site.getAddress().getPort();
    }

    private static JsonNode json(Object text) {
        return new JsonMapper().readTree(text.toString());
    }

    private static void assertRowsInOrder(JsonNode ids) {
        for (int i = 0; i < ids.size(); i++) {
            assertThat(ids.get(i).intValue()).isEqualTo(i);
        }
    }

    private static SpillwayServer guarded(String allowedOrigin) throws Exception {
        byte[] hash =
                MessageDigest.getInstance("SHA-256").digest(KEY.getBytes(StandardCharsets.UTF_8));
        return SpillwayServer.builder()
                .dataset(
                        "rows",
                        ParquetFiles.write(
                                folder.resolve("rows.parquet"),
                                "SELECT range AS id, 'row ' || range AS text FROM range("
                                        + ROWS
                                        + ")"))
                .set("spillway.security.mode", "api-key")
                .set("spillway.security.api-keys[0].name", "alice")
                .set(
                        "spillway.security.api-keys[0].hash",
                        "sha256:" + HexFormat.of().formatHex(hash))
                .set("spillway.security.cors-origins[0]", allowedOrigin)
                .set("spillway.events.retry", "100ms")
                .start();
    }

    private static String submit(SpillwayServer server) {
        return server.http()
                .call(
                        "POST",
                        "/v1/jobs",
                        Map.of("X-API-Key", KEY, "Content-Type", "application/json"),
                        "{\"plan\": {\"from\": {\"dataset\": \"rows\"}}}")
                .header("Location")
                .orElseThrow();
    }

    private static double bytesRead(SpillwayServer server) {
        return server.bean("prometheusMeterRegistry", MeterRegistry.class)
                .get("spillway.scan.read")
                .counter()
                .count();
    }

    @Test
    void onlyPagesOfOriginsThatAreAllowedGetAnything() throws Exception {
        HttpServer friend = site();
        HttpServer stranger = site();
        try (SpillwayServer server = guarded(origin(friend));
                SlowLine line = new SlowLine(server.port(), Duration.ZERO);
                Page page = chromium.page();
                Page foreign = chromium.page()) {
            String job = "http://127.0.0.1:" + line.port() + submit(server);
            page.navigate(origin(friend));
            foreign.navigate(origin(stranger));

            assertThat(foreign.evaluate(TICKET, List.of(job + ":ticket", KEY)))
                    .isEqualTo("nothing");
            String ticket = page.evaluate(TICKET, List.of(job + ":ticket", KEY)).toString();
            assertThat(ticket).hasSizeGreaterThan(20);
            String rows = job + "/rows?batch=7&ticket=" + ticket;

            double before = bytesRead(server);
            JsonNode nothing = json(foreign.evaluate(READ, rows));
            assertThat(nothing.get("opened").intValue()).isZero();
            assertThat(nothing.get("ids")).isEmpty();
            assertThat(nothing.get("ended").booleanValue()).isFalse();
            assertThat(bytesRead(server)).isEqualTo(before);

            line.cutAfter(300_000);
            JsonNode seen = json(page.evaluate(READ, rows));
            assertThat(seen.get("ended").booleanValue()).isTrue();
            assertThat(seen.get("opened").intValue()).isEqualTo(2);
            assertThat(seen.get("ids")).hasSize(ROWS);
            assertRowsInOrder(seen.get("ids"));

            JsonNode withoutTicket = json(page.evaluate(READ, job + "/rows?batch=7"));
            assertThat(withoutTicket.get("opened").intValue()).isZero();
        } finally {
            friend.stop(0);
            stranger.stop(0);
        }
    }

    @Test
    void aStreamThatFailsIsToldOnceAndNotAskedForAgain() throws Exception {
        Path file = ParquetFiles.writeChecksummed(folder.resolve("bad.parquet"), 100_000, 200_000);
        try (RandomAccessFile data = new RandomAccessFile(file.toFile(), "rw")) {
            data.seek(data.length() * 9 / 10);
            data.write(new byte[64]);
        }
        try (SpillwayServer server =
                        SpillwayServer.builder()
                                .dataset("bad", file)
                                .set("spillway.events.retry", "100ms")
                                .start();
                Page page = chromium.page()) {
            String job = server.submit("{\"from\": {\"dataset\": \"bad\"}}");
            page.navigate(server.url() + "/actuator/health/liveness");
            JsonNode seen =
                    json(page.evaluate(READ, server.url() + "/v1/jobs/" + job + "/rows?batch=100"));
            // The browser has come back by itself, behind the last row, and was told not to.
            assertThat(seen.get("ended").booleanValue()).isFalse();
            assertThat(seen.get("failures")).isNotEmpty();
            assertThat(seen.get("failures").size()).isEqualTo(seen.get("opened").intValue());
            seen.get("failures")
                    .forEach(code -> assertThat(code.stringValue()).isEqualTo("file-corrupt"));
            assertThat(seen.get("ids").size()).isBetween(1, 99_999);
            assertRowsInOrder(seen.get("ids"));
        }
    }
}
