package io.spillway.web;

import io.spillway.job.Job;
import io.spillway.job.JobPart;
import io.spillway.job.JobService;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/**
 * The answer to whoever waited long enough for a first row: the job goes on finding it, and asking
 * again finds it further on.
 */
final class NotReady {

    /** Even who does not want to wait leaves the time in which rows that are ready come. */
    private static final Duration LEAST_WAIT = Duration.ofMillis(100);

    private static final String RETRY_AFTER_SECONDS = "1";

    private final JobService jobs;
    private final JsonMapper mapper;
    private final Blocking blocking;

    NotReady(JobService jobs, JsonMapper mapper, Blocking blocking) {
        this.jobs = jobs;
        this.mapper = mapper;
        this.blocking = blocking;
    }

    /** How long a first row is waited for. */
    static Duration patience(Duration asked) {
        return asked.compareTo(LEAST_WAIT) < 0 ? LEAST_WAIT : asked;
    }

    /**
     * 202 with the job as it is; whatever was prepared for another answer is taken back.
     *
     * @param upTo the job goes on until it knows where the rows before this one are
     * @param location what the {@code Content-Location} is to be, if any
     */
    Mono<Void> answer(
            JobPart part, long upTo, @Nullable String location, ServerHttpResponse response) {
        return blocking.call(
                        () -> {
                            jobs.keepBuilding(part, upTo);
                            Job job = part.job();
                            return mapper.writeValueAsBytes(
                                    JobDocument.of(job, jobs.progress(job)));
                        })
                .flatMap(
                        body -> {
                            response.setStatusCode(HttpStatus.ACCEPTED);
                            HttpHeaders headers = response.getHeaders();
                            AnswerFields.takeBack(headers);
                            headers.setContentType(MediaType.APPLICATION_JSON);
                            headers.setContentLength(body.length);
                            headers.set(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
                            if (location != null) {
                                headers.set(HttpHeaders.CONTENT_LOCATION, location);
                            }
                            return response.writeWith(Mono.just(ChunkBuffers.wrap(body)));
                        });
    }
}
