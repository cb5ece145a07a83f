package io.spillway.config;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** Tokens of a real issuer (a small HTTP server) and of a public key in a file. */
@SuppressWarnings("NullAway.Init") // fields are set before all tests
class JwtTest {

    private static final String API_KEY = "an-api-key-beside-the-tokens-0123456789";

    private static RSAKey key;
    private static RSAKey stranger;
    private static DisposableServer issuer;
    private static SecuredService service;

    @TempDir private static Path folder;

    @BeforeAll
    static void start() throws Exception {
        key = new RSAKeyGenerator(2048).keyID("k1").generate();
        stranger = new RSAKeyGenerator(2048).keyID("k1").generate();
        String keys = new JWKSet(key.toPublicJWK()).toString();
        issuer =
                HttpServer.create()
                        .host("localhost")
                        .port(0)
                        .route(
                                routes ->
                                        routes.get(
                                                        "/keys",
                                                        (request, response) ->
                                                                response.sendString(
                                                                        Mono.just(keys)))
                                                .get(
                                                        "/.well-known/openid-configuration",
                                                        (request, response) ->
                                                                response.header(
                                                                                "Content-Type",
                                                                                "application/json")
                                                                        .sendString(
                                                                                Mono.just(
                                                                                        discovery()))))
                        .bindNow();
        byte[] hash =
                MessageDigest.getInstance("SHA-256")
                        .digest(API_KEY.getBytes(StandardCharsets.UTF_8));
        service =
                SecuredService.start(
                        "spillway.security.mode=jwt,api-key",
                        "spillway.security.api-keys[0].name=ann",
                        "spillway.security.api-keys[0].hash=sha256:"
                                + HexFormat.of().formatHex(hash),
                        "spillway.security.jwt.issuer-uri=" + issuerUri(),
                        "spillway.security.jwt.audiences=spillway");
    }

    @AfterAll
    static void stop() {
        service.close();
        issuer.disposeNow();
    }

    private static String issuerUri() {
        return "http://localhost:" + issuer.port();
    }

    private static String discovery() {
        return """
        {"issuer": "%1$s", "jwks_uri": "%1$s/keys", "subject_types_supported": ["public"]}
        """
                .formatted(issuerUri());
    }

    private static JWTClaimsSet.Builder claims() {
        Instant now = Instant.now();
        return new JWTClaimsSet.Builder()
                .issuer(issuerUri())
                .audience("spillway")
                .subject("ann")
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plusSeconds(300)));
    }

    private static String signed(RSAKey with, JWTClaimsSet claims) throws JOSEException {
        return signed(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(with.getKeyID()).build(),
                new RSASSASigner(with),
                claims);
    }

    private static String signed(JWSHeader header, JWSSigner signer, JWTClaimsSet claims)
            throws JOSEException {
        SignedJWT jwt = new SignedJWT(header, claims);
        jwt.sign(signer);
        return jwt.serialize();
    }

    private static WebTestClient.ResponseSpec call(SecuredService service, String token) {
        return service.client()
                .get()
                .uri("/v1/whoami")
                .header("Authorization", "Bearer " + token)
                .exchange();
    }

    private static void refused(String token) {
        call(service, token)
                .expectStatus()
                .isUnauthorized()
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo("unauthenticated")
                .jsonPath("$.detail")
                .isEqualTo("The API key or token is not valid");
    }

    @Test
    void theSubjectIsTheOwner() throws JOSEException {
        call(service, signed(key, claims().build()))
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .isEqualTo("ann");
    }

    @Test
    void anApiKeyWorksBesideTokens() {
        call(service, API_KEY).expectBody(String.class).isEqualTo("ann");
    }

    @Test
    void badTokensAreRefused() throws JOSEException {
        Instant now = Instant.now();
        String good = signed(key, claims().build());
        refused(signed(stranger, claims().build()));
        refused(good.substring(0, good.length() - 4));
        refused(good.replace('.', '!'));
        refused("a.b.c");
        refused(new PlainJWT(claims().build()).serialize());
        refused(signed(key, claims().expirationTime(Date.from(now.minusSeconds(120))).build()));
        refused(signed(key, claims().notBeforeTime(Date.from(now.plusSeconds(120))).build()));
        refused(signed(key, claims().issuer("http://elsewhere").build()));
        refused(signed(key, claims().audience("another").build()));
        refused(signed(key, claims().audience((String) null).build()));
    }

    /** The public key as the secret of a symmetric signature: an old trick. */
    @Test
    void anotherAlgorithmIsRefused() throws JOSEException {
        refused(
                signed(
                        new JWSHeader(JWSAlgorithm.HS256),
                        new MACSigner(key.toRSAPublicKey().getEncoded()),
                        claims().build()));
        refused(
                signed(
                        new JWSHeader.Builder(JWSAlgorithm.RS512).keyID("k1").build(),
                        new RSASSASigner(key),
                        claims().build()));
    }

    @Test
    void aTokenThatNamesNoUsableOwnerIsRefused() throws JOSEException {
        for (String subject :
                new String[] {null, "", " ", "anonymous", "a\u0000b", "a\nb", "x".repeat(256)}) {
            refused(signed(key, claims().subject(subject).build()));
        }
    }

    @Test
    void aPublicKeyInAFileAndAnotherClaim() throws IOException, JOSEException {
        Path pem = folder.resolve("key.pem");
        Files.writeString(
                pem,
                "-----BEGIN PUBLIC KEY-----\n"
                        + Base64.getMimeEncoder().encodeToString(key.toRSAPublicKey().getEncoded())
                        + "\n-----END PUBLIC KEY-----\n");
        try (SecuredService other =
                SecuredService.start(
                        "spillway.security.mode=jwt",
                        "spillway.security.jwt.public-key=file:" + pem,
                        "spillway.security.jwt.owner-claim=client_id")) {
            String token = signed(key, claims().claim("client_id", "robot").build());
            call(other, token).expectBody(String.class).isEqualTo("robot");
            call(other, signed(key, claims().build())).expectStatus().isUnauthorized();
            call(other, signed(stranger, claims().claim("client_id", "robot").build()))
                    .expectStatus()
                    .isUnauthorized();
            call(other, signed(key, claims().claim("client_id", 7).build()))
                    .expectStatus()
                    .isUnauthorized();
            other.client()
                    .get()
                    .uri("/v1/whoami")
                    .header("X-API-Key", token)
                    .exchange()
                    .expectStatus()
                    .isUnauthorized();
        }
    }

    /** Nobody can tell whether the token is good: that is not the caller's fault. */
    @Test
    void keysThatCannotBeFetchedAreNotTheCallersFault() throws JOSEException {
        try (SecuredService other =
                SecuredService.start(
                        "spillway.security.mode=jwt",
                        "spillway.security.jwt.jwk-set-uri=http://localhost:1/keys")) {
            call(other, signed(key, claims().build()))
                    .expectStatus()
                    .isEqualTo(503)
                    .expectBody()
                    .jsonPath("$.code")
                    .isEqualTo("authentication-unavailable");
        }
        try (SecuredService other =
                SecuredService.start(
                        "spillway.security.mode=jwt",
                        "spillway.security.jwt.issuer-uri=http://localhost:1")) {
            call(other, signed(key, claims().build())).expectStatus().isEqualTo(503);
        }
    }
}
