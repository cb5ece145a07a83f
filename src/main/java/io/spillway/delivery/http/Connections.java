package io.spillway.delivery.http;

import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.resolver.AddressResolverGroup;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.Http11SslContextSpec;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.SslProvider;
import reactor.netty.transport.NameResolverProvider;

/**
 * The connections of a sender: threads of its own, a bounded pool for each endpoint, and no way to
 * an address that the rules refuse. Connections are kept between requests, and not for long: an
 * address is resolved and checked with each new one.
 */
final class Connections implements AutoCloseable {

    /** A connection takes no longer than this, whatever the time limit of the exchange. */
    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);

    /**
     * Far beyond what deliveries have under way at one endpoint: a bound for a time in which many
     * of its connections do not come about.
     */
    private static final int CONNECTIONS_AN_ENDPOINT = 1_000;

    private static final Duration LONGEST_IDLE = Duration.ofSeconds(15);
    private static final Duration LONGEST_LIFE = Duration.ofMinutes(5);
    private static final Duration SWEEP = Duration.ofSeconds(5);
    private static final Duration POOL_IDLE = Duration.ofMinutes(1);

    /** A peer that takes nothing must not hold up the end of its connection by its farewell. */
    private static final Duration FAREWELL = Duration.ofMillis(100);

    private static final Duration CLOSING = Duration.ofSeconds(5);
    private static final int MOST_HEADER_BYTES = 32 << 10;

    private final LoopResources threads =
            LoopResources.create("delivery", Runtime.getRuntime().availableProcessors(), true);
    private final ConnectionProvider pools =
            ConnectionProvider.builder("delivery")
                    .maxConnections(CONNECTIONS_AN_ENDPOINT)
                    .pendingAcquireMaxCount(CONNECTIONS_AN_ENDPOINT)
                    .pendingAcquireTimeout(LONGEST_CONNECT)
                    .maxIdleTime(LONGEST_IDLE)
                    .maxLifeTime(LONGEST_LIFE)
                    .evictInBackground(SWEEP)
                    .disposeInactivePoolsInBackground(SWEEP, POOL_IDLE)
                    .build();
    private final Map<Long, HttpClient> clients = new ConcurrentHashMap<>();
    private final FilteredNames names;
    private final Consumer<SslContextBuilder> tls;

    /**
     * @param resolver of names to addresses, made for the threads here; null for the system's name
     *     servers and hosts file
     * @param tls what to set beside the platform's trust
     */
    Connections(
            AddressRules rules,
            @Nullable Function<LoopResources, AddressResolverGroup<InetSocketAddress>> resolver,
            Consumer<SslContextBuilder> tls) {
        this.names =
                new FilteredNames(
                        rules, resolver == null ? systemNames() : resolver.apply(threads));
        this.tls = tls;
    }

    /** Its queries hold no thread, so that a name server that does not answer holds up nobody. */
    private AddressResolverGroup<InetSocketAddress> systemNames() {
        return NameResolverProvider.builder().build().newNameResolverGroup(threads, true);
    }

    /** For exchanges of this time limit. */
    HttpClient client(Duration limit) {
        Duration connect = limit.compareTo(LONGEST_CONNECT) < 0 ? limit : LONGEST_CONNECT;
        return clients.computeIfAbsent(connect.plusMillis(999).toSeconds(), this::build);
    }

    private HttpClient build(long connectSeconds) {
        Duration connect = Duration.ofSeconds(connectSeconds);
        return HttpClient.create(pools)
                .runOn(threads)
                .resolver(names)
                .noProxy()
                .followRedirect(false)
                .compress(false)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) connect.toMillis())
                .secure(tls(connect))
                .httpResponseDecoder(decoder -> decoder.maxHeaderSize(MOST_HEADER_BYTES));
    }

    private SslProvider tls(Duration connect) {
        SslProvider.GenericSslContextSpec<SslContextBuilder> context =
                Http11SslContextSpec.forClient()
                        .configure(tls)
                        .configure(ssl -> ssl.endpointIdentificationAlgorithm("HTTPS"));
        return SslProvider.builder()
                .sslContext(context)
                .handshakeTimeout(connect)
                .closeNotifyFlushTimeout(FAREWELL)
                .build();
    }

    @Override
    public void close() {
        pools.disposeLater().block(CLOSING);
        names.close();
        threads.disposeLater(Duration.ZERO, CLOSING).block(CLOSING.plus(CLOSING));
    }
}
