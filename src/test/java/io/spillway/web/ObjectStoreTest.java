package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.HttpAnswer;
import io.spillway.testing.ParquetFiles;
import io.spillway.testing.S3Server;
import io.spillway.testing.SlowLine;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The service over objects of an S3 server: plan, page, stream, roots, changes, latency. */
class ObjectStoreTest {

    private static final String JSON = "application/json";
    private static final Duration LATENCY = Duration.ofMillis(50);

    private static final S3Server S3 = S3Server.shared();
    private static String bucket;
    private static SlowLine line;
    private static SpillwayServer server;
    @TempDir private Path folder;

    @BeforeAll
    static void start() throws IOException {
        bucket = S3.bucket();
        line = new SlowLine(S3.port(), Duration.ZERO);
        SpillwayServer.Builder settings =
                SpillwayServer.builder()
                        .set("spillway.sources.roots[0]", "s3://" + bucket + "/pub");
        S3.properties(line.port())
                .forEach(
                        (name, value) ->
                                settings.set("spillway.sources.hadoop.properties." + name, value));
        server = settings.start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
        line.close();
    }

    @BeforeEach
    void reset() {
        line.latency(Duration.ZERO);
        line.reset();
    }

    private byte[] parquet(String query, String options) throws IOException {
        return Files.readAllBytes(
                ParquetFiles.write(folder.resolve("file.parquet"), query, options));
    }

    private void put(String key, int from, int to) throws IOException {
        S3.put(
                bucket,
                key,
                parquet(
                        "SELECT i AS id, 'text ' || i AS name FROM range(%d, %d) t(i)"
                                .formatted(from, to),
                        "ROW_GROUP_SIZE 20480"));
    }

    private String plan(String path) {
        return "{\"from\": {\"files\": {\"format\": \"parquet\", \"paths\": [\"%s\"]}}}"
                .formatted(path);
    }

    private HttpAnswer submit(String path) {
        return server.http().post("/v1/jobs", JSON, "{\"plan\": " + plan(path) + "}");
    }

    @Test
    void objectsArePlannedPagedAndStreamed() throws IOException {
        put("pub/days/day=1/a b+c.parquet", 0, 50_000);
        put("pub/days/day=2/ü%20.parquet", 50_000, 90_000);
        S3.put(bucket, "pub/days/_SUCCESS", new byte[0]);

        String job = server.submit(plan("s3a://" + bucket + "/pub/days/**/*.parquet"));
        assertThat(server.page(job, "offset=70000&limit=1"))
                .contains("\"id\":70000,\"name\":\"text 70000\"");
        List<String> lines = server.lines(job, "offset=49998&limit=4");
        assertThat(lines)
                .hasSize(4)
                .first()
                .asString()
                .startsWith("{\"id\":49998,\"name\":\"text 49998\"");
        assertThat(server.ndjson(plan("s3://" + bucket + "/pub/days"))).hasSize(90_000);
    }

    @Test
    void anObjectThatChangesIsAConflict() throws IOException {
        put("pub/a.parquet", 0, 50_000);
        String job = server.submit(plan("s3://" + bucket + "/pub/a.parquet"));
        assertThat(server.page(job, "offset=40000&limit=1")).contains("\"id\":40000");
        put("pub/a.parquet", 1, 50_001);

        HttpAnswer answer = server.http().get("/v1/jobs/" + job + "/rows?offset=0&limit=1", JSON);
        assertThat(answer.status()).as(answer.text()).isEqualTo(409);
        assertThat(answer.text()).contains("source-changed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3://BUCKET/private/a.parquet",
                "s3://BUCKET/public/a.parquet",
                "s3://BUCKET",
                "s3://BUCKET/*/a.parquet",
                "s3://BUCKET/pub/../private/a.parquet",
                "s3://BUCKET/pub/%2e%2e/private/a.parquet",
                "s3://BUCKET/pub%2F..%2Fprivate/a.parquet",
                "s3://BUCKET/%70rivate/a.parquet",
                "s3://other/pub/a.parquet",
                "s3://key:secret@BUCKET/pub/a.parquet",
                "hdfs://BUCKET/pub/a.parquet",
                "/pub/a.parquet"
            })
    void whatStandsOutsideTheRootsIsRefused(String path) throws IOException {
        put("private/a.parquet", 0, 1);
        put("public/a.parquet", 0, 1);

        HttpAnswer answer = submit(path.replace("BUCKET", bucket));
        assertThat(answer.status()).as(answer.text()).isEqualTo(403);
        assertThat(answer.text()).contains("path-not-allowed").doesNotContain("secret@");
        assertThat(line.requests()).isZero();
    }

    @Test
    void whatIsNotThereIsNotFound() {
        HttpAnswer answer = submit("s3://" + bucket + "/pub/none.parquet");
        assertThat(answer.status()).as(answer.text()).isEqualTo(422);
        assertThat(answer.text()).contains("file-not-found").doesNotContain(S3.secret());
    }

    @Test
    void fiveHundredFilesOverASlowLine() throws Exception {
        manyFiles(500, Duration.ofSeconds(30));
    }

    @Test
    @Tag("long")
    void tenThousandFilesOverASlowLineInHalfAMinute() throws Exception {
        manyFiles(10_000, Duration.ofSeconds(30));
    }

    private void manyFiles(int count, Duration limit) throws Exception {
        byte[] row = parquet("SELECT 1::BIGINT AS id, 'a name' AS name", "CODEC 'snappy'");
        try (ExecutorService threads = Executors.newFixedThreadPool(32)) {
            for (int i = 0; i < count; i++) {
                String key = "pub/%d/part=%d/%05d.parquet".formatted(count, i % 10, i);
                threads.execute(() -> S3.put(bucket, key, row));
            }
        }
        put("pub/warm/up.parquet", 0, 1);
        server.submit(plan("s3://" + bucket + "/pub/warm"));
        line.latency(LATENCY);
        line.reset();

        long start = System.nanoTime();
        String job = server.submit(plan("s3://" + bucket + "/pub/" + count));
        Duration planned = Duration.ofNanos(System.nanoTime() - start);
        assertThat(planned).isLessThan(limit);
        // One for each footer, and one for each thousand names, with what finds out that it is a
        // folder.
        assertThat(line.requests()).isBetween(count, count + count / 1000 + 5);
        assertThat(line.peak()).as("side by side").isBetween(16, 64);

        line.reset();
        assertThat(server.lines(job, "offset=0")).hasSize(count);
        assertThat(line.requests()).as("small files came with their footers").isZero();
    }
}
