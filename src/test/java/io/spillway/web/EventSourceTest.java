package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.spillway.testing.Chromium;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.SlowLine;
import io.spillway.testing.SpillwayServer;
import java.nio.file.Path;
import java.time.Duration;
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
                Chromium chromium = Chromium.start()) {
            String job = server.submit("{\"from\": {\"dataset\": \"rows\"}}");
            Page page = chromium.page();
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
