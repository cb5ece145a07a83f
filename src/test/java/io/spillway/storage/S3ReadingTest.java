package io.spillway.storage;

import static io.spillway.storage.FileSystemContract.fails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.testing.S3Server;
import io.spillway.testing.SlowLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What requests an S3 server is asked, and what comes of it when they fail. */
class S3ReadingTest {

    private static final int PARALLELISM = 8;

    private static S3Server server;
    private static SlowLine line;
    private static FileSystems systems;
    private static FileSystemAccess files;
    private String bucket;

    @BeforeAll
    static void connect() throws IOException {
        server = S3Server.shared();
        line = new SlowLine(server.port(), Duration.ZERO);
        systems = systems(server.properties(line.port()));
        files = access(systems);
    }

    @AfterAll
    static void disconnect() throws IOException {
        systems.close();
        line.close();
    }

    @BeforeEach
    void newBucket() {
        bucket = server.bucket();
        line.latency(Duration.ZERO);
        line.reset();
    }

    private static FileSystems systems(Map<String, String> properties) {
        return FileSystems.of(
                List.of("s3a"), new HadoopSettings(properties, List.of(), PARALLELISM));
    }

    private static FileSystemAccess access(FileSystems systems) {
        return Objects.requireNonNull(systems.byScheme().get("s3a"));
    }

    private String uri(String key) {
        return "s3://" + bucket + "/" + key;
    }

    private byte[] put(String key, int size) {
        byte[] content = new byte[size];
        new Random(size).nextBytes(content);
        server.put(bucket, key, content);
        return content;
    }

    private static byte[] read(FileStatus file, int from, int length) {
        try (RangeReader reader = files.open(file)) {
            assertThat(reader.status()).isEqualTo(file);
            ByteBuffer bytes = ByteBuffer.allocate(length);
            reader.readFully(from, bytes);
            return bytes.array();
        }
    }

    @Test
    void aReadIsOneRequestForItsBytesAlone() {
        byte[] content = put("a", 5_000_000);
        FileStatus file = files.status(uri("a"));
        line.reset();

        assertThat(read(file, 1_000_000, 2_000_000))
                .isEqualTo(Arrays.copyOfRange(content, 1_000_000, 3_000_000));
        assertThat(line.requests()).isEqualTo(1);
        assertThat(line.bytes()).isBetween(2_000_000L, 2_010_000L);
    }

    @Test
    void listingIsOneRequestAThousandFiles() throws Exception {
        int count = 2500;
        try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
            for (int i = 0; i < count; i++) {
                String key = "data/part=%d/%04d".formatted(i % 50, i);
                threads.execute(() -> server.put(bucket, key, new byte[1]));
            }
        }
        line.reset();

        assertThat(files.list(uri("data/*/*"))).hasSize(count);
        // Two looks for the name as it stands, then the pages.
        assertThat(line.requests()).isLessThanOrEqualTo(2 + 3 + 1);
    }

    @Test
    void aBrokenConnectionIsTakenUpAgain() {
        byte[] content = put("a", 3_000_000);
        FileStatus file = files.status(uri("a"));
        for (int after : new int[] {0, 100, 500_000, 2_900_000}) {
            line.reset();
            line.cutAfter(after);
            assertThat(read(file, 10, 2_999_990))
                    .isEqualTo(Arrays.copyOfRange(content, 10, 3_000_000));
            assertThat(line.requests()).as("after %d", after).isBetween(2, 3);
            assertThat(line.bytes()).isLessThan(3_100_000 + after);
        }
    }

    @Test
    void aReaderThatIsClosedReadsNoFurther() throws Exception {
        put("a", 20_000_000);
        FileStatus file = files.status(uri("a"));
        line.reset();
        line.latency(Duration.ofMillis(200));
        RangeReader reader = files.open(file);
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            Future<?> read =
                    thread.submit(() -> reader.readFully(0, ByteBuffer.allocate(20_000_000)));
            while (line.requests() == 0) {
                Thread.onSpinWait();
            }
            reader.close();
            fails(
                    ErrorCode.READ_FAILED,
                    () -> {
                        try {
                            read.get();
                        } catch (ExecutionException e) {
                            throw e.getCause();
                        }
                    });
        }
        assertThat(line.bytes()).isLessThan(15_000_000);
    }

    @Test
    void asManyRequestsAreUnderWayAsAreAllowed() throws Exception {
        put("a", 100_000);
        FileStatus file = files.status(uri("a"));
        line.reset();
        line.latency(Duration.ofMillis(50));
        long start = System.nanoTime();
        List<Future<byte[]>> reads = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 4 * PARALLELISM; i++) {
                reads.add(threads.submit(() -> read(file, 0, 100)));
            }
            for (Future<byte[]> read : reads) {
                read.get();
            }
        }
        assertThat(line.peak()).isEqualTo(PARALLELISM);
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isGreaterThanOrEqualTo(Duration.ofMillis(4 * 50));
    }

    @Test
    void namesThatNoBucketHasAreNotFound() {
        fails(ErrorCode.FILE_NOT_FOUND, () -> files.list("s3a://no-such-bucket/x"));
        fails(ErrorCode.FILE_NOT_FOUND, () -> files.status("s3a://no-such-bucket/x"));
        fails(ErrorCode.FILE_NOT_FOUND, () -> files.list("s3a:x"));
        fails(ErrorCode.FILE_NOT_FOUND, () -> files.list("s3a://" + bucket + "/none/*"));
    }

    @Test
    void refusedAccessIsToldWithoutTheCredentials() throws IOException {
        put("a", 1);
        Map<String, String> wrong = new HashMap<>(server.properties(server.port()));
        wrong.put("fs.s3a.secret.key", "wrong-" + server.secret());
        try (FileSystems others = systems(wrong)) {
            assertThatExceptionOfType(SpillwayException.class)
                    .isThrownBy(() -> access(others).status(uri("a")))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_ACCESS_DENIED))
                    .satisfies(e -> assertThat(everythingOf(e)).doesNotContain(server.secret()));
        }
        assertThat(new HadoopSettings(wrong, List.of(), 1).toString())
                .doesNotContain(server.secret())
                .contains("fs.s3a.secret.key");
    }

    private static String everythingOf(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Test
    void aServerThatIsNotThereIsGivenUpInTime() throws IOException {
        int nobody;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = socket.getLocalPort();
        }
        long start = System.nanoTime();
        try (FileSystems others = systems(server.properties(nobody))) {
            fails(ErrorCode.READ_FAILED, () -> access(others).status(uri("a")));
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
    }

    @Test
    void bytesOfAChangedObjectAreNeverGivenOut() {
        byte[] first = put("a", 1_000_000);
        FileStatus pinned = files.status(uri("a"));
        try (RangeReader reader = files.open(pinned)) {
            ByteBuffer half = ByteBuffer.allocate(500_000);
            reader.readFully(0, half);
            assertThat(half.array()).isEqualTo(Arrays.copyOf(first, 500_000));
            server.put(bucket, "a", new byte[1_000_000]);
            ByteBuffer rest = ByteBuffer.allocate(500_000);

            fails(ErrorCode.SOURCE_CHANGED, () -> reader.readFully(500_000, rest));
            assertThat(rest.position()).isZero();
        }
        server.put(bucket, "a", "shorter".getBytes(StandardCharsets.UTF_8));
        try (RangeReader reader = files.open(pinned)) {
            fails(
                    ErrorCode.SOURCE_CHANGED,
                    () -> reader.readFully(999_000, ByteBuffer.allocate(10)));
        }
    }
}
