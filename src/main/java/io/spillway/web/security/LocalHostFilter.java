package io.spillway.web.security;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.web.Problems;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Lets in only requests that name this machine in {@code Host}. While nobody has to authenticate,
 * the loopback address is what keeps strangers out; a web page that makes its own host name resolve
 * to the loopback address (DNS rebinding) would otherwise get in by way of a local browser.
 */
public final class LocalHostFilter implements WebFilter {

    private static final Pattern LOCAL =
            Pattern.compile("localhost|.+\\.localhost|127(\\.\\d{1,3}){3}|\\[?(::|(0+:){7})0*1]?");

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (isLocal(exchange.getRequest().getHeaders().getHost())) {
            return chain.filter(exchange);
        }
        return Problems.write(
                exchange,
                new SpillwayException(
                        ErrorCode.ACCESS_DENIED,
                        "Without authentication this service answers to the host name 'localhost'"
                                + " only"));
    }

    private static boolean isLocal(@Nullable InetSocketAddress host) {
        return host != null
                && LOCAL.matcher(host.getHostString().toLowerCase(Locale.ROOT)).matches();
    }
}
