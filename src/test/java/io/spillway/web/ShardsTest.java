package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.HttpAnswer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Batches of several readers, each of which gets some: together they have all. */
class ShardsTest extends BatchCases {

    @ParameterizedTest
    @CsvSource({"4, 3", "1, 2", "5, 4", "7, 1", "100, 3", "23, 2"})
    void shardsHaveAllBatchesOnce(int size, int of) {
        String job = job("rows");
        List<JsonNode> all = get(job, "size=" + size);
        for (int shard = 0; shard < of; shard++) {
            List<JsonNode> expected = new ArrayList<>();
            for (int k = shard; k < all.size(); k += of) {
                expected.add(all.get(k));
            }
            assertThat(get(job, "size=%d&shard=%d&of=%d".formatted(size, shard, of)))
                    .isEqualTo(expected);
        }
    }

    @Test
    void shardsAreMadeEqualAsAskedFor() {
        String job = job("thousand", keep("id < 23"));
        String shards = "size=4&of=2&remainder=";
        for (int shard = 0; shard < 2; shard++) {
            HttpAnswer dropped =
                    server.http().get(batches(job, shards + "drop&shard=" + shard), NDJSON);
            assertThat(sizes(lines(dropped))).containsExactly(4, 4);
            assertThat(dropped.header("Spillway-Batches")).contains("2");
            assertThat(dropped.header("Spillway-Dropped-Rows")).contains("7");
            assertThat(dropped.trailer("Spillway-Dropped-Rows")).contains("7");

            HttpAnswer padded =
                    server.http().get(batches(job, shards + "pad&shard=" + shard), NDJSON);
            assertThat(sizes(lines(padded))).containsExactly(4, 4, 4);
            assertThat(padded.header("Spillway-Batches")).contains("3");
            if (shard == 1) {
                JsonNode last = lines(padded).getLast();
                assertThat(last.get("repeats").intValue()).isEqualTo(1);
                assertThat(ids(List.of(last))).containsExactly(20L, 21L, 22L, 0L);
            }

            HttpAnswer separate =
                    server.http().get(batches(job, shards + "separate&shard=" + shard), NDJSON);
            assertThat(sizes(lines(separate))).containsExactly(4, 4);
            assertThat(separate.header("Spillway-Remainder-First-Row")).contains("16");
            assertThat(separate.header("Spillway-Remainder-Rows")).contains("7");
            assertThat(separate.trailer("Spillway-Dropped-Rows")).contains("0");
            String link = separate.header("Link").orElseThrow();
            assertThat(link).endsWith(">; rel=\"remainder\"");
            String rest = link.substring(1, link.indexOf('>'));
            assertThat(ids(lines(server.http().get(rest, NDJSON)))).isEqualTo(range(16, 23));
        }
    }

    @Test
    void moreShardsThanBatchesRepeatRowsAgainAndAgain() {
        String job = job("rows", "{\"op\": \"limit\", \"rows\": 3}");
        for (int shard = 0; shard < 3; shard++) {
            List<JsonNode> padded = get(job, "size=4&of=3&remainder=pad&shard=" + shard);
            assertThat(sizes(padded)).containsExactly(4);
            assertThat(ids(padded))
                    .isEqualTo(range(4L * shard, 4L * shard + 4).stream().map(i -> i % 3).toList());
            assertThat(padded.getFirst().get("repeats").intValue()).isEqualTo(shard == 0 ? 1 : 4);
        }
        String none = job("rows", keep("id < 0"));
        assertThat(get(none, "size=4&of=3&remainder=pad&shard=1")).isEmpty();
    }
}
