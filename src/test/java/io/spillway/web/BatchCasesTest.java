package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.job.JobManager;
import io.spillway.memory.MemoryPool;
import io.spillway.testing.ArrowRows;
import io.spillway.testing.ChunkedResponse;
import io.spillway.testing.EventStream;
import io.spillway.testing.EventStreamParser.Event;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.SpillwayServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.MessageChannelReader;
import org.apache.arrow.vector.ipc.message.MessageResult;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Batches have exactly as many rows as were asked for, wherever files and partitions end. */
@SuppressWarnings("NullAway.Init") // the server is there before all tests
class BatchCasesTest {

    private static final String NDJSON = "application/x-ndjson";
    private static final String ARROW = "application/vnd.apache.arrow.stream";
    private static final JsonMapper MAPPER = new JsonMapper();

    @TempDir static Path folder;

    private static SpillwayServer server;

    @BeforeAll
    static void start() {
        server =
                SpillwayServer.builder()
                        .dataset("rows", files("p", 1, 0, 7, 2, 0, 0, 3, 10))
                        .dataset("full", files("f", 1, 0, 7, 2, 0, 0, 3, 11))
                        .dataset("tens", files("t", 10, 10, 10, 10, 10, 10, 10, 10, 10, 10))
                        .dataset("thousand", files("k", 1_000))
                        .set("spillway.scheduler.threads", "2")
                        .set("spillway.limits.batch-rows", "5000")
                        .start();
    }

    /** Files with so many rows each, whose ids count on. */
    private static Path[] files(String name, int... rows) {
        long next = 0;
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < rows.length; i++) {
            files.add(
                    ParquetFiles.write(
                            folder.resolve("%s%d.parquet".formatted(name, i)),
                            "SELECT range AS id, 'row ' || range AS text FROM range(%d, %d)"
                                    .formatted(next, next + rows[i])));
            next += rows[i];
        }
        return files.toArray(Path[]::new);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void everythingIsGivenBack() {
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(
                        () -> {
                            assertThat(server.bean("jobManager", JobManager.class).readers())
                                    .isZero();
                            MemoryPool memory = server.bean("memory", MemoryPool.class);
                            assertThat(memory.held()).isZero();
                            assertThat(memory.admitted()).isZero();
                            assertThat(memory.seated()).isZero();
                        });
    }

    private static String job(String dataset, String... steps) {
        return server.submit(
                "{\"from\": {\"dataset\": \"%s\"}, \"steps\": [%s]}"
                        .formatted(dataset, String.join(", ", steps)));
    }

    private static String keep(String where) {
        return "{\"op\": \"filter\", \"where\": \"" + where + "\"}";
    }

    private static String batches(String job, String query) {
        return "/v1/jobs/" + job + "/batches?" + query;
    }

    private static List<JsonNode> lines(HttpAnswer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.text().lines().map(MAPPER::readTree).toList();
    }

    private static List<JsonNode> get(String job, String query) {
        return lines(server.http().get(batches(job, query), NDJSON));
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

    private static List<Long> range(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }

    private static List<JsonNode> data(List<Event> events) {
        return events.stream()
                .filter(event -> event.type().equals("batch"))
                .map(event -> MAPPER.readTree(event.data()))
                .toList();
    }

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

    private static byte[] arrow(String target) throws IOException {
        try (ChunkedResponse answer = ChunkedResponse.ok(server.port(), target, ARROW)) {
            return answer.readAll();
        }
    }

    /** Arrow's messages one by one. */
    private record ArrowBatch(Map<String, String> metadata) {

        static List<ArrowBatch> of(byte[] stream) throws IOException {
            List<ArrowBatch> batches = new ArrayList<>();
            try (RootAllocator allocator = new RootAllocator();
                    MessageChannelReader reader =
                            new MessageChannelReader(
                                    new ReadChannel(
                                            Channels.newChannel(new ByteArrayInputStream(stream))),
                                    allocator)) {
                MessageResult message;
                while ((message = reader.readNext()) != null) {
                    Message told = message.getMessage();
                    Map<String, String> metadata = new HashMap<>();
                    for (int i = 0; i < told.customMetadataLength(); i++) {
                        KeyValue pair = told.customMetadata(i);
                        metadata.put(pair.key(), pair.value());
                    }
                    batches.add(new ArrowBatch(metadata));
                    if (message.getBodyBuffer() != null) {
                        message.getBodyBuffer().close();
                    }
                }
            }
            return batches.subList(1, batches.size());
        }
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

    @Test
    void readersOfEventsGoOnWithAnotherNumberOfShards() throws IOException {
        String job = job("thousand", keep("id % 3 <> 1"));
        List<JsonNode> all = get(job, "size=10");
        List<JsonNode> seen = new ArrayList<>();
        String id = "";
        // Three readers up to batch 30, two of them cut twice on their way.
        for (int shard = 0; shard < 3; shard++) {
            String target = batches(job, "size=10&of=3&shard=" + shard);
            List<Event> events = new ArrayList<>();
            for (int part = 0; part < 3; part++) {
                String last = events.isEmpty() ? null : events.getLast().lastEventId();
                try (EventStream stream = EventStream.open(server.port(), target, last)) {
                    while (events.size() < (part + 1) * 10 / 3) {
                        events.add(stream.next("batch"));
                    }
                    stream.reset();
                }
            }
            seen.addAll(data(events));
            id = events.getLast().lastEventId();
        }
        // From there on two.
        for (int shard = 0; shard < 2; shard++) {
            String target = batches(job, "size=10&of=2&shard=" + shard);
            try (EventStream stream = EventStream.open(server.port(), target, id)) {
                List<Event> rest = stream.rest();
                seen.addAll(data(rest));
                JsonNode end = MAPPER.readTree(rest.getLast().data());
                assertThat(end.get("rowCount").longValue()).isEqualTo(667);
                assertThat(end.get("droppedRows").longValue()).isZero();
            }
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void aReaderOfEventsIsToldTheEnd() throws IOException {
        String job = job("rows");
        String target = batches(job, "size=4");
        try (EventStream stream = EventStream.open(server.port(), target, null)) {
            List<Event> events = stream.rest();
            assertThat(data(events)).isEqualTo(get(job, "size=4"));
            assertThat(events.getFirst().type()).isEqualTo("schema");
            assertThat(events.getLast().data())
                    .isEqualTo("{\"offset\":23,\"batches\":6,\"rowCount\":23,\"droppedRows\":0}");
            assertThat(events.getLast().id()).isEqualTo(job + ".end");
        }
        HttpAnswer over =
                server.http()
                        .call(
                                "GET",
                                target,
                                Map.of(
                                        "Accept",
                                        "text/event-stream",
                                        "Last-Event-ID",
                                        job + ".end"),
                                null);
        assertThat(over.status()).isEqualTo(204);
        try (EventStream stream =
                EventStream.open(server.port(), target + "&dropLast=true", null)) {
            assertThat(
                            MAPPER.readTree(stream.rest().getLast().data())
                                    .get("droppedRows")
                                    .intValue())
                    .isEqualTo(3);
        }
    }

    @Test
    void anIdThatIsNotAtTheStartOfABatchIsRefused() throws IOException {
        String job = job("rows");
        String id;
        try (EventStream stream = EventStream.open(server.port(), batches(job, "size=4"), null)) {
            id = stream.next("batch").lastEventId();
            stream.reset();
        }
        refused(batches(job, "size=3&format=sse&lastEventId=" + id), "Last-Event-ID");
        refused(batches(job, "size=4&order=any&format=sse&lastEventId=" + id), "Last-Event-ID");
    }

    private static void refused(String target, String parameter) {
        HttpAnswer answer = server.http().get(target, "*/*");
        assertThat(answer.status()).as("%s: %s", target, answer.text()).isEqualTo(400);
        JsonNode problem = MAPPER.readTree(answer.text());
        assertThat(problem.get("code").stringValue()).isEqualTo("invalid-parameter");
        assertThat(problem.get("parameter").stringValue()).as(target).isEqualTo(parameter);
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
