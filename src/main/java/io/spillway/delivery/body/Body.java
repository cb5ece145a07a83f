package io.spillway.delivery.body;

import io.spillway.encode.EncodedChunk;
import io.spillway.group.Cut;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The body of a batch. Its memory is the job's until it is closed, by whoever holds it, once the
 * request has ended; any thread may do so.
 */
public final class Body implements BodyRead, AutoCloseable {

    private final Cut cut;
    private final String contentType;
    private final List<ByteBuffer> parts;
    private final long bytes;
    private final List<EncodedChunk> chunks;
    private final Allowance memory;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Takes over chunks and memory.
     *
     * @param parts of the chunks and beside them, in the body's order
     */
    Body(
            Cut cut,
            String contentType,
            List<ByteBuffer> parts,
            List<EncodedChunk> chunks,
            Allowance memory) {
        this.cut = cut;
        this.contentType = contentType;
        this.parts = List.copyOf(parts);
        this.bytes = parts.stream().mapToLong(ByteBuffer::remaining).sum();
        this.chunks = List.copyOf(chunks);
        this.memory = memory;
    }

    /** Which rows it is made of, and why there are not more. */
    public Cut cut() {
        return cut;
    }

    /** The body, in parts that follow each other: read-only, valid until it is closed. */
    public List<ByteBuffer> parts() {
        return parts.stream().map(ByteBuffer::duplicate).toList();
    }

    /** Bytes of the whole body. */
    public long bytes() {
        return bytes;
    }

    /** Its media type. */
    public String contentType() {
        return contentType;
    }

    /** Frees it; further calls do nothing. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            chunks.forEach(EncodedChunk::close);
            memory.close();
        }
    }
}
