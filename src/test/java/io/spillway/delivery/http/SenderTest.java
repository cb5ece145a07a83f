package io.spillway.delivery.http;

import static io.spillway.delivery.http.Posts.LOCAL;
import static io.spillway.delivery.http.Posts.NO_SECRETS;
import static io.spillway.delivery.http.Posts.endpoint;
import static io.spillway.delivery.http.Posts.post;
import static io.spillway.delivery.http.Posts.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.Received;
import io.spillway.testing.Receiver;
import io.spillway.testing.Reply;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SenderTest {

    private final Sender sender = new Sender(LOCAL, NO_SECRETS);
    private final Receiver receiver = start();

    private static Receiver start() {
        try {
            return Receiver.start();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() throws IOException {
        sender.close();
        receiver.close();
    }

    @Test
    void sendsTheBatchAndSaysWhatItIs() throws Exception {
        receiver.always(Reply.json("{\"ok\":true}").header("Retry-After", "7"));
        Endpoint endpoint =
                new Endpoint(
                        receiver.uri("/v1/embed?model=m%20n"),
                        "PUT",
                        Map.of("X-Team", new SecretText("search")),
                        new Authentication.None(),
                        false,
                        Duration.ofSeconds(10));

        Answer answer = send(sender, endpoint, post("[1,2]"));

        assertThat(answer).isInstanceOf(Answer.Response.class);
        Answer.Response response = (Answer.Response) answer;
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.retryAfter()).isEqualTo("7");
        assertThat(response.contentType()).isEqualTo("application/json");
        assertThat(response.body()).asString().isEqualTo("{\"ok\":true}");
        assertThat(response.truncated()).isFalse();
        assertThat(response.latency()).isPositive();
        Received request = receiver.only();
        assertThat(request.method()).isEqualTo("PUT");
        assertThat(request.path()).isEqualTo("/v1/embed?model=m%20n");
        assertThat(request.text()).isEqualTo("[1,2]");
        assertThat(request.headers())
                .containsEntry("host", "127.0.0.1:" + receiver.port())
                .containsEntry("content-type", "application/json")
                .containsEntry("content-length", "5")
                .containsEntry("x-team", "search")
                .containsEntry("idempotency-key", "d1.96.96")
                .containsEntry("spillway-delivery", "d1")
                .containsEntry("spillway-first-row", "96")
                .containsEntry("spillway-row-count", "96")
                .containsEntry("spillway-attempt", "3")
                .containsEntry("user-agent", "Spillway")
                .doesNotContainKeys("webhook-id", "authorization", "transfer-encoding");
        assertThat(request.header("traceparent")).matches("00-" + Posts.TRACE + "-[0-9a-f]{16}-01");
    }

    @Test
    void theEndpointsOwnContentTypeWins() throws Exception {
        Endpoint endpoint =
                new Endpoint(
                        receiver.uri("/"),
                        "POST",
                        Map.of("content-type", new SecretText("application/x-amz-json-1.0")),
                        new Authentication.None(),
                        false,
                        Duration.ofSeconds(10));

        send(sender, endpoint, post("{}"));

        assertThat(receiver.only().header("content-type")).isEqualTo("application/x-amz-json-1.0");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 65_536, 300_000, 5_000_000})
    void sendsBuffersOfAllKindsAsTheyAre(int bytes) throws Exception {
        byte[] body = Posts.text(bytes, bytes);
        List<ByteBuffer> parts = Posts.parts(body, 9);
        List<ByteBuffer> before = parts.stream().map(ByteBuffer::duplicate).toList();

        send(sender, endpoint(receiver.uri("/")), post(parts));

        assertThat(receiver.only().body()).isEqualTo(body);
        assertThat(receiver.only().header("content-length")).isEqualTo(String.valueOf(bytes));
        assertThat(parts).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5_000, 3_000_000})
    void compressesTheSameBodyToTheSameBytes(int bytes) throws Exception {
        byte[] body = Posts.text(bytes, bytes);
        Endpoint endpoint =
                new Endpoint(
                        receiver.uri("/"),
                        "POST",
                        Map.of(),
                        new Authentication.None(),
                        true,
                        Duration.ofSeconds(10));

        send(sender, endpoint, post(Posts.parts(body, 7)));
        send(sender, endpoint, post(Posts.parts(body, 7)));

        List<Received> requests = receiver.requests();
        assertThat(requests).hasSize(2);
        assertThat(requests.getFirst().header("content-encoding")).isEqualTo("gzip");
        assertThat(requests.getFirst().body()).isEqualTo(requests.getLast().body());
        assertThat(gunzip(requests.getFirst().body())).isEqualTo(body);
    }

    @Test
    void keepsConnectionsForTheNextRequests() throws Exception {
        for (int i = 0; i < 20; i++) {
            send(sender, endpoint(receiver.uri("/" + i)), post("x"));
        }

        // One may still be on its way back when the next request needs one.
        assertThat(receiver.connections()).isLessThanOrEqualTo(2);
        assertThat(receiver.requests()).hasSize(20);
    }

    @Test
    void readsNoMoreOfAnAnswerThanAsked() throws Exception {
        receiver.then(
                Reply.status(200).body("a".repeat(100)), Reply.status(200).body("a".repeat(101)));

        Answer.Response fits =
                (Answer.Response)
                        Posts.answer(sender.send(endpoint(receiver.uri("/")), post("x"), 100));
        Answer.Response longer =
                (Answer.Response)
                        Posts.answer(sender.send(endpoint(receiver.uri("/")), post("x"), 100));

        assertThat(fits.body()).hasSize(100);
        assertThat(fits.truncated()).isFalse();
        assertThat(longer.body()).hasSize(100);
        assertThat(longer.truncated()).isTrue();
    }

    @Test
    void neverFollowsARedirect() throws Exception {
        try (Receiver elsewhere = Receiver.start()) {
            receiver.always(Reply.redirect(elsewhere.uri("/")));

            Answer answer = send(sender, endpoint(receiver.uri("/")), post("x"));

            assertThat(((Answer.Response) answer).status()).isEqualTo(302);
            assertThat(Outcome.of(answer)).isEqualTo(Outcome.REJECTED);
            assertThat(elsewhere.connections()).isZero();
        }
    }

    @Test
    void takesAnAnswerThatComesBeforeTheBodyIsRead() throws Exception {
        receiver.early(Reply.status(413));

        Answer answer =
                send(
                        sender,
                        endpoint(receiver.uri("/"), Duration.ofSeconds(3)),
                        post(List.of(ByteBuffer.wrap(new byte[64 << 20]))));

        assertThat(answer).isInstanceOf(Answer.Response.class);
        assertThat(Outcome.of(answer)).isEqualTo(Outcome.TOO_LARGE);

        // Nothing may follow on a connection whose request was not sent to its end.
        Answer next =
                send(sender, endpoint(receiver.uri("/"), Duration.ofSeconds(3)), post("small"));
        assertThat(Outcome.of(next)).isEqualTo(Outcome.TOO_LARGE);
        assertThat(receiver.connections()).isEqualTo(2);
    }

    @Test
    void connectionsThatTheEndpointClosedAreNotUsedAgain() throws Exception {
        receiver.always(
                line -> {
                    Reply.status(200).send(line);
                    line.close();
                });
        for (int i = 0; i < 5; i++) {
            Answer answer = send(sender, endpoint(receiver.uri("/")), post("x"));
            assertThat(Outcome.of(answer)).as("%d: %s", i, answer).isEqualTo(Outcome.DELIVERED);
            Thread.sleep(50);
        }
        assertThat(receiver.requests()).hasSize(5);
    }

    @Test
    void sendsPathsBeyondAsciiEncoded() throws Exception {
        Endpoint endpoint = endpoint(URI.create(receiver.uri("/zähler?größe=1").toString()));

        send(sender, endpoint, post("x"));

        assertThat(receiver.only().path()).isEqualTo("/z%C3%A4hler?gr%C3%B6%C3%9Fe=1");
    }

    @Test
    void whatIsUnderWayEndsWithTheSender() throws Exception {
        receiver.always(Reply.never());
        Sender another = new Sender(LOCAL, NO_SECRETS);
        List<Exchange> exchanges = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            exchanges.add(another.send(endpoint(receiver.uri("/")), post("x"), 100));
        }

        another.close();

        for (Exchange exchange : exchanges) {
            assertThat(exchange.answer().getNow(null))
                    .isInstanceOfSatisfying(
                            Answer.Failure.class,
                            failure -> assertThat(failure.kind()).isEqualTo(Answer.Kind.ABORTED));
        }
    }

    @Test
    void givesUpAtOnceWhenAsked() throws Exception {
        receiver.always(Reply.never());
        Exchange exchange = sender.send(endpoint(receiver.uri("/")), post("x"), 100);
        while (receiver.requests().isEmpty()) {
            Thread.sleep(5);
        }

        exchange.abort();

        Answer.Failure failure = (Answer.Failure) Posts.answer(exchange);
        assertThat(failure.kind()).isEqualTo(Answer.Kind.ABORTED);
        assertThat(failure.latency()).isLessThan(Duration.ofSeconds(5));
    }

    private static byte[] gunzip(byte[] bytes) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return in.readAllBytes();
        }
    }
}
