package io.spillway.delivery.http;

import static io.spillway.delivery.http.Posts.LOCAL;
import static io.spillway.delivery.http.Posts.post;
import static io.spillway.delivery.http.Posts.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.Received;
import io.spillway.testing.Receiver;
import io.spillway.testing.Reply;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OAuth2Test {

    private final MovedClock clock = new MovedClock();
    private final Sender sender =
            new Sender(LOCAL, Map.of("client", "s:e c&r")::get, null, _ -> {}, clock);
    private final Receiver tokens = start();
    private final Receiver target = start();

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
        tokens.close();
        target.close();
    }

    private Endpoint endpoint() {
        return endpoint(Duration.ofSeconds(10));
    }

    private Endpoint endpoint(Duration timeout) {
        return new Endpoint(
                target.uri("/"),
                "POST",
                Map.of(),
                new Authentication.OAuth2(
                        tokens.uri("/token"),
                        new SecretText("me"),
                        new SecretText("{secret:client}"),
                        List.of("rows.write", "rows.read")),
                false,
                timeout);
    }

    /** Tokens named t0, t1, … that live for so many seconds. */
    private void giveTokens(long lifeSeconds) {
        tokens.by(
                request ->
                        Reply.json(
                                """
                                {"access_token":"t%d","token_type":"Bearer","expires_in":%d}\
                                """
                                        .formatted(request.number(), lifeSeconds)));
    }

    private int status(Answer answer) {
        assertThat(answer).isInstanceOf(Answer.Response.class);
        return ((Answer.Response) answer).status();
    }

    @Test
    void asksForATokenAsTheRulesSay() throws Exception {
        giveTokens(3600);

        assertThat(status(send(sender, endpoint(), post("x")))).isEqualTo(200);

        assertThat(target.only().header("authorization")).isEqualTo("Bearer t0");
        Received request = tokens.only();
        assertThat(request.method()).isEqualTo("POST");
        assertThat(request.path()).isEqualTo("/token");
        assertThat(request.header("content-type")).startsWith("application/x-www-form-urlencoded");
        assertThat(request.text())
                .isEqualTo("grant_type=client_credentials&scope=rows.write+rows.read");
        // base64("me:s%3Ae+c%26r"): each part encoded as a form's value, by RFC 6749, section 2.3.1
        assertThat(request.header("authorization")).isEqualTo("Basic bWU6cyUzQWUrYyUyNnI=");
    }

    @Test
    void manyAttemptsShareOneToken() {
        giveTokens(3600);

        List<Exchange> exchanges =
                IntStream.range(0, 50)
                        .mapToObj(i -> sender.send(endpoint(), post("x" + i), 100))
                        .toList();

        assertThat(exchanges)
                .allSatisfy(exchange -> assertThat(status(Posts.answer(exchange))).isEqualTo(200));
        assertThat(tokens.requests()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {3600, 40})
    void renewsATokenBeforeItsEnd(long lifeSeconds) throws Exception {
        giveTokens(lifeSeconds);
        long ahead = Math.min(60, lifeSeconds / 4);

        send(sender, endpoint(), post("x"));
        clock.move(Duration.ofSeconds(lifeSeconds - ahead - 5));
        send(sender, endpoint(), post("x"));
        assertThat(tokens.requests()).hasSize(1);
        clock.move(Duration.ofSeconds(6));
        send(sender, endpoint(), post("x"));

        assertThat(tokens.requests()).hasSize(2);
        assertThat(target.requests().getLast().header("authorization")).isEqualTo("Bearer t1");
    }

    @Test
    void fetchesAnotherTokenWhenAKeptOneIsRefused() throws Exception {
        giveTokens(3600);
        send(sender, endpoint(), post("first"));
        clock.move(Duration.ofSeconds(1));
        target.by(
                request ->
                        Reply.status(
                                "Bearer t0".equals(request.header("authorization")) ? 401 : 200));

        assertThat(status(send(sender, endpoint(), post("second")))).isEqualTo(200);

        List<Received> requests = target.requests();
        assertThat(requests)
                .extracting(Received::text)
                .containsExactly("first", "second", "second");
        assertThat(requests.getLast().header("authorization")).isEqualTo("Bearer t1");
        assertThat(requests.get(2).header("idempotency-key"))
                .isEqualTo(requests.get(1).header("idempotency-key"));
    }

    @Test
    void aTokenThatWasJustFetchedIsNotFetchedAgain() throws Exception {
        giveTokens(3600);
        target.always(Reply.status(401));

        assertThat(status(send(sender, endpoint(), post("x")))).isEqualTo(401);
        assertThat(target.requests()).hasSize(1);

        // It was refused: the next attempt asks for another one.
        clock.move(Duration.ofSeconds(1));
        assertThat(status(send(sender, endpoint(), post("x")))).isEqualTo(401);
        assertThat(tokens.requests()).hasSize(2);
        assertThat(target.requests()).hasSize(2);
    }

    static List<Reply> noTokens() {
        return List.of(
                Reply.status(401)
                        .header("Content-Type", "application/json")
                        .body("{\"error\":\"invalid_client\",\"error_description\":\"10.0.0.7\"}"),
                Reply.status(500).body("stack trace of 10.0.0.7"),
                Reply.json("{\"token\":1}"),
                Reply.json("10.0.0.7"),
                Reply.status(200).body("no JSON: 10.0.0.7"),
                Reply.json("\"" + "10.0.0.7".repeat(100_000) + "\""),
                Reply.status(302).header("Location", "http://10.0.0.7/"),
                Reply.reset(),
                Reply.close());
    }

    @ParameterizedTest
    @MethodSource("noTokens")
    void whereNoTokenIsGivenNothingIsSent(Reply reply) throws Exception {
        tokens.then(reply);
        giveTokens(3600);

        Answer answer = send(sender, endpoint(), post("x"));

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Failure.class,
                        failure -> {
                            assertThat(failure.kind()).isEqualTo(Answer.Kind.CREDENTIALS);
                            assertThat(failure.message())
                                    .contains("token")
                                    .doesNotContain("10.0.0.7", "127.0.0.1", "s:e");
                        });
        assertThat(target.connections()).isZero();
        assertThat(status(send(sender, endpoint(), post("x")))).as("next time").isEqualTo(200);
    }

    @Test
    void theTimeLimitCoversTheToken() throws Exception {
        tokens.always(Reply.never());

        Answer answer = send(sender, endpoint(Duration.ofSeconds(1)), post("x"));

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Failure.class,
                        failure -> {
                            assertThat(failure.kind()).isEqualTo(Answer.Kind.TIMEOUT);
                            assertThat(failure.latency())
                                    .isBetween(Duration.ofMillis(950), Duration.ofMillis(1_500));
                        });
    }

    private static final class MovedClock extends Clock {

        private volatile Duration ahead = Duration.ZERO;

        void move(Duration by) {
            ahead = ahead.plus(by);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Instant instant() {
            return Instant.now().plus(ahead);
        }
    }
}
