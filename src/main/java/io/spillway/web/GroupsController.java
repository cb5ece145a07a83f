package io.spillway.web;

import io.spillway.group.GroupService;
import java.net.URI;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Consumer groups as resources: make, look at, reset, remove. */
@RestController
@RequestMapping("/v1/jobs/{job}/groups")
class GroupsController {

    private final GroupService groups;
    private final RequestBodies bodies;
    private final Blocking blocking;

    GroupsController(GroupService groups, RequestBodies bodies, Blocking blocking) {
        this.groups = groups;
        this.bodies = bodies;
        this.blocking = blocking;
    }

    /** A job's groups. */
    record GroupList(List<GroupDocument> groups) {}

    @GetMapping
    Mono<GroupList> list(ServerWebExchange exchange, @PathVariable String job) {
        return Callers.owner(exchange)
                .flatMap(
                        owner ->
                                blocking.call(
                                        () ->
                                                new GroupList(
                                                        groups.list(owner, job).stream()
                                                                .map(GroupDocument::of)
                                                                .toList())));
    }

    @PutMapping("/{group}")
    Mono<ResponseEntity<GroupDocument>> put(
            ServerWebExchange exchange, @PathVariable String job, @PathVariable String group) {
        return bodies.read(
                exchange,
                (owner, body) -> blocking.call(() -> answer(groups.put(owner, job, group, body))));
    }

    private static ResponseEntity<GroupDocument> answer(GroupService.Made made) {
        return ResponseEntity.status(made.created() ? HttpStatus.CREATED : HttpStatus.OK)
                .location(URI.create(GroupDocument.path(made.progress().group())))
                .body(GroupDocument.of(made.progress()));
    }

    @GetMapping("/{group}")
    Mono<GroupDocument> get(
            ServerWebExchange exchange, @PathVariable String job, @PathVariable String group) {
        return Callers.owner(exchange)
                .flatMap(
                        owner ->
                                blocking.call(
                                        () -> GroupDocument.of(groups.get(owner, job, group))));
    }

    @DeleteMapping("/{group}")
    Mono<ResponseEntity<Void>> remove(
            ServerWebExchange exchange, @PathVariable String job, @PathVariable String group) {
        return Callers.owner(exchange)
                .flatMap(
                        owner ->
                                blocking.call(
                                        () -> {
                                            groups.remove(owner, job, group);
                                            return ResponseEntity.noContent().build();
                                        }));
    }

    @PostMapping("/{group}:reset")
    Mono<GroupDocument> reset(
            ServerWebExchange exchange, @PathVariable String job, @PathVariable String group) {
        return bodies.read(
                exchange,
                (owner, body) ->
                        blocking.call(
                                () -> GroupDocument.of(groups.reset(owner, job, group, body))));
    }
}
