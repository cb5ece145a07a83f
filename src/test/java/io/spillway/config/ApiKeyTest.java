package io.spillway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

class ApiKeyTest {

    private static final String KEY =
            "6f1d3c0e5b7a99887766554433221100ffeeddccbbaa00112233445566778899";
    private static final String SECOND = "second-key-of-the-same-owner-0123456789";
    private static final String OTHERS = "the-key-of-somebody-else-0123456789abcdef";

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static SecuredService service;

    @BeforeAll
    static void start() throws NoSuchAlgorithmException {
        service =
                SecuredService.start(
                        "server.address=0.0.0.0",
                        "spillway.security.mode=api-key",
                        "spillway.security.api-keys[0].name=first",
                        "spillway.security.api-keys[0].owner=ann",
                        "spillway.security.api-keys[0].hash=" + hash(KEY),
                        "spillway.security.api-keys[1].name=second",
                        "spillway.security.api-keys[1].owner=ann",
                        "spillway.security.api-keys[1].hash=" + hash(SECOND),
                        "spillway.security.api-keys[2].name=bob",
                        "spillway.security.api-keys[2].hash=" + hash(OTHERS),
                        "spillway.security.cors-origins=https://app.example.com");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static String hash(String key) throws NoSuchAlgorithmException {
        byte[] hash =
                MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
        return "sha256:" + HexFormat.of().withUpperCase().formatHex(hash);
    }

    private static WebTestClient.ResponseSpec call(String header, String value) {
        return service.client().get().uri("/v1/whoami").header(header, value).exchange();
    }

    @Test
    void aKeyIsItsOwner() {
        call("X-API-Key", KEY).expectStatus().isOk().expectBody(String.class).isEqualTo("ann");
        call("Authorization", "Bearer " + KEY).expectBody(String.class).isEqualTo("ann");
        call("Authorization", "bearer  " + SECOND).expectBody(String.class).isEqualTo("ann");
        call("X-API-Key", OTHERS).expectBody(String.class).isEqualTo("bob");
    }

    @Test
    void noKeyIsAnsweredWithAProblemAndAChallenge() {
        service.client()
                .get()
                .uri("/v1/whoami?x=1")
                .exchange()
                .expectStatus()
                .isUnauthorized()
                .expectHeader()
                .valueEquals("WWW-Authenticate", "Bearer realm=\"spillway\"")
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectHeader()
                .doesNotExist("Set-Cookie")
                .expectBody()
                .json(
                        """
                        {"type": "/problems/unauthenticated",
                         "title": "Credentials are missing or wrong",
                         "status": 401,
                         "detail": "This call needs an API key or a token",
                         "instance": "/v1/whoami",
                         "code": "unauthenticated"}
                        """);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "wrong",
                "a.b.c",
                "sha256:6f1d",
                "6f1d3c0e5b7a99887766554433221100ffeeddccbbaa0011223344556677889",
                "6f1d3c0e5b7a99887766554433221100ffeeddccbbaa001122334455667788990"
            })
    void aWrongKeyIsRefusedInOneWay(String key) {
        for (String header : new String[] {"X-API-Key", "Authorization"}) {
            call(header, header.equals("Authorization") ? "Bearer " + key : key)
                    .expectStatus()
                    .isUnauthorized()
                    .expectHeader()
                    .valueEquals(
                            "WWW-Authenticate",
                            "Bearer realm=\"spillway\", error=\"invalid_token\"")
                    .expectBody()
                    .jsonPath("$.detail")
                    .isEqualTo("The API key or token is not valid")
                    .jsonPath("$.code")
                    .isEqualTo("unauthenticated");
        }
    }

    @Test
    void theHashIsNoKey() throws NoSuchAlgorithmException {
        call("X-API-Key", hash(KEY)).expectStatus().isUnauthorized();
        call("X-API-Key", hash(KEY).substring(7)).expectStatus().isUnauthorized();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Basic YW5uOnB3", "Bearer", "Bearer ", "", "Token x"})
    void otherSchemesAndEmptyOnesAreNoCredential(String value) {
        call("Authorization", value).expectStatus().isUnauthorized();
    }

    @Test
    void severalCredentialsAreRefusedEvenIfEachIsGood() {
        service.client()
                .get()
                .uri("/v1/whoami")
                .header("X-API-Key", KEY)
                .header("Authorization", "Bearer " + OTHERS)
                .exchange()
                .expectStatus()
                .isUnauthorized();
        service.client()
                .get()
                .uri("/v1/whoami")
                .header("X-API-Key", KEY, OTHERS)
                .exchange()
                .expectStatus()
                .isUnauthorized();
    }

    @Test
    void aVeryLongCredentialIsRefused() {
        call("X-API-Key", "x".repeat(10_000)).expectStatus().isUnauthorized();
    }

    @Test
    void aKeyInTheQueryIsNoCredential() {
        service.client()
                .get()
                .uri("/v1/whoami?access_token=" + KEY + "&api_key=" + KEY)
                .exchange()
                .expectStatus()
                .isUnauthorized();
    }

    @Test
    void writesAndUnknownPathsNeedAKeyToo() {
        service.client()
                .post()
                .uri("/v1/jobs")
                .bodyValue("x")
                .exchange()
                .expectStatus()
                .isUnauthorized();
        service.client().get().uri("/v1/nothing").exchange().expectStatus().isUnauthorized();
        service.client().get().uri("/actuator/env").exchange().expectStatus().isUnauthorized();
        service.client()
                .post()
                .uri("/v1/jobs")
                .header("X-API-Key", KEY)
                .bodyValue("x")
                .exchange()
                .expectBody(String.class)
                .isEqualTo("ann: x");
    }

    @Test
    void probesAndTheDescriptionAreOpenAndTellLittle() {
        for (String path : new String[] {"/actuator/health/liveness", "/openapi"}) {
            service.client().get().uri(path).exchange().expectStatus().isOk();
        }
        service.client()
                .get()
                .uri("/actuator/health")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.components")
                .doesNotExist();
    }

    @Test
    void metricsNeedAKey() {
        service.client()
                .get()
                .uri("/actuator/prometheus")
                .exchange()
                .expectStatus()
                .isUnauthorized();
        service.client()
                .get()
                .uri("/actuator/prometheus")
                .header("Authorization", "Bearer " + KEY)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .value(text -> assertThat(text).contains("jvm_memory_used_bytes"));
    }

    @Test
    void browsersOfConfiguredOriginsMayCall() {
        service.client()
                .options()
                .uri("/v1/jobs")
                .header("Origin", "https://app.example.com")
                .header("Access-Control-Request-Method", "POST")
                .header("Access-Control-Request-Headers", "x-api-key, content-type")
                .exchange()
                .expectStatus()
                .isOk()
                .expectHeader()
                .valueEquals("Access-Control-Allow-Origin", "https://app.example.com")
                .expectHeader()
                .doesNotExist("Access-Control-Allow-Credentials");
        service.client()
                .get()
                .uri("/v1/whoami")
                .header("Origin", "https://app.example.com")
                .exchange()
                .expectStatus()
                .isUnauthorized()
                .expectHeader()
                .valueEquals("Access-Control-Allow-Origin", "https://app.example.com");
        service.client()
                .options()
                .uri("/v1/jobs")
                .header("Origin", "https://evil.example")
                .header("Access-Control-Request-Method", "POST")
                .exchange()
                .expectStatus()
                .isForbidden()
                .expectHeader()
                .doesNotExist("Access-Control-Allow-Origin");
    }
}
