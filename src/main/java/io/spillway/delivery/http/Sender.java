package io.spillway.delivery.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.resolver.AddressResolverGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.ByteBufFlux;
import reactor.netty.NettyOutbound;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;
import reactor.netty.resources.LoopResources;

/**
 * Sends batches, each attempt as one exchange under one time limit:
 *
 * <pre>
 *   headers, signature ─▶ token ─▶ name ─▶ address, checked ─▶ connection ─▶ body ─▶ answer
 *   └──────────────────────────────── time limit ─────────────────────────────────────────┘
 * </pre>
 *
 * <p>Nothing here waits on a thread: an endpoint that does not answer costs its connection.
 * Redirects are answers like any other and never followed. One sender serves the process; its
 * threads and connections end with {@link #close}.
 */
public final class Sender implements AutoCloseable {

    private static final int UNAUTHORIZED = 401;
    private static final Duration CLOSING = Duration.ofSeconds(5);

    /** The longest a token endpoint's connection may take to come about: that of any other. */
    private static final Duration TOKEN_LIMIT = Duration.ofSeconds(10);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Scheduler work = Schedulers.fromExecutorService(threads, "delivery-work");
    private final Set<Attempt> running = ConcurrentHashMap.newKeySet();
    private final TargetRules rules;
    private final Clock clock;
    private final Connections connections;
    private final RequestHeaders headers;
    private final Tokens tokens;

    /** With the system's names and the platform's trust in certificates. */
    public Sender(TargetRules rules, Secrets secrets) {
        this(rules, secrets, null, _ -> {}, Clock.systemUTC());
    }

    /**
     * @param resolver of names to addresses; null for the system's
     * @param tls what to set beside the platform's trust
     */
    Sender(
            TargetRules rules,
            Secrets secrets,
            @Nullable Function<LoopResources, AddressResolverGroup<InetSocketAddress>> resolver,
            Consumer<SslContextBuilder> tls,
            Clock clock) {
        this.rules = rules;
        this.clock = clock;
        this.connections = new Connections(AddressRules.of(rules.allowedTargets()), resolver, tls);
        this.headers = new RequestHeaders(secrets, clock);
        this.tokens = new Tokens(connections.client(TOKEN_LIMIT), secrets, clock);
    }

    /**
     * Starts an attempt; returns at once.
     *
     * @param responseLimit bytes of the answer's body that are read at most
     */
    public Exchange send(Endpoint endpoint, Post post, int responseLimit) {
        Attempt attempt = new Attempt();
        running.add(attempt);
        var _ = attempt.answer().thenRun(() -> running.remove(attempt));
        RequestBody body = new RequestBody(post, endpoint.gzip(), attempt.loan(), work);
        Mono<Answer> exchange =
                Mono.fromCallable(() -> prepare(endpoint, post, body, attempt))
                        .subscribeOn(work)
                        .flatMap(
                                head ->
                                        authorized(
                                                endpoint,
                                                head,
                                                () ->
                                                        exchange(
                                                                endpoint,
                                                                head,
                                                                body,
                                                                attempt,
                                                                responseLimit)));
        attempt.start(exchange, endpoint.timeout());
        return attempt;
    }

    private HttpHeaders prepare(Endpoint endpoint, Post post, RequestBody body, Attempt attempt) {
        if (!attempt.loan().take()) {
            throw new RequestBody.OverException();
        }
        try {
            rules.check(endpoint.uri());
            if (endpoint.authentication() instanceof Authentication.OAuth2 oauth2) {
                rules.check(oauth2.tokenUrl());
            }
            return headers.of(endpoint, post, body);
        } finally {
            attempt.loan().giveBack();
        }
    }

    /**
     * Runs the exchange with a token, where one is needed; with another one where a token that was
     * kept from before is not taken.
     */
    private Mono<Answer> authorized(
            Endpoint endpoint, HttpHeaders head, Supplier<Mono<Answer>> exchange) {
        if (!(endpoint.authentication() instanceof Authentication.OAuth2 oauth2)) {
            return exchange.get();
        }
        Instant start = clock.instant();
        return tokens.token(oauth2)
                .flatMap(
                        token ->
                                with(token, head, exchange)
                                        .flatMap(
                                                answer ->
                                                        token.refused() && token.olderThan(start)
                                                                ? authorized(
                                                                        endpoint, head, exchange)
                                                                : Mono.just(answer)));
    }

    private static Mono<Answer> with(
            Tokens.Token token, HttpHeaders head, Supplier<Mono<Answer>> exchange) {
        RequestHeaders.bearer(head, token.value());
        return exchange.get()
                .doOnNext(
                        answer -> {
                            if (unauthorized(answer)) {
                                token.refuse();
                            }
                        });
    }

    private static boolean unauthorized(Answer answer) {
        return answer instanceof Answer.Response response && response.status() == UNAUTHORIZED;
    }

    private Mono<Answer> exchange(
            Endpoint endpoint, HttpHeaders head, RequestBody body, Attempt attempt, int limit) {
        HttpClient client = connections.client(endpoint.timeout());
        return client.headers(all -> all.set(head))
                .request(HttpMethod.valueOf(endpoint.method()))
                .uri(endpoint.uri())
                .send((_, out) -> write(out, body, attempt))
                .response((response, bytes) -> read(response, bytes, attempt, limit))
                .single();
    }

    private static Publisher<Void> write(NettyOutbound out, RequestBody body, Attempt attempt) {
        if (attempt.ended()) {
            // A connection that came too late.
            return Mono.error(new RequestBody.OverException());
        }
        // An endpoint may answer before it has read all: then its answer counts.
        out.withConnection(connection -> connection.channel().read());
        return out.send(body.chunks());
    }

    private static Mono<Answer> read(
            HttpClientResponse response, ByteBufFlux bytes, Attempt attempt, int limit) {
        AnswerBody body = new AnswerBody(limit);
        return bytes.<Boolean>handle(
                        (part, sink) -> {
                            try {
                                sink.next(body.add(part));
                            } catch (IOException e) {
                                sink.error(e);
                            }
                        })
                .takeUntil(enough -> enough)
                .then(Mono.fromCallable(() -> answer(response, body, attempt)));
    }

    private static Answer answer(HttpClientResponse response, AnswerBody body, Attempt attempt) {
        HttpHeaders headers = response.responseHeaders();
        AnswerBody.Opened opened = body.open(headers.get(HttpHeaderNames.CONTENT_ENCODING));
        return new Answer.Response(
                response.status().code(),
                headers.get(HttpHeaderNames.RETRY_AFTER),
                headers.get(HttpHeaderNames.CONTENT_TYPE),
                opened.bytes(),
                opened.truncated(),
                attempt.latency());
    }

    /** Gives up what is under way, and waits a little until that has ended. */
    @Override
    public void close() {
        running.forEach(Attempt::abort);
        var _ =
                CompletableFuture.allOf(
                                running.stream()
                                        .map(Attempt::answer)
                                        .toArray(CompletableFuture<?>[]::new))
                        .completeOnTimeout(null, CLOSING.toSeconds(), TimeUnit.SECONDS)
                        .join();
        connections.close();
        work.dispose();
        threads.close();
    }
}
