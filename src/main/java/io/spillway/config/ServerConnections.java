package io.spillway.config;

import io.netty.channel.ChannelOption;
import io.spillway.web.StallGuard;
import java.time.Duration;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;
import reactor.netty.http.server.HttpServer;

/** How the server treats its connections, so that thousands of slow readers cost little. */
@Component
class ServerConnections implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory> {

    private final Duration stall;

    ServerConnections(SpillwayProperties settings) {
        this.stall = settings.limits().stall();
    }

    @Override
    public void customize(NettyReactiveWebServerFactory factory) {
        factory.addServerCustomizers(this::configure);
    }

    private HttpServer configure(HttpServer server) {
        return server.childOption(ChannelOption.SO_KEEPALIVE, true)
                .doOnChannelInit((observer, channel, address) -> StallGuard.watch(channel, stall));
    }
}
