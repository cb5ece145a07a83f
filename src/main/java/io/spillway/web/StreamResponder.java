package io.spillway.web;

import io.spillway.encode.BatchEncoders;
import io.spillway.encode.RowFormat;
import io.spillway.job.JobPart;
import io.spillway.job.JobService;
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

    /** Trailer of a stream that has come to its end: the number of rows it had. */
    static final String ROW_COUNT_TRAILER = "Spillway-Row-Count";

    private final JobService jobs;
    private final Compression compression;
    private final NotReady notReady;

    StreamResponder(JobService jobs, Compression compression, NotReady notReady) {
        this.jobs = jobs;
        this.compression = compression;
        this.notReady = notReady;
    }

    /** Writes the rows from one on. */
    Mono<Void> respond(JobPart part, RowsRequest request, long from, ServerWebExchange exchange) {
        long to = RowsResponder.after(from, request.limit());
        RowFormat format = request.format();
        PlainFraming framing =
                new PlainFraming(
                        BatchEncoders.head(part.job().plan().schema(), format),
                        from,
                        end -> BatchEncoders.tail(format, end));
        ServerHttpResponse response = exchange.getResponse();
        HttpHeaders headers = response.getHeaders();
        headers.setContentType(request.media().type());
        headers.set("X-Accel-Buffering", "no");
        headers.set(HttpHeaders.TRAILER, ROW_COUNT_TRAILER);
        if (Heads.only(exchange.getRequest())) {
            headers.add(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
            return response.setComplete();
        }
        String location = headers.getFirst(HttpHeaders.CONTENT_LOCATION);
        HttpServerResponse server = NettyResponses.server(response);
        // Written when the body has come to its end, and only then.
        server.trailerHeaders(
                trailers -> trailers.set(ROW_COUNT_TRAILER, Long.toString(framing.rows())));
        Flux<DataBuffer> rows =
                Unwanted.released(
                        new RowsFlux(
                                        new ChunkFlux(
                                                () -> jobs.read(part, from, to, format, false)),
                                        framing,
                                        Pace.ROWS,
                                        NettyResponses.channel(server))
                                .timeout(Mono.delay(NotReady.patience(request.patience()))));
        return response.writeWith(compression.apply(rows, -1, exchange.getRequest(), response))
                .onErrorResume(
                        TimeoutException.class,
                        late -> notReady.answer(part, to, location, response));
    }
}
