package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.luben.zstd.ZstdInputStream;
import io.spillway.job.JobManager;
import io.spillway.memory.MemoryPool;
import io.spillway.testing.ChunkedResponse;
import io.spillway.testing.SpillwayServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that are compressed say the same as those that are not. */
class CompressionTest {

    private static SpillwayServer server;
    private static String job;

    @BeforeAll
    static void start() {
        server = SpillwayServer.withSamples();
        job = server.submit("{\"from\": {\"dataset\": \"flights\"}}");
    }

    @AfterAll
    static void stop() {
        // What a client has read, the server may be letting go of just now.
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(
                        () -> {
                            assertThat(server.bean("jobManager", JobManager.class).readers())
                                    .isZero();
                            assertThat(server.bean("memory", MemoryPool.class).held()).isZero();
                        });
        server.close();
    }

    private static ChunkedResponse get(String query, String format, @Nullable String coding)
            throws IOException {
        Map<String, String> headers = coding == null ? Map.of() : Map.of("Accept-Encoding", coding);
        return ChunkedResponse.get(
                server.port(), "/v1/jobs/" + job + "/rows?format=" + format + query, headers);
    }

    private static InputStream decoded(String coding, byte[] body) throws IOException {
        InputStream in = new ByteArrayInputStream(body);
        return switch (coding) {
            case "gzip" -> new GZIPInputStream(in);
            case "zstd" -> new ZstdInputStream(in);
            default -> throw new AssertionError(coding);
        };
    }

    @ParameterizedTest
    @CsvSource({
        "json, gzip, &limit=5000",
        "json, zstd, &limit=5000",
        "ndjson, gzip, &limit=300000",
        "ndjson, zstd, &limit=300000",
        "csv, gzip, &limit=100000",
        "csv, zstd, &limit=100000",
        "arrow, gzip, &limit=100000",
        "arrow, zstd, &limit=100000",
        "ndjson, zstd, &offset=5000000"
    })
    void aCompressedBodyIsTheSameBody(String format, String coding, String query)
            throws IOException {
        byte[] plain;
        String count;
        try (ChunkedResponse answer = get(query, format, null)) {
            plain = answer.readAll();
            count = answer.field("Spillway-Row-Count");
        }
        try (ChunkedResponse answer = get(query, format, coding)) {
            byte[] body = answer.readAll();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.field("Content-Encoding")).isEqualTo(coding);
            assertThat(answer.field("Vary")).contains("Accept-Encoding");
            assertThat(answer.field("Spillway-Row-Count")).isEqualTo(count);
            assertThat(decoded(coding, body).readAllBytes()).isEqualTo(plain);
            if (plain.length > 10_000) {
                assertThat(body.length).isLessThan(plain.length / 2);
            }
        }
    }

    /** It never changes, and so has a validator, which is another one for each coding. */
    @ParameterizedTest
    @CsvSource({"json, gzip", "json, zstd", "ndjson, gzip", "csv, zstd", "arrow, gzip"})
    void aCompressedBatchIsTheSameBatch(String format, String coding) throws IOException {
        String batch = "/v1/jobs/" + job + "/batches/3?size=5000&format=" + format;
        byte[] plain;
        String etag;
        try (ChunkedResponse answer = ChunkedResponse.get(server.port(), batch, Map.of())) {
            plain = answer.readAll();
            etag = answer.field("ETag");
            assertThat(answer.field("Vary")).contains("Accept-Encoding");
        }
        String coded;
        try (ChunkedResponse answer =
                ChunkedResponse.get(server.port(), batch, Map.of("Accept-Encoding", coding))) {
            byte[] body = answer.readAll();
            assertThat(answer.field("Content-Encoding")).isEqualTo(coding);
            assertThat(decoded(coding, body).readAllBytes()).isEqualTo(plain);
            assertThat(body.length).isLessThan(plain.length / 2);
            coded = answer.field("ETag");
        }
        assertThat(coded).startsWith("\"").endsWith("\"").isNotEqualTo(etag);
        for (String known : List.of(etag, coded, "W/" + coded)) {
            Map<String, String> headers = Map.of("Accept-Encoding", coding, "If-None-Match", known);
            try (ChunkedResponse answer = ChunkedResponse.get(server.port(), batch, headers)) {
                assertThat(answer.status()).isEqualTo(304);
            }
        }
    }

    @Test
    void rowsCanBeReadAsTheyCome() throws IOException {
        // The first buffer of a stream that goes on for long has whole rows.
        try (ChunkedResponse answer = get("", "ndjson", "gzip")) {
            InputStream in = decoded("gzip", answer.next());
            byte[] rows = in.readNBytes(10_000);
            assertThat(new String(rows, java.nio.charset.StandardCharsets.UTF_8))
                    .startsWith("{\"date\":");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "zstd"})
    void readersThatLeaveAtAnyMomentLeaveNothing(String coding) throws Exception {
        for (int i = 0; i < 60; i++) {
            try (ChunkedResponse answer = get("", "ndjson", coding)) {
                answer.next();
                Thread.sleep(i % 10);
            }
        }
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(
                        () -> assertThat(server.bean("memory", MemoryPool.class).held()).isZero());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sse | gzip, zstd | ''",
                "json | gzip | &limit=3",
                "ndjson | identity | &limit=5000",
                "ndjson | br | &limit=5000",
                "ndjson | gzip;q=0 | &limit=5000"
            })
    void eventsAndSmallBodiesAndWhatNobodyWantsStayPlain(String format, String coding, String query)
            throws IOException {
        String cut = format.equals("sse") ? "&limit=1000" : query;
        try (ChunkedResponse answer = get(cut, format, coding)) {
            assertThat(answer.field("Content-Encoding")).isEmpty();
            assertThat(answer.text()).contains("{\"date\":");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip | GZIP",
                "x-gzip | GZIP",
                "gzip, zstd | ZSTD",
                "gzip;q=1.0, zstd;q=0.5 | GZIP",
                "GZIP ; q=0.5, br | GZIP",
                "* | ZSTD",
                "*;q=0.1, zstd;q=0 | GZIP",
                "identity, *;q=0 | ",
                "gzip;q=much | ",
                "deflate, br | "
            })
    void theCodingThatIsWantedMostIsTaken(String header, Compression.@Nullable Coding coding) {
        assertThat(Compression.wanted(List.of(header))).isEqualTo(coding);
    }
}
