package io.spillway.delivery.http;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * One attempt to send one batch.
 *
 * @param id of the batch: the same on every attempt
 * @param delivery its id
 * @param firstRow the batch's first row, by its number in the job
 * @param rowCount rows of the batch
 * @param attempt 1 for the first
 * @param body direct or heap, from position to limit each. They stay the caller's, who keeps them
 *     valid and unchanged until {@link Exchange#answer} is done; positions and limits are left
 *     alone
 * @param traceId 32 lower-case hexadecimal digits, not all zero; each attempt gets a new span
 */
public record Post(
        String id,
        String delivery,
        long firstRow,
        long rowCount,
        int attempt,
        String contentType,
        List<ByteBuffer> body,
        String traceId) {

    public Post {
        body = List.copyOf(body);
    }

    /** Bytes of the body. */
    public long bytes() {
        long bytes = 0;
        for (ByteBuffer part : body) {
            bytes += part.remaining();
        }
        return bytes;
    }
}
