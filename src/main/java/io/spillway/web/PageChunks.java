package io.spillway.web;

import io.spillway.encode.EncodedChunk;
import io.spillway.job.JobReader;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The rows of one page, collected whole before the first byte is sent, so that a failure is a
 * problem and not half a page. Owns the chunks until they are written; closing frees those that
 * were not.
 */
final class PageChunks implements AutoCloseable {

    private final JobReader reader;
    private final long from;
    private final long maxBytes;
    private final ArrayDeque<EncodedChunk> chunks = new ArrayDeque<>();
    private long rows;

    /** Each row is preceded by a comma, which the first one of the page loses. */
    private long bytes = -1;

    private boolean cut;
    private boolean closed;

    /**
     * A page that is still empty.
     *
     * @param from row number of its first row
     * @param maxBytes the page ends before the row that would go beyond, but has one row at least
     */
    PageChunks(JobReader reader, long from, long maxBytes) {
        this.reader = reader;
        this.from = from;
        this.maxBytes = maxBytes;
    }

    JobReader reader() {
        return reader;
    }

    /** Takes chunks until the reader ends or the page is full. */
    Mono<Void> collect() {
        return new ChunkFlux(() -> reader).doOnNext(this::add).takeUntil(chunk -> cut()).then();
    }

    private synchronized void add(EncodedChunk chunk) {
        if (closed || cut) {
            chunk.close();
            return;
        }
        EncodedChunk fitting = chunk;
        if (chunk.length() > maxBytes - bytes) {
            fitting = RowBorders.first(chunk, maxBytes - bytes, rows == 0 ? 1 : 0);
            cut = fitting.rows() < chunk.rows();
        }
        if (fitting.rows() == 0) {
            chunk.close();
            return;
        }
        chunks.add(fitting);
        rows += fitting.rows();
        bytes += fitting.length();
    }

    long from() {
        return from;
    }

    /** Row number after the last row. */
    synchronized long end() {
        return from + rows;
    }

    /** Bytes of the rows in the page. */
    synchronized long bytes() {
        return Math.max(bytes, 0);
    }

    /** Did the page end because of its bytes? */
    synchronized boolean cut() {
        return cut;
    }

    /** The page as it is sent, chunk after chunk handed over to the network. */
    Flux<DataBuffer> body(byte[] head, byte[] tail) {
        AtomicInteger skip = new AtomicInteger(1);
        Flux<DataBuffer> body =
                Flux.generate(
                        sink -> {
                            EncodedChunk chunk = take();
                            if (chunk == null) {
                                sink.complete();
                            } else {
                                sink.next(
                                        ChunkBuffers.wrap(
                                                chunk, skip.getAndSet(0), chunk.length()));
                            }
                        });
        return Flux.concat(
                Mono.fromSupplier(() -> ChunkBuffers.wrap(head)),
                body,
                Mono.fromSupplier(() -> ChunkBuffers.wrap(tail)));
    }

    private synchronized @Nullable EncodedChunk take() {
        return chunks.poll();
    }

    @Override
    public synchronized void close() {
        closed = true;
        chunks.forEach(EncodedChunk::close);
        chunks.clear();
    }
}
