package io.spillway.delivery.http;

import static io.spillway.delivery.http.Posts.LOCAL;
import static io.spillway.delivery.http.Posts.NO_SECRETS;
import static io.spillway.delivery.http.Posts.endpoint;
import static io.spillway.delivery.http.Posts.post;
import static io.spillway.delivery.http.Posts.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.Receiver;
import io.spillway.testing.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HostileEndpointTest {

    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final Duration GRACE = Duration.ofMillis(500);

    private final Sender sender = new Sender(LOCAL, NO_SECRETS);
    private final List<Receiver> receivers = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        sender.close();
        for (Receiver receiver : receivers) {
            receiver.close();
        }
    }

    private Receiver receiver() throws IOException {
        Receiver receiver = Receiver.start();
        receivers.add(receiver);
        return receiver;
    }

    /** Endpoints that never come to the end of an answer, by what they do. */
    private Map<String, Receiver> endless() throws IOException {
        Map<String, Receiver> endless = new LinkedHashMap<>();
        endless.put("never answers", receiver().always(Reply.never()));
        endless.put("sends a head and then nothing", receiver().always(Reply.headThenNothing()));
        endless.put("drips its body", receiver().always(Reply.drip(Duration.ofMillis(100))));
        endless.put("drips its head", receiver().always(Reply.dripHead(Duration.ofMillis(100))));
        endless.put("reads nothing", receiver().deaf());
        endless.put("reads slowly", receiver().slowly(1_000));
        return endless;
    }

    @Test
    void everyAttemptEndsAtItsTimeLimit() throws Exception {
        Map<String, Exchange> exchanges = new LinkedHashMap<>();
        Post large = post(Posts.parts(Posts.text(8 << 20, 1), 8));
        send(sender, endpoint(receiver().uri("/")), large);
        for (Map.Entry<String, Receiver> hostile : endless().entrySet()) {
            URI uri = hostile.getValue().uri("/");
            for (int i = 0; i < 17; i++) {
                Post sent = i == 0 ? large : post("a small body");
                boolean ends = hostile.getKey().equals("reads slowly") && i > 0;
                if (!ends) {
                    exchanges.put(
                            hostile.getKey() + " " + i,
                            sender.send(endpoint(uri, LIMIT), sent, Posts.RESPONSE_LIMIT));
                }
            }
        }

        for (Map.Entry<String, Exchange> exchange : exchanges.entrySet()) {
            Answer answer = Posts.answer(exchange.getValue());
            assertThat(answer)
                    .as(exchange.getKey())
                    .isInstanceOfSatisfying(
                            Answer.Failure.class,
                            failure -> {
                                assertThat(failure.kind()).isEqualTo(Answer.Kind.TIMEOUT);
                                assertThat(failure.latency())
                                        .isBetween(LIMIT.minusMillis(50), LIMIT.plus(GRACE));
                            });
            assertThat(Outcome.of(answer)).isEqualTo(Outcome.RETRY);
        }
        assertNothingIsLeft();
    }

    /** No connection to any of the receivers is open on this side, soon after. */
    private void assertNothingIsLeft() throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(3).toNanos();
        while (connections() > 0 && System.nanoTime() < deadline) {
            Thread.sleep(20);
        }
        assertThat(connections()).as("connections to endpoints").isZero();
        assertThat(
                        Thread.getAllStackTraces().keySet().stream()
                                .filter(thread -> thread.getName().startsWith("delivery"))
                                .count())
                .as("threads of the sender")
                .isLessThanOrEqualTo(Runtime.getRuntime().availableProcessors() + 2L);
    }

    private long connections() throws IOException {
        List<String> ports =
                receivers.stream()
                        .skip(1)
                        .map(receiver -> String.format(":%04X", receiver.port()))
                        .toList();
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/net/tcp"))) {
            return lines.map(line -> line.strip().split("\\s+"))
                    .filter(words -> ports.stream().anyMatch(words[2]::endsWith))
                    .filter(words -> words[3].equals("01"))
                    .count();
        }
    }

    @Test
    void readsOfAnEndlessAnswerOnlyWhatIsAskedFor() throws Exception {
        Receiver receiver = receiver().always(Reply.endless());

        Answer answer = send(sender, endpoint(receiver.uri("/"), LIMIT), post("x"));

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Response.class,
                        response -> {
                            assertThat(response.body()).hasSize(Posts.RESPONSE_LIMIT);
                            assertThat(response.truncated()).isTrue();
                            assertThat(response.latency()).isLessThan(LIMIT);
                        });
    }

    @Test
    void opensOfACompressedAnswerOnlyWhatIsAskedFor() throws Exception {
        Receiver receiver =
                receiver()
                        .then(
                                Reply.gzipBomb(1L << 30),
                                Reply.gzipBomb(1L << 24),
                                Reply.gzipBomb(20_000));

        Answer large = send(sender, endpoint(receiver.uri("/")), post("x"));
        Answer bomb = send(sender, endpoint(receiver.uri("/")), post("x"));
        Answer honest = send(sender, endpoint(receiver.uri("/")), post("x"));

        assertThat(List.of(large, bomb))
                .allSatisfy(
                        answer ->
                                assertThat(answer)
                                        .isInstanceOfSatisfying(
                                                Answer.Response.class,
                                                response -> {
                                                    assertThat(response.body())
                                                            .hasSize(Posts.RESPONSE_LIMIT);
                                                    assertThat(response.truncated()).isTrue();
                                                }));
        assertThat(honest)
                .isInstanceOfSatisfying(
                        Answer.Response.class,
                        response -> {
                            assertThat(response.body()).isEqualTo(new byte[20_000]);
                            assertThat(response.truncated()).isFalse();
                        });
    }

    @Test
    void aResetAfterTheBatchWasStoredIsAFailureToBeRetried() throws Exception {
        Receiver receiver =
                receiver().then(Reply.reset(), Reply.close(), Reply.reset(), Reply.close());

        for (int i = 1; i <= 4; i++) {
            Answer answer = send(sender, endpoint(receiver.uri("/")), post("stored"));

            assertThat(answer)
                    .isInstanceOfSatisfying(
                            Answer.Failure.class,
                            failure -> assertThat(failure.kind()).isEqualTo(Answer.Kind.RESET));
            assertThat(Outcome.of(answer)).isEqualTo(Outcome.RETRY);
            assertThat(receiver.requests()).as("requests, none of them twice").hasSize(i);
        }
    }

    @Test
    void aResetInTheMidstOfAnAnswerIsNoAnswer() throws Exception {
        Receiver receiver =
                receiver().always(Reply.raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"));

        Answer answer = send(sender, endpoint(receiver.uri("/")), post("x"));

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Failure.class,
                        failure -> assertThat(failure.kind()).isEqualTo(Answer.Kind.RESET));
    }

    @Test
    void refusedConnectionsAreFailuresAtOnce() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }

        Answer answer =
                send(sender, endpoint(URI.create("http://127.0.0.1:" + port + "/")), post("x"));

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Failure.class,
                        failure -> {
                            assertThat(failure.kind()).isEqualTo(Answer.Kind.CONNECT);
                            assertThat(failure.message()).doesNotContain("127.0.0.1", "" + port);
                        });
    }

    @Test
    void whatIsNotHttpIsNoAnswer() throws Exception {
        List<String> texts =
                List.of(
                        "SSH-2.0-OpenSSH_9.2\r\n\r\n",
                        "HTTP/1.1 abc OK\r\n\r\n",
                        "HTTP/1.1 200 OK\r\nX: " + "y".repeat(100_000) + "\r\n\r\n",
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n");
        for (String text : texts) {
            Receiver receiver = receiver().always(Reply.raw(text));

            Answer answer = send(sender, endpoint(receiver.uri("/")), post("x"));

            assertThat(answer)
                    .as(text.substring(0, Math.min(30, text.length())))
                    .isInstanceOfSatisfying(
                            Answer.Failure.class,
                            failure -> assertThat(failure.kind()).isEqualTo(Answer.Kind.PROTOCOL));
        }
    }

    @Test
    void aConnectionThatDoesNotComeAboutEndsAtTheTimeLimit() throws Exception {
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            List<Socket> queue = new ArrayList<>();
            try {
                fill(full, queue);
                URI uri = URI.create("http://127.0.0.1:" + full.getLocalPort() + "/");

                Answer answer = send(sender, endpoint(uri, LIMIT), post("x"));

                assertThat(answer)
                        .isInstanceOfSatisfying(
                                Answer.Failure.class,
                                failure -> {
                                    assertThat(failure.kind()).isEqualTo(Answer.Kind.TIMEOUT);
                                    assertThat(failure.latency()).isLessThan(LIMIT.plus(GRACE));
                                });
            } finally {
                for (Socket socket : queue) {
                    socket.close();
                }
            }
        }
    }

    /** Connects until the listener, which accepts nobody, has no place for another one. */
    private static void fill(ServerSocket full, List<Socket> queue) throws IOException {
        while (queue.size() < 10) {
            Socket socket = new Socket();
            queue.add(socket);
            try {
                socket.connect(full.getLocalSocketAddress(), 200);
            } catch (SocketTimeoutException e) {
                return;
            }
        }
    }
}
