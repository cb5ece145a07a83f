package io.spillway.delivery.http;

import static io.spillway.delivery.http.Posts.NO_SECRETS;
import static io.spillway.delivery.http.Posts.endpoint;
import static io.spillway.delivery.http.Posts.post;
import static io.spillway.delivery.http.Posts.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.resolver.InetSocketAddressResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import io.spillway.testing.Receiver;
import io.spillway.testing.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No connection ever reaches an address that is not allowed, whatever leads there. */
class ForbiddenTargetTest {

    private static final String PUBLIC = "192.88.100.1";

    private final Names names = new Names();
    private final Receiver canary = start();
    private Sender sender = sender(new TargetRules(true, List.of()));

    private static Receiver start() {
        try {
            return Receiver.start();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Sender sender(TargetRules rules) {
        return new Sender(rules, NO_SECRETS, _ -> names, _ -> {}, Clock.systemUTC());
    }

    @AfterEach
    void close() throws IOException {
        sender.close();
        canary.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "[::1]",
                "0x7f000001",
                "2130706433",
                "127.1",
                "[::ffff:127.0.0.1]",
                "[::127.0.0.1]",
                "0.0.0.0",
                "[::]",
                "localhost",
                "localhost.",
                "inside.example",
                "mixed-only-inside.example",
                "mapped.example",
                "user:pass@127.0.0.1"
            })
    void noSpellingLeadsToTheCanary(String host) throws Exception {
        names.put("localhost", "127.0.0.1", "::1");
        names.put("inside.example", "127.0.0.1");
        names.put("mixed-only-inside.example", "10.0.0.1", "127.0.0.1", "169.254.169.254");
        names.put("mapped.example", "::127.0.0.1");
        URI uri = URI.create("http://" + host + ":" + canary.port() + "/");

        Answer answer = send(sender, endpoint(uri), post("x"));

        assertRefused(answer);
        assertThat(canary.connections()).isZero();
    }

    @Test
    void aNameIsCheckedByWhatItIsConnectedTo() throws Exception {
        // A public address first, the inside next: as if checked, and then used.
        names.answers.put(
                "rebinding.example",
                new ConcurrentLinkedQueue<>(
                        List.of(
                                List.of(InetAddress.ofLiteral(PUBLIC)),
                                List.of(InetAddress.ofLiteral("127.0.0.1")))));
        URI uri = URI.create("http://rebinding.example:" + canary.port() + "/");

        Answer first = send(sender, endpoint(uri, Duration.ofSeconds(1)), post("x"));
        Answer second = send(sender, endpoint(uri, Duration.ofSeconds(1)), post("x"));

        assertThat(first)
                .isInstanceOfSatisfying(
                        Answer.Failure.class,
                        failure ->
                                assertThat(failure.kind())
                                        .isIn(
                                                Answer.Kind.TIMEOUT,
                                                Answer.Kind.CONNECT,
                                                Answer.Kind.RESET));
        assertRefused(second);
        assertThat(canary.connections()).isZero();
    }

    @Test
    void ofANameWithBothOnlyTheAllowedAddressesAreTried() throws Exception {
        try (Receiver allowed = Receiver.startEverywhere()) {
            sender.close();
            sender = sender(new TargetRules(true, List.of("127.0.0.2")));
            names.put("both.example", "127.0.0.1", "127.0.0.2", "::1");

            Answer answer = send(sender, endpoint(allowed.uri("both.example", "/")), post("x"));

            assertThat(answer).isInstanceOf(Answer.Response.class);
            assertThat(allowed.only().header("host")).startsWith("both.example:");
        }
    }

    @Test
    void aRedirectIsNotFollowed() throws Exception {
        sender.close();
        sender = sender(new TargetRules(true, List.of("127.0.0.1")));
        try (Receiver stub = Receiver.start()) {
            stub.always(Reply.redirect(canary.uri("/")));

            Answer answer = send(sender, endpoint(stub.uri("/")), post("x"));

            assertThat(answer)
                    .isInstanceOfSatisfying(
                            Answer.Response.class,
                            response -> assertThat(response.status()).isEqualTo(302));
            assertThat(canary.connections()).isZero();
        }
    }

    @Test
    void aTokenEndpointIsATargetLikeAnyOther() throws Exception {
        names.put("inside.example", "127.0.0.1");
        for (URI tokens :
                List.of(
                        URI.create("http://127.0.0.1:" + canary.port() + "/token"),
                        URI.create("http://inside.example:" + canary.port() + "/token"))) {
            Authentication.OAuth2 oauth2 =
                    new Authentication.OAuth2(
                            tokens, new SecretText("me"), new SecretText("{secret:s}"), List.of());
            try (Sender withSecrets =
                    new Sender(
                            new TargetRules(true, List.of()),
                            Map.of("s", "x")::get,
                            _ -> names,
                            _ -> {},
                            Clock.systemUTC())) {
                Answer answer =
                        send(
                                withSecrets,
                                endpoint(URI.create("http://" + PUBLIC + "/"), oauth2),
                                post("x"));

                assertRefused(answer);
            }
        }
        assertThat(canary.connections()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.0/8", "inside.example"})
    void whatIsAllowedWorks(String entry) throws Exception {
        sender.close();
        sender = sender(new TargetRules(true, List.of(entry)));
        names.put("inside.example", "127.0.0.1");

        Answer answer = send(sender, endpoint(canary.uri("inside.example", "/")), post("x"));

        assertThat(answer).isInstanceOf(Answer.Response.class);
        assertThat(canary.requests()).hasSize(1);
    }

    @Test
    void theSystemsNamesAreCheckedToo() throws Exception {
        try (Sender strict = new Sender(new TargetRules(true, List.of()), NO_SECRETS);
                Sender open = new Sender(new TargetRules(true, List.of("localhost")), NO_SECRETS)) {
            assertRefused(send(strict, endpoint(canary.uri("localhost", "/")), post("x")));
            assertThat(canary.connections()).isZero();

            assertThat(Outcome.of(send(open, endpoint(canary.uri("localhost", "/")), post("x"))))
                    .isEqualTo(Outcome.DELIVERED);
        }
    }

    @Test
    void aNameThatDoesNotExistIsAFailureToBeRetried() throws Exception {
        Answer answer = send(sender, endpoint(URI.create("http://no.example/")), post("x"));

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Failure.class,
                        failure -> assertThat(failure.kind()).isEqualTo(Answer.Kind.NAME));
    }

    private void assertRefused(Answer answer) {
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Failure.class,
                        failure -> {
                            assertThat(failure.kind()).isEqualTo(Answer.Kind.NOT_ALLOWED);
                            assertThat(failure.message())
                                    .doesNotContain("127", "::", "" + canary.port(), "loopback");
                        });
        assertThat(Outcome.of(answer)).isEqualTo(Outcome.REJECTED);
    }

    /** A name server that says what it is told to: of several answers the next one each time. */
    private static final class Names extends AddressResolverGroup<InetSocketAddress> {

        private final Map<String, Queue<List<InetAddress>>> answers = new ConcurrentHashMap<>();

        void put(String name, String... addresses) {
            List<InetAddress> all =
                    List.of(addresses).stream().map(InetAddress::ofLiteral).toList();
            answers.put(name, new ConcurrentLinkedQueue<>(List.of(all)));
        }

        @Override
        protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
            return new InetSocketAddressResolver(
                    executor,
                    new InetNameResolver(executor) {
                        @Override
                        protected void doResolve(String name, Promise<InetAddress> promise) {
                            throw new UnsupportedOperationException();
                        }

                        @Override
                        protected void doResolveAll(
                                String name, Promise<List<InetAddress>> promise) {
                            String bare =
                                    name.endsWith(".")
                                            ? name.substring(0, name.length() - 1)
                                            : name;
                            Queue<List<InetAddress>> queue = answers.get(bare);
                            if (queue == null) {
                                promise.setFailure(new UnknownHostException(name));
                                return;
                            }
                            promise.setSuccess(queue.size() > 1 ? queue.remove() : queue.element());
                        }
                    });
        }
    }
}
