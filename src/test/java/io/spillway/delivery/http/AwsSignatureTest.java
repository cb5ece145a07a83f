package io.spillway.delivery.http;

import static io.spillway.delivery.http.Posts.LOCAL;
import static io.spillway.delivery.http.Posts.post;
import static io.spillway.delivery.http.Posts.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.testing.Received;
import io.spillway.testing.Receiver;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Signatures as the receiving side checks them: by the published steps of Signature Version 4,
 * which are written out here once more and held to Amazon's own example.
 */
class AwsSignatureTest {

    private static final String KEY_ID = "AKIDEXAMPLE";
    private static final String KEY = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
    private static final Map<String, String> SECRETS = Map.of("key", KEY, "session", "tok/en+=");
    private static final Pattern AUTHORIZATION =
            Pattern.compile(
                    "AWS4-HMAC-SHA256 Credential=([^/]+)/([0-9]{8}/[^,]+), "
                            + "SignedHeaders=([^,]+), Signature=([0-9a-f]{64})");

    @ParameterizedTest
    @CsvSource({
        "dynamodb, /, 100, false, false",
        "execute-api, /prod/a%20b?x=1&y=a%2Fb&empty=, 100, false, true",
        "lambda, /2015-03-31/functions/f/invocations, 3000000, false, false",
        "execute-api, /prod, 300000, true, false",
        "s3, /bucket/a%20key, 70000, false, false"
    })
    void verifyAtTheReceiver(String service, String path, int bytes, boolean gzip, boolean session)
            throws Exception {
        Clock clock = Clock.fixed(Instant.parse("2026-05-01T10:11:12Z"), ZoneOffset.UTC);
        try (Receiver receiver = Receiver.start();
                Sender sender = new Sender(LOCAL, SECRETS::get, null, _ -> {}, clock)) {
            Endpoint endpoint =
                    new Endpoint(
                            receiver.uri(path),
                            "POST",
                            Map.of(
                                    "X-Amz-Target",
                                    new SecretText("DynamoDB_20120810.BatchWriteItem")),
                            new Authentication.AwsSigV4(
                                    "eu-west-1",
                                    service,
                                    new SecretText(KEY_ID),
                                    new SecretText("{secret:key}"),
                                    session ? new SecretText("{secret:session}") : null),
                            gzip,
                            Duration.ofSeconds(20));

            Answer answer = send(sender, endpoint, post(Posts.parts(Posts.text(bytes, 3), 5)));

            assertThat(answer).isInstanceOf(Answer.Response.class);
            Received request = receiver.only();
            assertThat(request.header("content-length")).isEqualTo("" + request.bytes());
            assertThat(request.header("x-amz-date")).isEqualTo("20260501T101112Z");
            assertThat(request.header("x-amz-security-token"))
                    .isEqualTo(session ? "tok/en+=" : null);
            Matcher authorization = AUTHORIZATION.matcher("" + request.header("authorization"));
            assertThat(authorization.matches()).as(request.header("authorization")).isTrue();
            assertThat(authorization.group(1)).isEqualTo(KEY_ID);
            assertThat(authorization.group(2))
                    .isEqualTo("20260501/eu-west-1/" + service + "/aws4_request");
            assertThat(authorization.group(3).split(";"))
                    .contains("host", "content-type", "x-amz-date", "x-amz-target");
            assertThat(authorization.group(4))
                    .isEqualTo(
                            signature(
                                    request.method(),
                                    request.path(),
                                    !service.equals("s3"),
                                    authorization.group(3),
                                    request.headers(),
                                    request.body(),
                                    authorization.group(2)));
        }
    }

    /** The example "post-x-www-form-urlencoded" of Amazon's test suite for Signature Version 4. */
    @Test
    void theCheckItselfIsRight() throws Exception {
        assertThat(
                        signature(
                                "POST",
                                "/",
                                true,
                                "content-type;host;x-amz-date",
                                Map.of(
                                        "content-type", "application/x-www-form-urlencoded",
                                        "host", "example.amazonaws.com",
                                        "x-amz-date", "20150830T123600Z"),
                                "Param1=value1".getBytes(StandardCharsets.UTF_8),
                                "20150830/us-east-1/service/aws4_request"))
                .isEqualTo("ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a");
    }

    private static String signature(
            String method,
            String path,
            boolean encodePathTwice,
            String signedHeaders,
            Map<String, String> headers,
            byte[] body,
            String scope)
            throws GeneralSecurityException {
        String[] target = path.split("\\?", 2);
        String canonical =
                String.join(
                        "\n",
                        method,
                        encodePathTwice ? target[0].replace("%", "%25") : target[0],
                        target.length == 1 ? "" : canonicalQuery(target[1]),
                        Arrays.stream(signedHeaders.split(";"))
                                .map(name -> name + ":" + headers.get(name) + "\n")
                                .collect(Collectors.joining()),
                        signedHeaders,
                        HexFormat.of().formatHex(sha256(body)));
        String toSign =
                String.join(
                        "\n",
                        "AWS4-HMAC-SHA256",
                        headers.get("x-amz-date"),
                        scope,
                        HexFormat.of()
                                .formatHex(sha256(canonical.getBytes(StandardCharsets.UTF_8))));
        byte[] key = ("AWS4" + KEY).getBytes(StandardCharsets.UTF_8);
        for (String part : scope.split("/", -1)) {
            key = hmac(key, part);
        }
        return HexFormat.of().formatHex(hmac(key, toSign));
    }

    private static String canonicalQuery(String query) {
        return Arrays.stream(query.split("&")).sorted().collect(Collectors.joining("&"));
    }

    private static byte[] sha256(byte[] bytes) throws GeneralSecurityException {
        return MessageDigest.getInstance("SHA-256").digest(bytes);
    }

    private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    }
}
