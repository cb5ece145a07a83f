package io.spillway.web;

import io.spillway.encode.BatchEncoders;
import io.spillway.encode.EncodedChunk;
import io.spillway.encode.RowFormat;
import io.spillway.job.JobPart;
import io.spillway.job.JobService;
import io.spillway.job.Reading;
import java.util.concurrent.TimeoutException;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Answers with a stream of rows alone, which says at its end how many it had. One that fails breaks
 * the connection.
 */
final class StreamResponder {

    private final JobService jobs;
    private final Compression compression;
    private final NotReady notReady;

    StreamResponder(JobService jobs, Compression compression, NotReady notReady) {
        this.jobs = jobs;
        this.compression = compression;
        this.notReady = notReady;
    }

    /** Writes the rows, with what stands before and behind them in their form. */
    Mono<Void> respond(JobPart part, StreamAnswer answer, ServerWebExchange exchange) {
        return respond(
                part, answer, new ChunkFlux(() -> jobs.read(part, answer.reading())), exchange);
    }

    /**
     * The same with rows that are at hand.
     *
     * @param chunks those of the answer's reading
     */
    Mono<Void> respond(
            JobPart part,
            StreamAnswer answer,
            Flux<EncodedChunk> chunks,
            ServerWebExchange exchange) {
        RowFormat format = answer.reading().format();
        PlainFraming framing =
                new PlainFraming(
                        BatchEncoders.head(part.job().plan().schema(), format),
                        answer.reading().from(),
                        end -> BatchEncoders.tail(format, end));
        ServerHttpResponse response = exchange.getResponse();
        HttpHeaders headers = response.getHeaders();
        headers.setContentType(answer.media().type());
        headers.set(AnswerFields.NO_BUFFERING, "no");
        headers.set(HttpHeaders.TRAILER, String.join(", ", answer.trailerNames()));
        if (Heads.only(exchange.getRequest())) {
            headers.add(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
            return response.setComplete();
        }
        String location = headers.getFirst(HttpHeaders.CONTENT_LOCATION);
        HttpServerResponse server = NettyResponses.server(response);
        // Written when the body has come to its end, and only then.
        server.trailerHeaders(
                trailers -> answer.trailers().apply(framing.rows()).forEach(trailers::set));
        Flux<DataBuffer> rows =
                Unwanted.released(
                        new RowsFlux(chunks, framing, Pace.ROWS, NettyResponses.channel(server))
                                .timeout(Mono.delay(NotReady.patience(answer.patience()))));
        return response.writeWith(compression.apply(rows, -1, exchange.getRequest(), response))
                .onErrorResume(
                        TimeoutException.class,
                        late -> notReady.answer(part, upTo(answer.reading()), location, response));
    }

    /** How far the job goes on to find rows though nobody waits. */
    private static long upTo(Reading reading) {
        return Math.max(reading.view().needs(reading.from()), reading.view().row(reading.to()));
    }
}
