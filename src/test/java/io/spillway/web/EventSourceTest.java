package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.SlowLine;
import io.spillway.testing.SpillwayServer;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A browser's own EventSource, over a line that is cut: every row arrives once. */
class EventSourceTest {

    private static final int ROWS = 30_000;

    /** Reads a stream of events to its end; gives the rows' ids and how often it connected. */
    private static final String READ =
            """
            url => new Promise((resolve, reject) => {
              const seen = {ids: [], opened: 0, progress: 0};
              const source = new EventSource(url);
              source.onopen = () => seen.opened++;
              source.addEventListener('progress', () => seen.progress++);
              source.addEventListener('rows', e => JSON.parse(e.data).forEach(r => seen.ids.push(r.id)));
              source.addEventListener('end', e => {
                source.close();
                seen.end = JSON.parse(e.data);
                seen.lastEventId = e.lastEventId;
                resolve(JSON.stringify(seen));
              });
              source.addEventListener('failure', e => reject(e.data));
              source.onerror = () => source.readyState === EventSource.CLOSED && reject('closed');
            })
            """;

    @TempDir Path folder;

    private static Path chromium() {
        for (String place : Splitter.on(File.pathSeparator).split(System.getenv("PATH"))) {
            for (String name : List.of("chromium", "chromium-browser", "google-chrome")) {
                Path program = Path.of(place, name);
                if (Files.isExecutable(program)) {
                    return program;
                }
            }
        }
        throw new AssertionError("There is no Chromium on the PATH: install the package chromium");
    }

    @Test
    void aBrowserThatIsCutGoesOnAtTheNextRow() throws Exception {
        Path file =
                ParquetFiles.write(
                        folder.resolve("rows.parquet"),
                        "SELECT range AS id, 'row ' || range AS text FROM range(" + ROWS + ")");
        try (SpillwayServer server =
                        SpillwayServer.builder()
                                .dataset("rows", file)
                                .set("spillway.events.retry", "100ms")
                                .start();
                SlowLine line = new SlowLine(server.port(), Duration.ZERO);
                Playwright playwright =
                        Playwright.create(
                                new Playwright.CreateOptions()
                                        .setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
                Browser browser =
                        playwright
                                .chromium()
                                .launch(
                                        new BrowserType.LaunchOptions()
                                                .setExecutablePath(chromium())
                                                .setArgs(List.of("--no-sandbox")))) {
            String job = server.submit("{\"from\": {\"dataset\": \"rows\"}}");
            Page page = browser.newPage();
            String host = "http://localhost:" + line.port();
            page.navigate(host + "/actuator/health/liveness");
            line.cutAfter(500_000);
            Object seen = page.evaluate(READ, host + "/v1/jobs/" + job + "/rows?batch=7");

            JsonNode result = new JsonMapper().readTree(seen.toString());
            assertThat(result.get("opened").intValue()).isEqualTo(2);
            assertThat(result.get("ids").size()).isEqualTo(ROWS);
            for (int i = 0; i < ROWS; i++) {
                assertThat(result.get("ids").get(i).intValue()).isEqualTo(i);
            }
            assertThat(result.get("end").get("rowCount").intValue()).isEqualTo(ROWS);
            assertThat(result.get("lastEventId").stringValue()).isEqualTo(job + ".end");
        }
    }
}
