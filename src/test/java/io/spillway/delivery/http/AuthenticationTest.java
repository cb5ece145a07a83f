package io.spillway.delivery.http;

import static io.spillway.delivery.http.Posts.LOCAL;
import static io.spillway.delivery.http.Posts.endpoint;
import static io.spillway.delivery.http.Posts.post;
import static io.spillway.delivery.http.Posts.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.testing.Received;
import io.spillway.testing.Receiver;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthenticationTest {

    private static final String WEBHOOK_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final Map<String, String> SECRETS =
            new TreeMap<>(
                    Map.of(
                            "api.key", "s3cr3t",
                            "pass", "pässword:x",
                            "hook", WEBHOOK_SECRET,
                            "line", "a\r\nInjected: yes",
                            "short", "whsec_c2hvcnQ=",
                            "bare", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));

    private final Sender sender = new Sender(LOCAL, SECRETS::get);
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

    private static SecretText secret(String name) {
        return new SecretText("{secret:" + name + "}");
    }

    private Received sent(Authentication authentication, String body) throws Exception {
        Answer answer = send(sender, endpoint(receiver.uri("/hook"), authentication), post(body));
        assertThat(answer).isInstanceOf(Answer.Response.class);
        return receiver.only();
    }

    @Test
    void secretsTakeThePlacesOfTheirNamesInHeaders() throws Exception {
        Endpoint endpoint =
                new Endpoint(
                        receiver.uri("/"),
                        "POST",
                        Map.of(
                                "Authorization",
                                new SecretText("Key {secret:api.key}, {secret:api.key}$1")),
                        new Authentication.None(),
                        false,
                        Duration.ofSeconds(10));

        send(sender, endpoint, post("x"));

        assertThat(receiver.only().header("authorization")).isEqualTo("Key s3cr3t, s3cr3t$1");
        assertThat(endpoint.toString()).contains("{secret:api.key}").doesNotContain("s3cr3t");
    }

    @Test
    void bearer() throws Exception {
        assertThat(sent(new Authentication.Bearer(secret("api.key")), "x").header("authorization"))
                .isEqualTo("Bearer s3cr3t");
    }

    @Test
    void basicInUtf8() throws Exception {
        Authentication basic = new Authentication.Basic(new SecretText("jürgen"), secret("pass"));

        // base64("jürgen:pässword:x")
        assertThat(sent(basic, "x").header("authorization"))
                .isEqualTo("Basic asO8cmdlbjpww6Rzc3dvcmQ6eA==");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{\"rows\":[1,2,3]}", "äöü \u0000 �"})
    void webhookSignaturesVerifyElsewhere(String body) throws Exception {
        Received request = sent(new Authentication.Webhook(secret("hook")), body);

        assertThat(request.header("webhook-id")).isEqualTo("d1.96.96");
        new Webhook(WEBHOOK_SECRET).verify(request.text(), headers(request));
        assertThatThrownBy(
                        () ->
                                new Webhook(WEBHOOK_SECRET)
                                        .verify(request.text() + " ", headers(request)))
                .isInstanceOf(com.standardwebhooks.exceptions.WebhookVerificationException.class);
    }

    @Test
    void webhookSignatureOfTheRulesExample() throws Exception {
        // From the reference: id, timestamp and payload with their signature.
        String signature =
                WebhookSignature.sign(
                        WebhookSignature.key(WEBHOOK_SECRET),
                        "msg_p5jXN8AQM9LWM0D4loKWxJek",
                        1614265330,
                        Posts.parts("{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8), 5));

        assertThat(signature).isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    private static HttpHeaders headers(Received request) {
        Map<String, List<String>> lists = new TreeMap<>();
        request.headers().forEach((name, value) -> lists.put(name, List.of(value)));
        return HttpHeaders.of(lists, (_, _) -> true);
    }

    @Test
    void whatMustStaySecretCannotBeWrittenOut() {
        SecretText written = new SecretText("s3cr3t");
        SecretText me = new SecretText("me");
        for (Runnable making :
                List.<Runnable>of(
                        () -> new Authentication.Bearer(written),
                        () -> new Authentication.Basic(me, written),
                        () -> new Authentication.Webhook(written),
                        () ->
                                new Authentication.OAuth2(
                                        URI.create("https://a.example/"), me, written, List.of()),
                        () -> new Authentication.AwsSigV4("r", "s", me, written, null),
                        () ->
                                new Authentication.AwsSigV4(
                                        "r", "s", me, secret("api.key"), written))) {
            assertThatThrownBy(making::run)
                    .isInstanceOfSatisfying(
                            SpillwayException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PLAN))
                    .hasMessageNotContaining("s3cr3t");
        }
    }

    @Test
    void unknownSecretsAreFoundAtCreation() {
        Endpoint endpoint =
                endpoint(receiver.uri("/"), new Authentication.Bearer(secret("nobody")));

        assertThatThrownBy(() -> endpoint.check(LOCAL, SECRETS::get))
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_SECRET);
                            assertThat(e.context()).containsEntry("secret", "nobody");
                        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"line", "pass"})
    void valuesThatCannotStandInAHeaderAreFoundAtCreation(String name) {
        Endpoint endpoint = endpoint(receiver.uri("/"), new Authentication.Bearer(secret(name)));

        assertThatThrownBy(() -> endpoint.check(LOCAL, SECRETS::get))
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PLAN))
                .hasMessageNotContaining(SECRETS.get(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"short", "bare", "api.key"})
    void webhookSecretsOfAnotherFormAreFoundAtCreation(String name) {
        Endpoint endpoint = endpoint(receiver.uri("/"), new Authentication.Webhook(secret(name)));

        assertThatThrownBy(() -> endpoint.check(LOCAL, SECRETS::get))
                .isInstanceOf(SpillwayException.class)
                .hasMessageContaining("whsec_")
                .hasMessageNotContaining(SECRETS.get(name));
    }

    @Test
    void aSecretThatHasGoneIsAFailureThatNamesIt() throws Exception {
        Answer answer =
                send(
                        sender,
                        endpoint(receiver.uri("/"), new Authentication.Bearer(secret("gone"))),
                        post("x"));

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Failure.class,
                        failure -> {
                            assertThat(failure.kind()).isEqualTo(Answer.Kind.CREDENTIALS);
                            assertThat(failure.message()).contains("'gone'");
                        });
        assertThat(receiver.connections()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{secret:}", "{secret:a b}", "x {secret:a", "{secret:{secret:a}}"})
    void referencesMustBeWellFormed(String text) {
        assertThatThrownBy(() -> new SecretText(text))
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PLAN));
    }

    @Test
    void textsSayWhichSecretsTheyName() {
        assertThat(new SecretText("a{secret:x}{secret:y-1}{secret:x}").names())
                .containsExactly("x", "y-1");
        assertThat(new SecretText("{a}").namesSecret()).isFalse();
    }

    @Test
    void someHeadersAreSpillwaysOwn() {
        for (String name :
                List.of(
                        "Host",
                        "CONTENT-LENGTH",
                        "webhook-anything",
                        "Spillway-Attempt",
                        "TraceParent")) {
            assertThat(RequestHeaders.reserved(name)).as(name).isTrue();
        }
        for (String name : List.of("Authorization", "X-Webhook-Id", "Accept", "User-Agent")) {
            assertThat(RequestHeaders.reserved(name)).as(name).isFalse();
        }
    }
}
