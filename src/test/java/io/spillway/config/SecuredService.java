package io.spillway.config;

import io.spillway.cursor.KeyRing;
import io.spillway.cursor.SigningKey;
import io.spillway.cursor.TicketToken;
import java.security.Principal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** A running service that has the security of Spillway, its settings, and two calls. */
final class SecuredService implements AutoCloseable {

    // Without @Configuration and without annotated controllers, so that the service does not find
    // them where tests are on its class path.
    @EnableAutoConfiguration(
            exclude = {DataSourceAutoConfiguration.class, FlywayAutoConfiguration.class})
    @Import(SecurityConfiguration.class)
    static class Application {

        /** Network threads of its own: services run side by side and end at different times. */
        @Bean
        ReactorResourceFactory reactorResources() {
            ReactorResourceFactory resources = new ReactorResourceFactory();
            resources.setUseGlobalResources(false);
            resources.setShutdownQuietPeriod(Duration.ZERO);
            return resources;
        }

        @Bean
        TicketToken tickets() {
            SigningKey key =
                    new SigningKey(
                            "key", new SecretKeySpec(new byte[32], "HmacSHA256"), Instant.EPOCH);
            return new TicketToken(new KeyRing(() -> List.of(key)), Clock.systemUTC());
        }

        @Bean
        ExecutorService waiting() {
            return Executors.newVirtualThreadPerTaskExecutor();
        }

        @Bean
        RouterFunction<ServerResponse> calls() {
            return RouterFunctions.route()
                    .GET("/v1/whoami", call -> ServerResponse.ok().body(owner(call), String.class))
                    .POST(
                            "/v1/jobs",
                            call ->
                                    ServerResponse.ok()
                                            .body(
                                                    owner(call)
                                                            .zipWith(
                                                                    call.bodyToMono(String.class),
                                                                    (o, body) -> o + ": " + body),
                                                    String.class))
                    .GET("/openapi", call -> ServerResponse.ok().bodyValue("openapi: 3.1.0"))
                    .build();
        }

        private static Mono<String> owner(ServerRequest call) {
            return call.principal().map(Principal::getName);
        }
    }

    private final ConfigurableApplicationContext context;
    private final int port;

    private SecuredService(ConfigurableApplicationContext context) {
        this.context = context;
        this.port = context.getEnvironment().getRequiredProperty("local.server.port", int.class);
    }

    /** Starts on a free port, by application.yaml and these settings. */
    static SecuredService start(String... settings) {
        List<String> arguments = new ArrayList<>(List.of("--server.port=0"));
        for (String setting : settings) {
            arguments.add("--" + setting);
        }
        SpringApplication application = new SpringApplicationBuilder(Application.class).build();
        application.setRegisterShutdownHook(false);
        return new SecuredService(application.run(arguments.toArray(String[]::new)));
    }

    int port() {
        return port;
    }

    WebTestClient client() {
        return WebTestClient.bindToServer().baseUrl("http://localhost:" + port).build();
    }

    @Override
    public void close() {
        context.close();
    }
}
