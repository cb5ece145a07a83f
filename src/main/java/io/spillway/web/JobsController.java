package io.spillway.web;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.job.Job;
import io.spillway.job.JobActivity;
import io.spillway.job.JobService;
import java.net.URI;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
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

    private static final int LIST_ROWS = 100;
    private static final int MAX_LIST_ROWS = 1_000;
    private static final int MAX_KEY_LENGTH = 255;

    private final JobService jobs;
    private final RequestBodies bodies;
    private final Blocking blocking;

    JobsController(JobService jobs, RequestBodies bodies, Blocking blocking) {
        this.jobs = jobs;
        this.bodies = bodies;
        this.blocking = blocking;
    }

    /** A page of the caller's jobs; {@code next} is where the following page starts. */
    record JobList(List<JobDocument> jobs, @Nullable String next) {}

    @PostMapping
    Mono<ResponseEntity<Object>> submit(
            ServerWebExchange exchange,
            @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String key) {
        Parameters parameters =
                new Parameters(exchange.getRequest().getQueryParams(), Set.of("dryRun"));
        boolean dryRun = parameters.choice("dryRun", "false", "true").equals("true");
        String checkedKey = checked(key);
        return Callers.owner(exchange)
                .flatMap(
                        owner ->
                                bodies.read(exchange.getRequest())
                                        .flatMap(
                                                body ->
                                                        blocking.call(
                                                                () ->
                                                                        dryRun
                                                                                ? dryRun(body)
                                                                                : created(
                                                                                        jobs.submit(
                                                                                                owner,
                                                                                                body,
                                                                                                checkedKey)))));
    }

    private ResponseEntity<Object> dryRun(byte[] body) {
        return ResponseEntity.ok(DryRunDocument.of(jobs.dryRun(body)));
    }

    private ResponseEntity<Object> created(JobService.Submission submission) {
        URI location = URI.create(JobDocument.path(submission.job()));
        HttpStatus status = submission.created() ? HttpStatus.CREATED : HttpStatus.OK;
        return ResponseEntity.status(status).location(location).body(document(submission.job()));
    }

    private static @Nullable String checked(@Nullable String key) {
        if (key != null && (key.isBlank() || key.length() > MAX_KEY_LENGTH)) {
            throw new SpillwayException(
                            ErrorCode.INVALID_PARAMETER,
                            "An Idempotency-Key has 1 to "
                                    + MAX_KEY_LENGTH
                                    + " characters, not only spaces")
                    .with(SpillwayException.PARAMETER, "Idempotency-Key");
        }
        return key;
    }

    @GetMapping
    Mono<JobList> list(ServerWebExchange exchange) {
        Parameters parameters =
                new Parameters(exchange.getRequest().getQueryParams(), Set.of("limit", "before"));
        Long asked = parameters.count("limit");
        if (asked != null && (asked < 1 || asked > MAX_LIST_ROWS)) {
            throw Parameters.invalid(
                            "limit", "A list has 1 to " + MAX_LIST_ROWS + " jobs, not " + asked)
                    .with(SpillwayException.LIMIT, MAX_LIST_ROWS);
        }
        int limit = asked == null ? LIST_ROWS : asked.intValue();
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
        return Callers.owner(exchange)
                .flatMap(
                        owner ->
                                bodies.read(exchange.getRequest())
                                        .flatMap(
                                                body ->
                                                        blocking.call(
                                                                () ->
                                                                        document(
                                                                                jobs.renew(
                                                                                        owner, job,
                                                                                        body)))));
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
        JobActivity activity = jobs.activity(job);
        return JobDocument.of(job, jobs.state(job, activity), activity);
    }
}
