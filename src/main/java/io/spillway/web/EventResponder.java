package io.spillway.web;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.job.Job;
import io.spillway.job.JobPart;
import io.spillway.job.JobReader;
import io.spillway.job.JobService;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/**
 * Answers with a stream of server-sent events: {@code schema}, those of rows, {@code progress}, and
 * at the end {@code end} or {@code failure}.
 */
final class EventResponder {

    private final JobService jobs;
    private final JsonMapper mapper;
    private final EventSettings settings;

    EventResponder(JobService jobs, JsonMapper mapper, EventSettings settings) {
        this.jobs = jobs;
        this.mapper = mapper;
        this.settings = settings;
    }

    /** Writes the rows as events. */
    Mono<Void> respond(JobPart part, EventAnswer answer, ServerWebExchange exchange) {
        ServerHttpResponse response = exchange.getResponse();
        HttpHeaders headers = response.getHeaders();
        headers.setContentType(ServerSentEvents.TYPE);
        headers.setCacheControl(CacheControl.noStore());
        headers.set(AnswerFields.NO_BUFFERING, "no");
        if (Heads.only(exchange.getRequest())) {
            return response.setComplete();
        }
        // Here, where a failure still becomes a problem.
        JobReader reader = jobs.read(part, answer.reading());
        try {
            RowsFlux rows =
                    new RowsFlux(
                            new ChunkFlux(() -> reader),
                            new EventFraming(
                                    answer,
                                    new Texts(part.job(), reader, answer),
                                    settings.heartbeat()),
                            Pace.EVENTS,
                            NettyResponses.channel(NettyResponses.server(response)));
            LongBodies.handOver(exchange, Unwanted.released(rows), reader::close);
            return Mono.empty();
        } catch (RuntimeException | Error e) {
            reader.close();
            throw e;
        }
    }

    private final class Texts implements EventFraming.Texts {

        private final Job job;
        private final JobReader reader;
        private final EventAnswer answer;

        Texts(Job job, JobReader reader, EventAnswer answer) {
            this.job = job;
            this.reader = reader;
            this.answer = answer;
        }

        @Override
        public byte[] head() {
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            head.writeBytes(ServerSentEvents.retry(settings.retry()));
            String columns =
                    mapper.writeValueAsString(JobDocument.ColumnDocument.of(job.plan().schema()));
            head.writeBytes(ServerSentEvents.event("schema", columns));
            return head.toByteArray();
        }

        @Override
        public byte[] end(long next) {
            String end = mapper.writeValueAsString(answer.end().at(next, reader.rowCount()));
            return ServerSentEvents.event("end", end, answer.ids().end());
        }

        @Override
        public String progress() {
            return mapper.writeValueAsString(ProgressDocument.of(jobs.progress(job)));
        }

        @Override
        public byte @Nullable [] failure(SpillwayException cause) {
            if (cause.code() == ErrorCode.SHUTTING_DOWN) {
                // The client is to go on elsewhere, which it does when the stream breaks.
                return null;
            }
            String problem = new String(Problems.json(cause, null), StandardCharsets.UTF_8);
            return ServerSentEvents.event("failure", problem);
        }
    }
}
