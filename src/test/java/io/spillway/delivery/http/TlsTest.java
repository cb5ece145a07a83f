package io.spillway.delivery.http;

import static io.spillway.delivery.http.Posts.LOCAL;
import static io.spillway.delivery.http.Posts.NO_SECRETS;
import static io.spillway.delivery.http.Posts.endpoint;
import static io.spillway.delivery.http.Posts.post;
import static io.spillway.delivery.http.Posts.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.Certificate;
import io.spillway.testing.Receiver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TlsTest {

    private static final Duration LIMIT = Duration.ofSeconds(2);

    @TempDir private static Path folder;
    private static Certificate good;

    @BeforeAll
    static void make() throws Exception {
        good = Certificate.make(folder, "dns:localhost,ip:127.0.0.1");
    }

    private static Sender trusting(X509Certificate certificate) {
        return new Sender(
                LOCAL, NO_SECRETS, null, ssl -> ssl.trustManager(certificate), Clock.systemUTC());
    }

    @Test
    void sendsToWhomItTrusts() throws Exception {
        byte[] body = Posts.text(5_000_000, 1);
        try (Receiver receiver = Receiver.start(good.server());
                Sender sender = trusting(good.certificate())) {
            Answer answer = send(sender, endpoint(receiver.uri("/")), post(Posts.parts(body, 11)));

            assertThat(answer).isInstanceOf(Answer.Response.class);
            assertThat(receiver.only().body()).isEqualTo(body);
        }
    }

    @Test
    void sendsNothingToWhoeverSignedForItself() throws Exception {
        try (Receiver receiver = Receiver.start(good.server());
                Sender sender = new Sender(LOCAL, NO_SECRETS)) {
            assertDistrusts(sender, receiver);
        }
    }

    @Test
    void sendsNothingToWhoeverHasAnotherName() throws Exception {
        Certificate other = Certificate.make(folder, "dns:other.example");
        try (Receiver receiver = Receiver.start(other.server());
                Sender sender = trusting(other.certificate())) {
            assertDistrusts(sender, receiver);
        }
    }

    private static void assertDistrusts(Sender sender, Receiver receiver) throws Exception {
        Answer answer = send(sender, endpoint(receiver.uri("/")), post("x"));

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Failure.class,
                        failure -> {
                            assertThat(failure.kind()).isEqualTo(Answer.Kind.TLS);
                            assertThat(failure.message())
                                    .isEqualTo("The endpoint's certificate does not verify");
                        });
        assertThat(Outcome.of(answer)).isEqualTo(Outcome.REJECTED);
        assertThat(receiver.requests()).isEmpty();
    }

    @Test
    void aSlowReaderIsLeftAtTheTimeLimit() throws Exception {
        try (Receiver receiver = Receiver.start(good.server()).slowly(1_000);
                Sender sender = trusting(good.certificate())) {
            Answer answer =
                    send(
                            sender,
                            endpoint(receiver.uri("/"), LIMIT),
                            post(Posts.parts(Posts.text(16 << 20, 1), 4)));

            assertThat(answer)
                    .isInstanceOfSatisfying(
                            Answer.Failure.class,
                            failure -> assertThat(failure.kind()).isEqualTo(Answer.Kind.TIMEOUT));
        }
    }

    /** What a server does in place of the handshake. */
    enum Handshake {
        NONE(Answer.Kind.TIMEOUT),
        RESET(Answer.Kind.RESET),
        CLOSE(Answer.Kind.RESET),
        PLAIN_HTTP(Answer.Kind.TLS);

        private final Answer.Kind kind;

        Handshake(Answer.Kind kind) {
            this.kind = kind;
        }
    }

    @ParameterizedTest
    @EnumSource
    void withoutAHandshakeNothingIsSent(Handshake handshake) throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                Sender sender = new Sender(LOCAL, NO_SECRETS)) {
            Thread.ofVirtual().start(() -> serve(listener, handshake));
            URI uri = URI.create("https://127.0.0.1:" + listener.getLocalPort() + "/");
            long start = System.nanoTime();

            Answer answer = send(sender, endpoint(uri, LIMIT), post("x"));

            assertThat(answer)
                    .isInstanceOfSatisfying(
                            Answer.Failure.class,
                            failure -> assertThat(failure.kind()).isEqualTo(handshake.kind));
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isLessThan(LIMIT.plusSeconds(2));
        }
    }

    private static void serve(ServerSocket listener, Handshake handshake) {
        while (!listener.isClosed()) {
            try (Socket socket = listener.accept()) {
                answer(socket, handshake);
            } catch (IOException | InterruptedException e) {
                // The client has gone.
            }
        }
    }

    private static void answer(Socket socket, Handshake handshake)
            throws IOException, InterruptedException {
        var _ = socket.getInputStream().read();
        switch (handshake) {
            case NONE -> Thread.sleep(LIMIT.multipliedBy(2));
            case RESET -> socket.setSoLinger(true, 0);
            case CLOSE -> socket.shutdownOutput();
            case PLAIN_HTTP -> {
                socket.getInputStream().skipNBytes(socket.getInputStream().available());
                socket.getOutputStream()
                        .write(
                                "HTTP/1.1 400 Bad Request\r\n\r\n"
                                        .getBytes(StandardCharsets.US_ASCII));
            }
        }
    }
}
