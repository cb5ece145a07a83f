package io.spillway.encode;

import io.spillway.batch.RowSchema;

/** The encoders there are. */
public final class BatchEncoders {

    /**
     * Bytes that a chunk has at most, unless a single row has more. A power of two, as Arrow
     * allocates.
     */
    public static final int CHUNK_BYTES = 64 << 10;

    private BatchEncoders() {}

    /**
     * An encoder of JSON rows (RFC 8259), for pages and NDJSON alike. {@link JsonRowEncoder} tells
     * how each type is written and how much heap an encoder takes.
     *
     * @param schema the columns of every batch that it will see
     * @return to be closed by the caller
     */
    public static BatchEncoder json(RowSchema schema, RowFormat format) {
        return new JsonRowEncoder(schema, format);
    }
}
