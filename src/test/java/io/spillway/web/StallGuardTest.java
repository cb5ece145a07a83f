package io.spillway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.spillway.testing.RawCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;

/**
 * The guard on a server of its own: over the kernel's interface that tells how far bytes have come,
 * where there is one, and over the one that does not.
 */
class StallGuardTest {

    private static final Duration STALL = Duration.ofSeconds(2);
    private static final Duration LONG_STALL = Duration.ofSeconds(5);
    private static final Duration TOLERANCE = Duration.ofMillis(1_500);

    private static final int CHUNK = 8 << 10;
    private static final int RECEIVE_BUFFER = 4 << 10;

    /** What the kernel takes at once. */
    private static final String LITTLE = "a".repeat(64 << 10) + "z";

    private static final LoopResources LOOPS = LoopResources.create("stalls", 1, true);

    private static final List<Server> SERVERS = new ArrayList<>();
    private static final Map<Kind, CompletableFuture<Void>> SLOW = new EnumMap<>(Kind.class);

    /** How a server speaks with the kernel, and what a slow reader then takes a second. */
    enum Kind {
        NATIVE(3_000),
        PORTABLE(40_000);

        private final int slowBytes;

        Kind(int slowBytes) {
            this.slowBytes = slowBytes;
        }
    }

    /** Answers with bytes without end, or with a few. */
    private static final class Server implements AutoCloseable {

        private final AtomicInteger underWay = new AtomicInteger();
        private final DisposableServer server;

        Server(Kind kind, Duration stall) {
            server =
                    HttpServer.create()
                            .host("127.0.0.1")
                            .port(0)
                            .runOn(LOOPS, kind == Kind.NATIVE)
                            .doOnChannelInit(
                                    (observer, channel, address) ->
                                            StallGuard.watch(channel, stall))
                            .route(
                                    routes ->
                                            routes.get(
                                                            "/endless",
                                                            (request, response) ->
                                                                    response.send(endless()))
                                                    .get(
                                                            "/little",
                                                            (request, response) ->
                                                                    response.sendString(
                                                                            Mono.just(LITTLE))))
                            .bindNow();
        }

        private Flux<ByteBuf> endless() {
            return Flux.<ByteBuf>generate(
                            sink -> sink.next(Unpooled.wrappedBuffer(new byte[CHUNK])))
                    .doOnSubscribe(subscription -> underWay.incrementAndGet())
                    .doFinally(signal -> underWay.decrementAndGet());
        }

        RawCall call(String path) {
            RawCall call = new RawCall(server.port(), path, "*/*", RECEIVE_BUFFER);
            assertThat(call.text(15)).isEqualTo("HTTP/1.1 200 OK");
            return call;
        }

        @Override
        public void close() {
            server.disposeNow(Duration.ofSeconds(10));
        }
    }

    /** Slow readers take their time while others are tested. */
    @BeforeAll
    static void startSlowReaders() {
        for (Kind kind : Kind.values()) {
            SLOW.put(kind, readSlowly(kind, Duration.ofSeconds(12)));
        }
    }

    @AfterAll
    static void stop() {
        SERVERS.forEach(Server::close);
        LOOPS.dispose();
    }

    private static synchronized Server server(Kind kind, Duration stall) {
        Server server = new Server(kind, stall);
        SERVERS.add(server);
        return server;
    }

    private static CompletableFuture<Void> readSlowly(Kind kind, Duration time) {
        Server server = server(kind, LONG_STALL);
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try (RawCall call = server.call("/endless")) {
                                long end = System.nanoTime() + time.toNanos();
                                while (System.nanoTime() < end) {
                                    int sip = kind.slowBytes / 10;
                                    assertThat(call.read(sip)).isEqualTo(sip);
                                    Thread.sleep(100);
                                }
                                assertThat(server.underWay).hasValue(1);
                                done.complete(null);
                            } catch (Throwable t) {
                                done.completeExceptionally(t);
                            }
                        });
        return done;
    }

    @ParameterizedTest
    @EnumSource
    void whoReadsSlowlyStays(Kind kind)
            throws InterruptedException, ExecutionException, TimeoutException {
        Objects.requireNonNull(SLOW.get(kind)).get(30, TimeUnit.SECONDS);
    }

    @Test
    @Tag("long")
    void whoReadsSlowlyStaysForLong()
            throws InterruptedException, ExecutionException, TimeoutException {
        readSlowly(Kind.NATIVE, Duration.ofSeconds(60)).get(90, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @EnumSource
    void whoReadsNothingIsResetInTime(Kind kind) {
        Server server = server(kind, STALL);
        try (RawCall call = server.call("/endless")) {
            long start = System.nanoTime();
            await().pollInterval(Duration.ofMillis(20))
                    .atMost(STALL.plus(TOLERANCE))
                    .until(() -> server.underWay.get() == 0);
            // What had been sent before the call looked at it is what it stalled at.
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isGreaterThan(STALL.minusMillis(500));
            assertThat(call.isReset()).isTrue();
        }
    }

    /** Nothing waits here any more, but it does in the kernel. */
    @Test
    void whoReadsNothingOfALittleIsResetToo() {
        try (RawCall call = server(Kind.NATIVE, STALL).call("/little")) {
            await().pollDelay(STALL.plus(TOLERANCE))
                    .atMost(STALL.multipliedBy(3))
                    .until(call::isReset);
        }
    }

    /** A connection that nothing waits for is kept, for whoever uses it again. */
    @ParameterizedTest
    @EnumSource
    void whoIsIdleStays(Kind kind) throws InterruptedException {
        try (RawCall call = server(kind, STALL).call("/little")) {
            call.readUntil("z");
            Thread.sleep(STALL.plus(TOLERANCE));
            call.send("GET", "/little", "*/*");
            assertThat(call.text(15)).isEqualTo("HTTP/1.1 200 OK");
        }
    }
}
