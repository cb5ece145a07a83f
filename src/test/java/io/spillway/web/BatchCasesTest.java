package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.ArrowRows;
import io.spillway.testing.EventStream;
import io.spillway.testing.EventStreamParser.Event;
import io.spillway.testing.HttpAnswer;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Batches have exactly as many rows as were asked for, wherever files and partitions end. */
class BatchCasesTest extends BatchCases {

    @ParameterizedTest
    @CsvSource({"1, strict", "2, strict", "8, strict", "1, any", "2, any", "8, any"})
    void onlyTheVeryLastBatchIsShort(int partitions, String order) {
        String cut = "{\"op\": \"repartition\", \"partitions\": " + partitions + "}";
        String query = "size=4&order=" + order;
        HttpAnswer all = server.http().get(batches(job("rows", cut), query), NDJSON);
        assertThat(sizes(lines(all))).containsExactly(4, 4, 4, 4, 4, 3);
        assertThat(ids(lines(all))).containsExactlyInAnyOrderElementsOf(range(0, 23));
        assertThat(all.trailer("Spillway-Row-Count")).contains("23");
        assertThat(all.trailer("Spillway-Batch-Count")).contains("6");
        assertThat(all.trailer("Spillway-Dropped-Rows")).contains("0");
        assertThat(all.text()).endsWith("],\"rowCount\":3,\"shortReason\":\"end\"}\n");
        if (order.equals("strict")) {
            assertThat(ids(lines(all))).isSorted();
            assertThat(all.text()).contains("{\"batch\":5,\"firstRow\":20,\"rows\":[");
        } else {
            assertThat(all.text()).startsWith("{\"rows\":[");
        }

        HttpAnswer whole =
                server.http().get(batches(job("rows", cut), query + "&dropLast=true"), NDJSON);
        assertThat(sizes(lines(whole))).containsExactly(4, 4, 4, 4, 4);
        assertThat(whole.trailer("Spillway-Dropped-Rows")).contains("3");

        HttpAnswer even = server.http().get(batches(job("full", cut), query), NDJSON);
        assertThat(sizes(lines(even))).containsExactly(4, 4, 4, 4, 4, 4);
        assertThat(even.text()).doesNotContain("shortReason");
    }

    @ParameterizedTest
    @ValueSource(strings = {"strict", "any"})
    void partitionsWithoutRowsMakeNoBatches(String order) throws IOException {
        String some = job("tens", keep("id >= 95"));
        List<JsonNode> batches = get(some, "size=3&order=" + order);
        assertThat(sizes(batches)).containsExactly(3, 2);
        assertThat(ids(batches)).containsExactlyInAnyOrderElementsOf(range(95, 100));

        String none = job("tens", keep("id < 0"));
        HttpAnswer nothing = server.http().get(batches(none, "size=3&order=" + order), NDJSON);
        assertThat(nothing.text()).isEmpty();
        assertThat(nothing.trailer("Spillway-Row-Count")).contains("0");
        assertThat(nothing.trailer("Spillway-Batch-Count")).contains("0");
        try (EventStream stream =
                EventStream.open(server.port(), batches(none, "size=3&order=" + order), null)) {
            assertThat(stream.rest())
                    .extracting(Event::type)
                    .doesNotContain("batch")
                    .endsWith("end");
        }
    }

    @Test
    void batchesFromOneOnAreThoseOfAll() {
        String job = job("rows");
        List<JsonNode> all = get(job, "size=4");
        for (int from : new int[] {1, 5, 6, 100}) {
            assertThat(get(job, "size=4&from=" + from))
                    .isEqualTo(all.subList(Math.min(from, 6), 6));
        }
        assertThat(get(job, "size=4&from=" + Long.MAX_VALUE)).isEmpty();
        assertThat(get(job, "size=4&rows=arrays&from=5").getFirst().get("rows").get(0).get(0))
                .isEqualTo(all.getLast().get("rows").get(0).get("id"));
    }

    @ParameterizedTest
    @CsvSource({"rows, 4", "rows, 1", "rows, 100", "thousand, 7", "thousand, 999"})
    void aBatchIsARecordBatch(String dataset, int size) throws IOException {
        String job = job(dataset);
        List<JsonNode> lines = get(job, "size=" + size);
        for (String order : List.of("strict", "any")) {
            byte[] stream = arrow(batches(job, "size=" + size + "&order=" + order));
            ArrowRows rows = ArrowRows.parse(stream);
            assertThat(rows.batches()).isEqualTo(sizes(lines));
            List<ArrowBatch> told = ArrowBatch.of(stream);
            if (order.equals("strict")) {
                assertThat(rows.rows().stream().map(row -> Long.valueOf(row.getFirst())))
                        .containsExactlyElementsOf(ids(lines));
                assertThat(told)
                        .extracting(batch -> batch.metadata().get("spillway.first-row"))
                        .containsExactlyElementsOf(
                                IntStream.range(0, lines.size())
                                        .mapToObj(i -> Integer.toString(i * size))
                                        .toList());
            } else {
                assertThat(told).noneMatch(batch -> batch.metadata().containsKey("spillway.batch"));
            }
            boolean shorter = sizes(lines).getLast() < size;
            assertThat(told.getLast().metadata().get("spillway.short-reason"))
                    .isEqualTo(shorter ? "end" : null);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    from=1                                 | size
                    size=0                                 | size
                    size=-1                                | size
                    size=x                                 | size
                    size=5001                              | size
                    size=99999999999999999999              | size
                    size=4&from=-1                         | from
                    size=4&shard=0                         | of
                    size=4&of=2                            | shard
                    size=4&shard=2&of=2                    | shard
                    size=4&shard=0&of=0                    | of
                    size=4&shard=0&of=4294967296           | of
                    size=4&shard=-1&of=2                   | shard
                    size=4&remainder=pad                   | remainder
                    size=4&shard=0&of=2&remainder=some     | remainder
                    size=4&shard=0&of=2&remainder=pad&dropLast=true | dropLast
                    size=4&dropLast=yes                    | dropLast
                    size=4&order=random                    | order
                    size=4&order=any&from=2                | from
                    size=4&order=any&shard=0&of=2          | shard
                    size=4&limit=2                         | limit
                    size=4&offset=2                        | offset
                    size=4&maxBytes=0                      | maxBytes
                    size=4&maxBytes=x                      | maxBytes
                    size=4&maxBytes=9&from=1               | from
                    size=4&maxBytes=9&shard=0&of=2         | shard
                    size=4&maxBytes=9&dropLast=true        | dropLast
                    size=4&maxBytes=9&order=any            | order
                    size=4&weight=id                       | maxWeight
                    size=4&maxWeight=9                     | weight
                    size=4&weight=id&maxWeight=0           | maxWeight
                    size=4&size=4                          | size
                    size=4&format=sse&wait=1s              | wait
                    size=4&format=arrow&rows=arrays        | rows
                    """)
    void whatMakesNoSenseIsToldByName(String query, String parameter) {
        refused(batches(job("rows"), query), parameter);
    }

    @Test
    void formsThatHaveNoBatchesAreNotAcceptable() {
        String job = job("rows");
        for (String format : List.of("json", "csv")) {
            assertThat(server.http().get(batches(job, "size=4&format=" + format), "*/*").status())
                    .isEqualTo(406);
        }
        assertThat(server.http().get(batches(job, "size=4"), "text/csv").status()).isEqualTo(406);
        assertThat(
                        server.http()
                                .get("/v1/jobs/" + job + "/batches/1?size=4&format=sse", "*/*")
                                .status())
                .isEqualTo(406);
        assertThat(server.http().get(batches(job, "size=4"), "*/*").header("Content-Type"))
                .contains(NDJSON);
    }

    /** A job of which nothing is known yet is counted for those who need to know its end. */
    @Test
    void whoeverCannotWaitIsToldSo() {
        String slow =
                keep(
                        "text || CAST(id AS VARCHAR) LIKE '%no such%' OR CAST(id AS VARCHAR) ||"
                                + " text LIKE '%nor this%'");
        String job = job("thousand", slow, slow.replace("nor", "never"));
        HttpAnswer answer =
                server.http()
                        .get(batches(job, "size=4&shard=0&of=2&remainder=drop&wait=0s"), NDJSON);
        assertThat(answer.status()).isIn(200, 202);
        if (answer.status() == 202) {
            assertThat(answer.header("Retry-After")).isPresent();
            assertThat(answer.header("Trailer")).isEmpty();
        }
    }
}
