package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.EventStream;
import io.spillway.testing.EventStreamParser.Event;
import io.spillway.testing.HttpAnswer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Batches that close early: by bytes, or by what their rows weigh. */
class CappedBatchesTest extends BatchCases {

    /** The borders that caps make, told row by row. */
    private static List<List<Long>> capped(int rows, int maxBytes, long maxWeight, long from) {
        List<List<Long>> batches = new ArrayList<>();
        List<Long> open = new ArrayList<>();
        long bytes = 0;
        long weight = 0;
        for (long id = from; id < 1_000; id++) {
            long size = "{'id':%d,'text':'row %d'}".formatted(id, id).length();
            boolean closes =
                    open.size() == rows || bytes + 1 + size > maxBytes || weight + id > maxWeight;
            if (closes && !open.isEmpty()) {
                batches.add(open);
                open = new ArrayList<>();
                bytes = 0;
                weight = 0;
            }
            bytes += open.isEmpty() ? size : size + 1;
            weight += id;
            open.add(id);
        }
        batches.add(open);
        return batches;
    }

    private static List<List<Long>> idsByBatch(List<JsonNode> batches) {
        return batches.stream().map(batch -> ids(List.of(batch))).toList();
    }

    @ParameterizedTest
    @CsvSource({"100, 300, 100000", "7, 100000, 2000", "50, 1000, 5000", "10, 5, 1000", "3, 90, 1"})
    void batchesCloseAtTheFirstCapThatTheyMeet(int size, int bytes, long weight)
            throws IOException {
        String job = job("thousand");
        String query = "size=%d&maxBytes=%d&weight=id&maxWeight=%d".formatted(size, bytes, weight);
        HttpAnswer answer = server.http().get(batches(job, query), NDJSON);
        List<JsonNode> lines = lines(answer);
        List<List<Long>> expected = capped(size, bytes, weight, 0);
        assertThat(idsByBatch(lines)).isEqualTo(expected);
        assertThat(answer.trailer("Spillway-Row-Count")).contains("1000");
        assertThat(answer.trailer("Spillway-Batch-Count"))
                .contains(Integer.toString(expected.size()));
        for (int i = 0; i < lines.size(); i++) {
            JsonNode line = lines.get(i);
            assertThat(line.has("batch")).isFalse();
            assertThat(line.get("firstRow").longValue()).isEqualTo(expected.get(i).getFirst());
            if (i < lines.size() - 1) {
                assertThat(line.has("shortReason")).isEqualTo(expected.get(i).size() < size);
            }
        }

        // By events, cut after each few of them.
        List<JsonNode> seen = new ArrayList<>();
        String last = null;
        while (last == null || !last.endsWith(".end")) {
            try (EventStream stream = EventStream.open(server.port(), batches(job, query), last)) {
                for (int i = 0; i < 60; i++) {
                    Event event = stream.next();
                    if (event == null) {
                        break;
                    }
                    seen.addAll(data(List.of(event)));
                    last = event.lastEventId();
                }
                stream.reset();
            }
        }
        assertThat(seen).isEqualTo(lines);

        long middle = expected.get(expected.size() / 2).getFirst();
        assertThat(idsByBatch(get(job, query + "&offset=" + middle)))
                .isEqualTo(capped(size, bytes, weight, middle));
    }

    @Test
    void theReasonOfAShortBatchIsTold() {
        String job = job("thousand", keep("id < 40"));
        assertThat(get(job, "size=100&maxBytes=120&rows=arrays"))
                .extracting(batch -> batch.get("shortReason").stringValue())
                .startsWith("bytes")
                .endsWith("end");
        assertThat(get(job, "size=100&weight=id&maxWeight=100"))
                .extracting(batch -> batch.get("shortReason").stringValue())
                .startsWith("weight")
                .endsWith("end");
    }

    /** Null weighs nothing, and numbers of every kind weigh. */
    @Test
    void rowsAreWeighedByAnyNumber() {
        for (String number :
                List.of(
                        "CASE WHEN id % 2 = 0 THEN 1 END",
                        "CAST(id % 2 AS DOUBLE)", "CAST(id % 2 AS DECIMAL(5,2))")) {
            String job =
                    job(
                            "thousand",
                            "{\"op\": \"withColumns\", \"columns\": {\"w\": \"%s\"}}"
                                    .formatted(number));
            List<JsonNode> batches = get(job, "size=1000&weight=w&maxWeight=50");
            assertThat(batches).hasSize(10);
            assertThat(ids(batches)).isEqualTo(range(0, 1_000));
        }
        refused(batches(job("rows"), "size=4&weight=text&maxWeight=3"), "weight");
        refused(batches(job("rows"), "size=4&weight=none&maxWeight=3"), "weight");
    }
}
