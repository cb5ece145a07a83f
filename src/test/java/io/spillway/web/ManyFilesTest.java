package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Folders of thousands of files with one row each: planned in seconds, opened only when read. */
class ManyFilesTest {

    private static final String JSON = "application/json";
    private static final JsonMapper MAPPER = new JsonMapper();

    /** Stands in the template in place of a file's number. */
    private static final long SENTINEL = 0x1122334455667788L;

    private static final int THREADS = 2;

    @TempDir private Path root;

    @Test
    void twoThousandFiles() throws IOException {
        planAndRead(2_000, 1, Duration.ofSeconds(10));
    }

    @Test
    @Tag("long")
    void tenThousandFilesArePlannedInThreeSeconds() throws IOException {
        planAndRead(10_000, 3, Duration.ofSeconds(3));
    }

    /**
     * @param submissions so many, each of files that have not been seen before
     * @param limit for the quickest of them, since a machine may be busy with other things
     */
    private void planAndRead(int count, int submissions, Duration limit) throws IOException {
        writeFiles(count);
        try (SpillwayServer server =
                SpillwayServer.builder()
                        .root(root)
                        .set("spillway.scheduler.threads", "" + THREADS)
                        .start()) {
            server.ndjson(plan("/part=0/00000*"));
            Duration quickest = ChronoUnit.FOREVER.getDuration();
            String id = "";
            for (int i = 0; i < submissions; i++) {
                touchFiles(i);
                double before = opened(server);
                long start = System.nanoTime();
                HttpAnswer answer =
                        server.http().post("/v1/jobs", JSON, "{\"plan\": " + plan("") + "}");
                Duration planned = Duration.ofNanos(System.nanoTime() - start);
                quickest = planned.compareTo(quickest) < 0 ? planned : quickest;
                assertThat(answer.status()).as(answer.text()).isEqualTo(201);
                JsonNode job = MAPPER.readTree(answer.text());
                assertThat(job.get("snapshot").get("files").intValue()).isEqualTo(count);
                assertThat(job.get("rowCount").longValue()).isEqualTo(count);
                assertThat(opened(server) - before).as("files opened").isEqualTo(count);
                id = job.get("id").stringValue();
            }
            assertThat(quickest).isLessThan(limit);
            takeApart(server, id, count, limit);

            double before = opened(server);
            JsonNode page = MAPPER.readTree(server.page(id, "offset=" + (count / 2) + "&limit=1"));
            assertThat(page.get("rows").get(0).get("id").intValue()).isEqualTo(count / 2);
            assertThat(opened(server) - before).as("for a row").isLessThanOrEqualTo(THREADS + 1);

            List<String> rows = server.lines(id, "offset=0");
            assertThat(rows)
                    .containsExactlyElementsOf(
                            IntStream.range(0, count)
                                    .mapToObj(
                                            i ->
                                                    "{\"id\":%d,\"name\":\"a name\",\"part\":\"%d\"}"
                                                            .formatted(i, i / 1_000))
                                    .toList());
        }
    }

    /** A split names its files, and only they are opened when it is read. */
    private static void takeApart(SpillwayServer server, String job, int count, Duration limit) {
        double before = opened(server);
        long start = System.nanoTime();
        HttpAnswer answer =
                server.http().post("/v1/jobs/" + job + "/splits", JSON, "{\"count\": 200}");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(limit);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        JsonNode splits = MAPPER.readTree(answer.text()).get("splits");
        assertThat(splits).hasSize(200);
        assertThat(opened(server) - before).as("files opened").isZero();
        int each = count / 200;
        JsonNode split = splits.get(100);
        assertThat(split.get("fileCount").intValue()).isEqualTo(each);
        assertThat(split.get("rowRange").get("from").intValue()).isEqualTo(100 * each);
        String href = split.get("href").stringValue();
        String rows = server.http().get(href, "application/x-ndjson").text();
        assertThat(rows.lines()).hasSize(each).first().asString().contains("" + 100 * each);
        assertThat(opened(server) - before).as("for a split").isEqualTo(each);
    }

    private void touchFiles(int submission) throws IOException {
        FileTime time = FileTime.from(Instant.EPOCH.plus(Duration.ofDays(10_000 + submission)));
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.setLastModifiedTime(file, time);
            }
        }
    }

    private String plan(String below) {
        return "{\"from\": {\"files\": {\"format\": \"parquet\", \"paths\": [\"%s\"]}}}"
                .formatted(root + below);
    }

    private static double opened(SpillwayServer server) {
        return server.bean("prometheusMeterRegistry", MeterRegistry.class)
                .get("spillway.scan.files.opened")
                .counter()
                .count();
    }

    /** Copies of one file, each with a number of its own, a thousand to a folder. */
    private void writeFiles(int count) throws IOException {
        Path template =
                ParquetFiles.write(
                        root.resolve("_template"),
                        "SELECT " + SENTINEL + "::BIGINT AS id, 'a name' AS name",
                        "CODEC 'uncompressed'");
        ByteBuffer bytes =
                ByteBuffer.wrap(Files.readAllBytes(template)).order(ByteOrder.LITTLE_ENDIAN);
        List<Integer> places =
                IntStream.range(0, bytes.capacity() - Long.BYTES)
                        .filter(i -> bytes.getLong(i) == SENTINEL)
                        .boxed()
                        .toList();
        for (int i = 0; i < count; i++) {
            for (int place : places) {
                bytes.putLong(place, i);
            }
            Path folder = root.resolve("part=" + i / 1_000);
            Files.createDirectories(folder);
            Files.write(folder.resolve("%06d.parquet".formatted(i)), bytes.array());
        }
    }
}
