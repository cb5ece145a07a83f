package io.spillway.benchmark;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.spillway.encode.BatchEncoders;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/**
 * What the transport alone can do: a Reactor Netty server that answers {@code GET /BYTES} with so
 * many bytes in chunks that were made before. Its first line of output is its port.
 */
final class BareServer {

    /** As the service's. */
    private static final int CHUNK = BatchEncoders.CHUNK_BYTES;

    /** As the service's: chunks that are on their way in a connection. */
    private static final String PREFETCH = "4";

    private BareServer() {}

    /**
     * Serves until its input ends.
     *
     * @param args a file with what goes over the wire, again and again
     */
    public static void main(String[] args) throws IOException {
        PrintStream answers = CommandProcess.answers();
        System.setProperty("reactor.netty.send.maxPrefetchSize", PREFETCH);
        List<ByteBuf> chunks = chunks(Files.readAllBytes(Path.of(args[0])));
        DisposableServer server =
                HttpServer.create()
                        .host("127.0.0.1")
                        .port(0)
                        .handle(
                                (request, response) ->
                                        response.header("Content-Type", "application/x-ndjson")
                                                .send(
                                                        body(
                                                                chunks,
                                                                Long.parseLong(
                                                                        request.uri()
                                                                                .substring(1)))))
                        .bindNow();
        answers.println(server.port());
        while (System.in.read() >= 0) {
            // Until the input ends.
        }
        System.exit(0);
    }

    private static List<ByteBuf> chunks(byte[] bytes) {
        List<ByteBuf> chunks = new ArrayList<>();
        for (int at = 0; at < bytes.length; at += CHUNK) {
            int length = Math.min(CHUNK, bytes.length - at);
            chunks.add(Unpooled.directBuffer(length).writeBytes(bytes, at, length));
        }
        return chunks;
    }

    private static Flux<ByteBuf> body(List<ByteBuf> chunks, long bytes) {
        return Flux.generate(
                () -> new long[2],
                (sent, sink) -> {
                    ByteBuf chunk = chunks.get((int) (sent[0]++ % chunks.size()));
                    int length = (int) Math.min(bytes - sent[1], chunk.readableBytes());
                    if (length == 0) {
                        sink.complete();
                    } else {
                        sent[1] += length;
                        sink.next(chunk.retainedSlice(0, length));
                    }
                    return sent;
                });
    }
}
