package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.HttpAnswer;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.SpillwayServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Batches have exactly as many rows as were asked for, wherever files and partitions end. */
class BatchCasesTest {

    private static final String NDJSON = "application/x-ndjson";
    private static final JsonMapper MAPPER = new JsonMapper();

    @TempDir Path folder;

    /** A dataset of files with so many rows each, whose ids count on. */
    private String files(int... rows) {
        long next = 0;
        for (int i = 0; i < rows.length; i++) {
            ParquetFiles.write(
                    folder.resolve("p%d.parquet".formatted(i)),
                    "SELECT range AS id FROM range(%d, %d)".formatted(next, next + rows[i]));
            next += rows[i];
        }
        return folder.resolve("p*.parquet").toString();
    }

    private static SpillwayServer server(String files, int threads) {
        return SpillwayServer.builder()
                .dataset("rows", java.nio.file.Path.of(files))
                .set("spillway.scheduler.threads", Integer.toString(threads))
                .start();
    }

    private static List<JsonNode> lines(HttpAnswer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.text().lines().map(MAPPER::readTree).toList();
    }

    private static List<Integer> sizes(List<JsonNode> batches) {
        return batches.stream().map(batch -> batch.get("rows").size()).toList();
    }

    private static List<Long> ids(List<JsonNode> batches) {
        List<Long> ids = new ArrayList<>();
        batches.forEach(
                batch -> batch.get("rows").forEach(row -> ids.add(row.get("id").longValue())));
        return ids;
    }

    @ParameterizedTest
    @CsvSource({"1, strict", "2, strict", "8, strict", "1, any", "2, any", "8, any"})
    void onlyTheVeryLastBatchIsShort(int threads, String order) {
        try (SpillwayServer server = server(files(1, 0, 7, 2, 0, 0, 3, 10), threads)) {
            String batches =
                    "/v1/jobs/%s/batches?size=4&order=%s"
                            .formatted(
                                    server.submit("{\"from\": {\"dataset\": \"rows\"}}"), order);
            HttpAnswer all = server.http().get(batches, NDJSON);
            assertThat(sizes(lines(all))).containsExactly(4, 4, 4, 4, 4, 3);
            assertThat(ids(lines(all)))
                    .containsExactlyInAnyOrderElementsOf(LongStream.range(0, 23).boxed().toList());
            assertThat(all.trailer("Spillway-Row-Count")).contains("23");
            assertThat(all.trailer("Spillway-Batch-Count")).contains("6");
            assertThat(all.trailer("Spillway-Dropped-Rows")).contains("0");
            if (order.equals("strict")) {
                assertThat(ids(lines(all))).isSorted();
                assertThat(all.text())
                        .contains("{\"batch\":5,\"firstRow\":20,\"rows\":[")
                        .endsWith("],\"rowCount\":3,\"shortReason\":\"end\"}\n");
            }
            HttpAnswer full = server.http().get(batches + "&dropLast=true", NDJSON);
            assertThat(sizes(lines(full))).containsExactly(4, 4, 4, 4, 4);
            assertThat(full.trailer("Spillway-Dropped-Rows")).contains("3");
        }
    }
}
