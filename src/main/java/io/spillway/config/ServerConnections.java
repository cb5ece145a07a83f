package io.spillway.config;

import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.spillway.web.StallGuard;
import java.time.Duration;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;
import reactor.netty.http.server.HttpServer;

/** How the server treats its connections, so that thousands of slow readers cost little. */
@Component
class ServerConnections implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory> {

    private static final int LEAST_PATIENCE_MILLIS = 30_000;

    private final Duration stall;

    ServerConnections(SpillwayProperties settings) {
        this.stall = settings.limits().stall();
    }

    @Override
    public void customize(NettyReactiveWebServerFactory factory) {
        factory.addServerCustomizers(this::configure);
    }

    private HttpServer configure(HttpServer server) {
        HttpServer configured =
                server.childOption(ChannelOption.SO_KEEPALIVE, true)
                        .doOnChannelInit(
                                (observer, channel, address) -> StallGuard.watch(channel, stall));
        if (!Epoll.isAvailable()) {
            return configured;
        }
        // For a peer that has vanished without a word. One that takes little at a time looks much
        // the same to the kernel for a while.
        int patience = Math.clamp(stall.toMillis(), LEAST_PATIENCE_MILLIS, Integer.MAX_VALUE);
        return configured.childOption(EpollChannelOption.TCP_USER_TIMEOUT, patience);
    }
}
