package io.spillway.delivery.http;

import static io.spillway.delivery.http.Posts.LOCAL;
import static io.spillway.delivery.http.Posts.NO_SECRETS;
import static io.spillway.delivery.http.Posts.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.Certificate;
import io.spillway.testing.Received;
import io.spillway.testing.Receiver;
import io.spillway.testing.Reply;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Buffers are overwritten the moment the answer is there, at whatever moment exchanges end: no
 * request that arrives whole may have seen that.
 */
class BodyOwnershipTest {

    private static final int EXCHANGES = 96;
    private static final int AT_A_TIME = 16;
    private static final int BYTES = 1 << 19;

    private static Certificate certificate;

    private final AtomicLong whole = new AtomicLong();
    private final AtomicLong spoilt = new AtomicLong();

    /** How a body goes over the network. */
    enum Way {
        PLAIN,
        COMPRESSED,
        ENCRYPTED
    }

    @BeforeAll
    static void make(@TempDir Path folder) throws Exception {
        certificate = Certificate.make(folder, "ip:127.0.0.1");
    }

    @ParameterizedTest
    @EnumSource
    void nobodyReadsABodyAfterItsAnswer(Way way) throws Exception {
        try (Receiver receiver =
                        way == Way.ENCRYPTED
                                ? Receiver.start(certificate.server())
                                : Receiver.start();
                Sender sender =
                        new Sender(
                                LOCAL,
                                NO_SECRETS,
                                null,
                                ssl -> ssl.trustManager(certificate.certificate()),
                                Clock.systemUTC())) {
            receiver.by(request -> check(request, way));
            Endpoint endpoint =
                    new Endpoint(
                            receiver.uri("/"),
                            "POST",
                            Map.of(),
                            new Authentication.None(),
                            way == Way.COMPRESSED,
                            Duration.ofSeconds(20));
            Random random = new Random(7);
            for (int i = 0; i < EXCHANGES; i += AT_A_TIME) {
                exchange(sender, endpoint, random);
            }
        }

        assertThat(whole.get()).isGreaterThanOrEqualTo(EXCHANGES / 2);
        assertThat(spoilt.get()).isZero();
    }

    /** Some exchanges at once, every other one of which is given up after a random time. */
    private static void exchange(Sender sender, Endpoint endpoint, Random random) throws Exception {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < AT_A_TIME; i++) {
            ByteBuffer body = ByteBuffer.allocateDirect(BYTES);
            fill(body, (byte) 'x');
            Exchange exchange = sender.send(endpoint, post(List.of(body)), 100);
            all.add(exchange.answer().thenRun(() -> fill(body, (byte) 'y')));
            if (i % 2 == 0) {
                CompletableFuture.delayedExecutor(random.nextInt(40), TimeUnit.MILLISECONDS)
                        .execute(exchange::abort);
            }
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).get(30, TimeUnit.SECONDS);
    }

    private Reply check(Received request, Way way) {
        byte[] expected = new byte[BYTES];
        Arrays.fill(expected, (byte) 'x');
        byte[] got = way == Way.COMPRESSED ? gunzip(request.body()) : request.body();
        (Arrays.equals(expected, got) ? whole : spoilt).incrementAndGet();
        return Reply.status(200);
    }

    private static byte[] gunzip(byte[] bytes) {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void fill(ByteBuffer buffer, byte value) {
        byte[] bytes = new byte[buffer.capacity()];
        Arrays.fill(bytes, value);
        buffer.put(0, bytes);
    }
}
