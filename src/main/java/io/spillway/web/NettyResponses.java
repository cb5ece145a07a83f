package io.spillway.web;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.AbstractServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.publisher.Mono;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.server.HttpServerResponse;

/** The way from Spring's responses to the connections below them. */
final class NettyResponses {

    private NettyResponses() {}

    /** The server's own response. */
    static HttpServerResponse server(ServerHttpResponse response) {
        ServerHttpResponse inner = response;
        while (inner instanceof ServerHttpResponseDecorator decorator) {
            inner = decorator.getDelegate();
        }
        if (inner instanceof AbstractServerHttpResponse server
                && server.getNativeResponse() instanceof HttpServerResponse netty) {
            return netty;
        }
        throw new IllegalStateException("not served by Reactor Netty: " + inner.getClass());
    }

    /**
     * The connection that a response goes to.
     *
     * @throws AbortedException if it is closed already: the server then has another one in its
     *     place, which can do nothing
     */
    static Channel channel(HttpServerResponse response) {
        AtomicReference<@Nullable Channel> channel = new AtomicReference<>();
        response.withConnection(connection -> channel.set(connection.channel()));
        Channel found = channel.get();
        if (found == null) {
            throw new IllegalStateException("a response without a connection");
        }
        if (!found.isOpen()) {
            throw new AbortedException("The connection was closed");
        }
        return found;
    }

    /** Done when a connection is closed. */
    static Mono<Void> closed(Channel channel) {
        return Mono.create(
                sink -> {
                    ChannelFutureListener listener = closed -> sink.success();
                    var _ = channel.closeFuture().addListener(listener);
                    sink.onDispose(() -> channel.closeFuture().removeListener(listener));
                });
    }
}
