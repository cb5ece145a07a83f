package io.spillway.config;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.util.Collections;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.http.MediaType;

class NoAuthenticationTest {

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static SecuredService service;

    @BeforeAll
    static void start() {
        service = SecuredService.start();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void everybodyIsAnonymous() {
        service.client()
                .get()
                .uri("/v1/whoami")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .isEqualTo("anonymous");
    }

    @Test
    void postsNeedNoToken() {
        service.client()
                .post()
                .uri("/v1/jobs")
                .bodyValue("x")
                .exchange()
                .expectBody(String.class)
                .isEqualTo("anonymous: x");
    }

    @Test
    void aCredentialThatNobodyAskedForIsIgnored() {
        service.client()
                .get()
                .uri("/v1/whoami")
                .header("X-API-Key", "x")
                .header("Authorization", "Bearer x")
                .exchange()
                .expectBody(String.class)
                .isEqualTo("anonymous");
    }

    @Test
    void onlyTheLoopbackAddressListens() throws IOException {
        for (NetworkInterface card : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            for (InetAddress address : Collections.list(card.getInetAddresses())) {
                if (!address.isLoopbackAddress()) {
                    assertThatThrownBy(() -> new Socket(address, service.port()).close())
                            .isInstanceOf(ConnectException.class);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LOCALHOST:8080",
                "app.localhost",
                "127.0.0.1:1",
                "[::1]:80",
                "[0:0:0:0:0:0:0:1]"
            })
    void namesOfThisMachineAreServed(String host) {
        service.client()
                .get()
                .uri("/v1/whoami")
                .header("Host", host)
                .exchange()
                .expectStatus()
                .isOk();
    }

    /** A page of another site whose host name resolves to the loopback address. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:8080",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "10.0.0.1",
                "1",
                "[::2]",
                "[2001:db8::1]"
            })
    void otherHostNamesAreRefused(String host) {
        service.client()
                .get()
                .uri("/v1/whoami")
                .header("Host", host)
                .exchange()
                .expectStatus()
                .isForbidden()
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo("access-denied");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.1"})
    void anAddressThatOthersReachStopsTheStart(String address) {
        assertThatThrownBy(() -> SecuredService.start("server.address=" + address))
                .satisfies(
                        failure -> {
                            FailureAnalysis analysis =
                                    requireNonNull(new StartupFailureAnalyzer().analyze(failure));
                            assertThat(analysis.getDescription())
                                    .contains("listens on a loopback address only");
                            assertThat(analysis.getAction())
                                    .contains("spillway.security.mode", "spillway.security.open");
                        });
    }

    @Test
    void noAddressStopsTheStartToo() {
        assertThatThrownBy(() -> SecuredService.start("server.address="))
                .hasStackTraceContaining("server.address is not set");
    }

    @Test
    void openAllowsIt() {
        try (SecuredService open =
                SecuredService.start("server.address=0.0.0.0", "spillway.security.open=true")) {
            open.client()
                    .get()
                    .uri("/v1/whoami")
                    .header("Host", "spillway.example")
                    .exchange()
                    .expectStatus()
                    .isOk();
        }
    }

    @Test
    void anotherLoopbackAddressIsFine() {
        try (SecuredService other = SecuredService.start("server.address=127.0.0.2")) {
            assertThat(other.port()).isPositive();
        }
    }

    @Test
    void browsersOfOtherOriginsGetNothing() {
        service.client()
                .options()
                .uri("/v1/jobs")
                .header("Origin", "https://app.example.com")
                .header("Access-Control-Request-Method", "POST")
                .exchange()
                .expectHeader()
                .doesNotExist("Access-Control-Allow-Origin");
    }

    @Test
    void metricsAndProbesAreServed() {
        for (String path :
                new String[] {
                    "/actuator/health",
                    "/actuator/health/liveness",
                    "/actuator/health/readiness",
                    "/actuator/prometheus"
                }) {
            service.client().get().uri(path).exchange().expectStatus().isOk();
        }
        service.client().get().uri("/actuator/env").exchange().expectStatus().isNotFound();
    }
}
