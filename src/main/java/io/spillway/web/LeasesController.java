package io.spillway.web;

import io.spillway.group.Claimed;
import io.spillway.group.GroupService;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Batches in readers' hands: claim, renew, commit, give back. */
@RestController
class LeasesController {

    /** Seconds after which a caller who was told to come back later comes back at the latest. */
    private static final long LONGEST_RETRY = 10;

    private final GroupService groups;
    private final RequestBodies bodies;
    private final WebSettings settings;
    private final Blocking blocking;

    LeasesController(
            GroupService groups, RequestBodies bodies, WebSettings settings, Blocking blocking) {
        this.groups = groups;
        this.bodies = bodies;
        this.settings = settings;
        this.blocking = blocking;
    }

    /** What a claim gives. */
    record Leases(List<LeaseDocument> leases) {}

    @PostMapping("/v1/jobs/{job}/groups/{group}:claim")
    Mono<ResponseEntity<Leases>> claim(
            ServerWebExchange exchange, @PathVariable String job, @PathVariable String group) {
        Duration wait =
                new Parameters(exchange.getRequest().getQueryParams(), Set.of("wait"))
                        .wait(settings);
        long deadline = System.nanoTime() + NotReady.patience(wait).toNanos();
        return bodies.read(
                exchange,
                (owner, body) ->
                        claim(() -> groups.claim(owner, job, group, body, deadline), deadline));
    }

    private Mono<ResponseEntity<Leases>> claim(Callable<Claimed> call, long deadline) {
        return blocking.call(call)
                .flatMap(
                        claimed ->
                                switch (claimed) {
                                    case Claimed.Leases leases ->
                                            Mono.just(ResponseEntity.ok(document(leases)));
                                    case Claimed.NoneFree(Duration retry) ->
                                            Mono.just(later(retry));
                                    case Claimed.Unknown unknown -> wait(call, unknown, deadline);
                                });
    }

    /** Only the wait has an end, no claim that is under way: what that gives is not to be lost. */
    private Mono<ResponseEntity<Leases>> wait(
            Callable<Claimed> call, Claimed.Unknown unknown, long deadline) {
        return Mono.fromFuture(unknown.known())
                .thenReturn(true)
                .timeout(NotReady.patience(Duration.ofNanos(deadline - System.nanoTime())))
                .onErrorReturn(TimeoutException.class, false)
                .flatMap(known -> known ? claim(call, deadline) : Mono.just(later(Duration.ZERO)));
    }

    private Leases document(Claimed.Leases claimed) {
        return new Leases(
                claimed.leases().stream()
                        .map(lease -> LeaseDocument.of(claimed.group(), lease, groups.token(lease)))
                        .toList());
    }

    private static ResponseEntity<Leases> later(Duration retry) {
        long seconds = Math.clamp(retry.plusMillis(999).toSeconds(), 1, LONGEST_RETRY);
        return ResponseEntity.noContent()
                .header(HttpHeaders.RETRY_AFTER, Long.toString(seconds))
                .build();
    }

    @PostMapping("/v1/leases/{lease}:renew")
    Mono<LeaseDocument> renew(ServerWebExchange exchange, @PathVariable String lease) {
        return bodies.read(
                exchange, (owner, body) -> blocking.call(() -> renewed(owner, lease, body)));
    }

    private LeaseDocument renewed(String owner, String token, byte[] body) {
        return document(groups.renew(owner, token, body)).leases().getFirst();
    }

    @PostMapping("/v1/leases/{lease}:commit")
    Mono<ResponseEntity<Void>> commit(ServerWebExchange exchange, @PathVariable String lease) {
        return Callers.owner(exchange)
                .flatMap(
                        owner ->
                                blocking.call(
                                        () -> {
                                            groups.commit(owner, lease);
                                            return ResponseEntity.noContent().build();
                                        }));
    }

    @PostMapping("/v1/leases/{lease}:release")
    Mono<ResponseEntity<Void>> release(ServerWebExchange exchange, @PathVariable String lease) {
        return Callers.owner(exchange)
                .flatMap(
                        owner ->
                                blocking.call(
                                        () -> {
                                            groups.release(owner, lease);
                                            return ResponseEntity.noContent().build();
                                        }));
    }
}
