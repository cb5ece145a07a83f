package io.spillway.web;

import io.spillway.web.security.Owners;
import java.security.Principal;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Who calls. */
final class Callers {

    private Callers() {}

    /** The owner that the call's jobs belong to. */
    static Mono<String> owner(ServerWebExchange exchange) {
        return exchange.getPrincipal().map(Principal::getName).defaultIfEmpty(Owners.ANONYMOUS);
    }
}
