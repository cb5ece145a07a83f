package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.job.JobManager;
import io.spillway.memory.MemoryPool;
import io.spillway.testing.ChunkedResponse;
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
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Jobs whose rows are in files of few and of many, for those who read them in batches. */
@SuppressWarnings("NullAway.Init") // the server is there before all tests
abstract class BatchCases {

    static final String NDJSON = "application/x-ndjson";

    static final String ARROW = "application/vnd.apache.arrow.stream";

    static final JsonMapper MAPPER = new JsonMapper();

    @TempDir static Path folder;

    static SpillwayServer server;

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
    static Path[] files(String name, int... rows) {
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

    static String job(String dataset, String... steps) {
        return server.submit(
                "{\"from\": {\"dataset\": \"%s\"}, \"steps\": [%s]}"
                        .formatted(dataset, String.join(", ", steps)));
    }

    static String keep(String where) {
        return "{\"op\": \"filter\", \"where\": \"" + where + "\"}";
    }

    static String batches(String job, String query) {
        return "/v1/jobs/" + job + "/batches?" + query;
    }

    static List<JsonNode> lines(HttpAnswer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.text().lines().map(MAPPER::readTree).toList();
    }

    static List<JsonNode> get(String job, String query) {
        return lines(server.http().get(batches(job, query), NDJSON));
    }

    static List<Integer> sizes(List<JsonNode> batches) {
        return batches.stream().map(batch -> batch.get("rows").size()).toList();
    }

    static List<Long> ids(List<JsonNode> batches) {
        List<Long> ids = new ArrayList<>();
        batches.forEach(
                batch -> batch.get("rows").forEach(row -> ids.add(row.get("id").longValue())));
        return ids;
    }

    static List<Long> range(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }

    static List<JsonNode> data(List<Event> events) {
        return events.stream()
                .filter(event -> event.type().equals("batch"))
                .map(event -> MAPPER.readTree(event.data()))
                .toList();
    }

    static byte[] arrow(String target) throws IOException {
        try (ChunkedResponse answer = ChunkedResponse.ok(server.port(), target, ARROW)) {
            return answer.readAll();
        }
    }

    /** Arrow's messages one by one. */
    record ArrowBatch(Map<String, String> metadata) {

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

    static void refused(String target, String parameter) {
        HttpAnswer answer = server.http().get(target, "*/*");
        assertThat(answer.status()).as("%s: %s", target, answer.text()).isEqualTo(400);
        JsonNode problem = MAPPER.readTree(answer.text());
        assertThat(problem.get("code").stringValue()).isEqualTo("invalid-parameter");
        assertThat(problem.get("parameter").stringValue()).as(target).isEqualTo(parameter);
    }
}
