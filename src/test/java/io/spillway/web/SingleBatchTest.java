package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.ArrowRows;
import io.spillway.testing.HttpAnswer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** One batch by its number, which never changes. */
class SingleBatchTest extends BatchCases {

    @Test
    void oneBatchNeverChanges() throws IOException {
        String job = job("rows");
        String batch = "/v1/jobs/" + job + "/batches/";
        HttpAnswer json = server.http().get(batch + "2?size=4", "application/json");
        assertThat(MAPPER.readTree(json.text())).isEqualTo(get(job, "size=4&from=2").getFirst());
        String etag = json.header("ETag").orElseThrow();
        assertThat(etag).startsWith("\"").endsWith("\"");
        assertThat(json.header("Cache-Control").orElseThrow()).contains("private", "immutable");
        HttpAnswer same =
                server.http()
                        .call(
                                "GET",
                                batch + "2?size=4",
                                Map.of("Accept", "application/json", "If-None-Match", etag),
                                null);
        assertThat(same.status()).isEqualTo(304);
        assertThat(same.text()).isEmpty();
        for (String other : List.of("3?size=4", "2?size=5", "2?size=4&rows=arrays")) {
            assertThat(server.http().get(batch + other, "application/json").header("ETag"))
                    .isNotEqualTo(json.header("ETag"));
        }
        assertThat(server.http().get(batch + "5?size=4", "application/json").text())
                .endsWith("],\"rowCount\":3,\"shortReason\":\"end\"}\n");
        assertThat(server.http().get(batch + "5?size=4", NDJSON).text().lines()).hasSize(3);
        assertThat(server.http().get(batch + "5?size=4", "text/csv").text().lines()).hasSize(4);
        byte[] arrow = arrow(batch + "5?size=4");
        assertThat(ArrowRows.parse(arrow).batches()).containsExactly(3);
        assertThat(ArrowBatch.of(arrow).getFirst().metadata()).containsEntry("spillway.batch", "5");

        for (String past : List.of("6?size=4", "9223372036854775807?size=4")) {
            HttpAnswer none = server.http().get(batch + past, "application/json");
            assertThat(none.status()).isEqualTo(404);
            assertThat(none.text()).contains("\"unknown-batch\"");
            assertThat(none.header("ETag")).isEmpty();
        }
    }

    /** Walks batch by batch, as callers of an API do. */
    @Test
    void oneBatchAfterTheOtherIsAll() {
        String job = job("thousand", keep("id % 3 <> 1"));
        List<JsonNode> walked = new ArrayList<>();
        for (int batch = 0; ; batch++) {
            HttpAnswer answer =
                    server.http()
                            .get(
                                    "/v1/jobs/%s/batches/%d?size=70".formatted(job, batch),
                                    "application/json");
            if (answer.status() == 404) {
                break;
            }
            walked.add(MAPPER.readTree(answer.text()));
        }
        assertThat(walked).isEqualTo(get(job, "size=70"));
    }

    @Test
    void oneBatchIsAskedForByItsNumberAndSizeAlone() {
        String batch = "/v1/jobs/" + job("rows") + "/batches/";
        refused(batch + "1", "size");
        refused(batch + "x?size=4", "batch");
        refused(batch + "-1?size=4", "batch");
        refused(batch + "1?size=5001", "size");
        refused(batch + "1?size=4&shard=0", "shard");
        refused(batch + "1?size=4&maxBytes=100", "maxBytes");
        refused(batch + "1?size=4&format=csv&rows=arrays", "rows");
    }
}
