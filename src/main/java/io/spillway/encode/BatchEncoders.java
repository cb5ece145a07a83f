package io.spillway.encode;

import io.spillway.batch.RowSchema;

/** The encoders there are. */
public final class BatchEncoders {

    /**
     * Bytes that a chunk of text has at most, unless a single row has more. A power of two, as
     * Arrow allocates.
     */
    public static final int CHUNK_BYTES = 128 << 10;

    private BatchEncoders() {}

    /**
     * An encoder of rows.
     *
     * @param schema the columns of every batch that it will see
     * @param format other than one whose groups depend on all rows, which has {@link CapEncoder}
     * @return to be closed by the caller
     */
    public static BatchEncoder of(RowSchema schema, RowFormat format) {
        return switch (format) {
            case JsonFormat json -> new TextEncoder(schema, JsonSyntax.of(schema, json));
            case CsvFormat csv -> new TextEncoder(schema, new CsvSyntax(schema, csv));
            case GroupFormat groups -> new GroupEncoder(schema, groups);
            case CappedFormat _ ->
                    throw new IllegalArgumentException("where batches end depends on all rows");
            case ArrowFormat arrow -> new ArrowEncoder(schema, arrow);
        };
    }

    /**
     * About how many bytes a chunk of a format has at most, unless a single row has more. A chunk
     * of Arrow has no more rows than the batch that it was made from.
     */
    public static int chunkBytes(RowFormat format) {
        return switch (format) {
            case JsonFormat _, CsvFormat _ -> CHUNK_BYTES;
            case GroupFormat groups -> GroupEncoder.chunkBytes(groups.text());
            case CappedFormat capped -> GroupEncoder.chunkBytes(capped.text());
            case ArrowFormat _ -> ArrowEncoder.MESSAGE_BYTES;
        };
    }

    /** What a stream of rows starts with, before any chunk; empty for JSON and groups. */
    public static byte[] head(RowSchema schema, RowFormat format) {
        return switch (format) {
            case CsvFormat csv -> new CsvSyntax(schema, csv).header();
            case ArrowFormat _ -> ArrowLayout.schema(schema);
            case JsonFormat _, GroupFormat _, CappedFormat _ -> new byte[0];
        };
    }

    /**
     * What a stream of rows ends with once all its chunks have been written, and only if it has
     * come to its end; empty for JSON and CSV.
     *
     * @param end number of the row after the last one of the stream
     */
    public static byte[] tail(RowFormat format, long end) {
        return switch (format) {
            case GroupFormat groups -> GroupEncoder.tail(groups, end);
            case CappedFormat capped -> CapEncoder.tail(capped, end);
            case ArrowFormat _ -> ArrowLayout.endOfStream();
            case JsonFormat _, CsvFormat _ -> new byte[0];
        };
    }
}
