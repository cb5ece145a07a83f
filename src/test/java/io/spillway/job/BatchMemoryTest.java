package io.spillway.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.encode.BatchEncoders;
import io.spillway.testing.ChunkedResponse;
import io.spillway.testing.SpillwayServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What exact batches take of memory: no more than the plain stream of the same rows, and a batch
 * for each thread.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BatchMemoryTest {

    private static final String NDJSON = "application/x-ndjson";
    private static final String ARROW = "application/vnd.apache.arrow.stream";
    private static final int THREADS = 2;
    private static final int ROWS = 3_000_000;

    /** How far a stream gets ahead is a matter of chance. */
    private static final int RUNS = 3;

    private @Nullable SpillwayServer running;

    @BeforeAll
    void start() {
        running =
                SpillwayServer.builder()
                        .dataset("flights", Path.of("samples/flights-3m.parquet").toAbsolutePath())
                        .set("spillway.scheduler.threads", Integer.toString(THREADS))
                        .start();
    }

    @AfterAll
    void stop() {
        server().close();
    }

    private SpillwayServer server() {
        return Objects.requireNonNull(running);
    }

    /**
     * What jobs held at most, one after the other.
     *
     * @param usual the middle one of these
     * @param most the largest
     * @param bytes what one of them sent
     */
    private record Held(long usual, long most, long bytes) {}

    @ParameterizedTest
    @CsvSource({"strict, 100", "strict, 50000", "any, 100", "any, 50000"})
    void batchesOfTextAreWrittenAsTheirRowsCome(String order, int size) throws IOException {
        Held plain = held("rows", NDJSON);
        Held batches = held("batches?order=" + order + "&size=" + size, NDJSON);
        // However large batches are, a chunk each is all that may be more.
        assertThat(batches.usual())
                .isLessThanOrEqualTo(plain.most() + THREADS * (long) BatchEncoders.CHUNK_BYTES);
    }

    @ParameterizedTest
    @CsvSource({"strict, 8192", "strict, 100000", "any, 100000"})
    void eachThreadHasOneBatchOfArrowInHand(String order, int size) throws IOException {
        Held plain = held("rows", ARROW);
        Held batches = held("batches?order=" + order + "&size=" + size, ARROW);
        long batch = allocated(batches.bytes() / Math.ceilDiv(ROWS, size));
        // One batch, as rows and as the message that they become.
        assertThat(batches.usual()).isLessThanOrEqualTo(plain.most() + THREADS * 2 * batch);
    }

    /** As Arrow allocates. */
    private static long allocated(long bytes) {
        return Long.highestOneBit(2 * bytes - 1);
    }

    /** What jobs of their own hold at most while all their rows are read. */
    private Held held(String target, String accept) throws IOException {
        JobManager manager = server().bean("jobManager", JobManager.class);
        long[] peaks = new long[RUNS];
        long bytes = 0;
        for (int i = 0; i < RUNS; i++) {
            String job = server().submit("{\"from\": {\"dataset\": \"flights\"}}");
            String path = "/v1/jobs/" + job + "/" + target;
            try (ChunkedResponse response = ChunkedResponse.ok(server().port(), path, accept)) {
                response.drain();
                bytes = response.bytes();
            }
            peaks[i] = Objects.requireNonNull(manager.running(job)).pool().peak();
        }
        Arrays.sort(peaks);
        return new Held(peaks[RUNS / 2], peaks[RUNS - 1], bytes);
    }
}
