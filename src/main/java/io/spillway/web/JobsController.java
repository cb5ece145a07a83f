package io.spillway.web;

import io.spillway.job.Job;
import io.spillway.job.JobPart;
import io.spillway.job.JobProgress;
import io.spillway.job.JobService;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Jobs as resources: submit, look at, renew, end. */
@RestController
@RequestMapping("/v1/jobs")
class JobsController {

    /** Seconds after which a caller who was told to come back later comes back at the latest. */
    private static final long LONGEST_RETRY = 10;

    private final JobService jobs;
    private final RequestBodies bodies;
    private final WebSettings settings;
    private final Blocking blocking;

    JobsController(JobService jobs, RequestBodies bodies, WebSettings settings, Blocking blocking) {
        this.jobs = jobs;
        this.bodies = bodies;
        this.settings = settings;
        this.blocking = blocking;
    }

    /** A credential for the streams of a job, to be given as the parameter {@code ticket}. */
    record TicketDocument(String ticket, String expiresAt) {}

    /** A page of the caller's jobs; {@code next} is where the following page starts. */
    record JobList(List<JobDocument> jobs, @Nullable String next) {}

    @PostMapping
    Mono<ResponseEntity<Object>> submit(
            ServerWebExchange exchange,
            @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String key) {
        Parameters parameters =
                new Parameters(exchange.getRequest().getQueryParams(), Set.of("dryRun"));
        boolean dryRun = parameters.choice("dryRun", "false", "true").equals("true");
        String checkedKey = Parameters.idempotencyKey(key);
        return bodies.read(
                exchange,
                (owner, body) ->
                        blocking.call(
                                () ->
                                        dryRun
                                                ? dryRun(owner, body)
                                                : created(jobs.submit(owner, body, checkedKey))));
    }

    private ResponseEntity<Object> dryRun(String owner, byte[] body) {
        return ResponseEntity.ok(DryRunDocument.of(jobs.dryRun(owner, body)));
    }

    private ResponseEntity<Object> created(JobService.Submission submission) {
        URI location = URI.create(JobDocument.path(submission.job()));
        HttpStatus status = submission.created() ? HttpStatus.CREATED : HttpStatus.OK;
        return ResponseEntity.status(status).location(location).body(document(submission.job()));
    }

    @GetMapping
    Mono<JobList> list(ServerWebExchange exchange) {
        Parameters parameters =
                new Parameters(exchange.getRequest().getQueryParams(), Set.of("limit", "before"));
        int limit = parameters.listLimit("jobs");
        return Callers.owner(exchange)
                .flatMap(
                        owner ->
                                blocking.call(
                                        () -> {
                                            List<Job> page =
                                                    jobs.list(
                                                            owner,
                                                            parameters.text("before"),
                                                            limit);
                                            String next =
                                                    page.size() < limit
                                                            ? null
                                                            : page.getLast().id();
                                            return new JobList(
                                                    page.stream().map(this::document).toList(),
                                                    next);
                                        }));
    }

    @GetMapping("/{job}")
    Mono<JobDocument> get(ServerWebExchange exchange, @PathVariable String job) {
        return Callers.owner(exchange)
                .flatMap(owner -> blocking.call(() -> document(jobs.get(owner, job))));
    }

    @GetMapping("/{job}/plan")
    Mono<PlanExplanation> plan(ServerWebExchange exchange, @PathVariable String job) {
        return Callers.owner(exchange)
                .flatMap(owner -> blocking.call(() -> PlanExplanation.of(jobs.get(owner, job))));
    }

    @PostMapping("/{job}:renew")
    Mono<JobDocument> renew(ServerWebExchange exchange, @PathVariable String job) {
        return bodies.read(
                exchange,
                (owner, body) -> blocking.call(() -> document(jobs.renew(owner, job, body))));
    }

    /** The count, or that it is under way: then asking again finds it further on. */
    @PostMapping("/{job}:count")
    Mono<ResponseEntity<Object>> count(ServerWebExchange exchange, @PathVariable String job) {
        Duration wait =
                new Parameters(exchange.getRequest().getQueryParams(), Set.of("wait"))
                        .wait(settings);
        return Callers.owner(exchange)
                .flatMap(owner -> blocking.call(() -> jobs.toRead(owner, job)))
                .flatMap(found -> blocking.defer(() -> count(found, wait)));
    }

    private Mono<ResponseEntity<Object>> count(Job job, Duration wait) {
        CompletableFuture<Long> count = jobs.count(job);
        Mono<ResponseEntity<Object>> known =
                Mono.fromFuture(count).map(rows -> ResponseEntity.ok(new CountDocument(rows)));
        Mono<ResponseEntity<Object>> later =
                blocking.call(
                        () -> {
                            count.cancel(false);
                            return counting(job);
                        });
        if (count.isDone()) {
            return known;
        }
        return wait.isZero() ? later : known.timeout(wait, later);
    }

    private ResponseEntity<Object> counting(Job job) {
        jobs.keepBuilding(JobPart.all(job), Long.MAX_VALUE);
        JobProgress progress = jobs.progress(job);
        return ResponseEntity.accepted()
                .header(HttpHeaders.RETRY_AFTER, Long.toString(retryAfter(progress.etaSeconds())))
                .body(JobDocument.of(job, progress));
    }

    /** Seconds until asking again makes sense. */
    private static long retryAfter(@Nullable Double etaSeconds) {
        return etaSeconds == null ? 1 : Math.clamp((long) Math.ceil(etaSeconds), 1, LONGEST_RETRY);
    }

    @PostMapping("/{job}:ticket")
    Mono<ResponseEntity<TicketDocument>> ticket(
            ServerWebExchange exchange, @PathVariable String job) {
        return Callers.owner(exchange)
                .flatMap(owner -> blocking.call(() -> jobs.ticket(owner, job)))
                .map(
                        issued ->
                                ResponseEntity.ok()
                                        .cacheControl(CacheControl.noStore())
                                        .body(
                                                new TicketDocument(
                                                        issued.token(),
                                                        issued.expiresAt().toString())));
    }

    @DeleteMapping("/{job}")
    Mono<ResponseEntity<Void>> cancel(ServerWebExchange exchange, @PathVariable String job) {
        return Callers.owner(exchange)
                .flatMap(
                        owner ->
                                blocking.call(
                                        () -> {
                                            jobs.cancel(owner, job);
                                            return ResponseEntity.noContent().build();
                                        }));
    }

    private JobDocument document(Job job) {
        return JobDocument.of(job, jobs.progress(job));
    }
}
