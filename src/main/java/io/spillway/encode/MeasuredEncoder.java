package io.spillway.encode;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Writes rows as JSON text, and tells where each of them ends: for whoever puts them together. The
 * bytes are a function of the rows and the format alone. One thread at a time; on the heap it keeps
 * what {@link TextRows} does, and nothing that has to be freed.
 */
public final class MeasuredEncoder {

    private final RowSchema schema;
    private final TextRows rows;

    private MeasuredEncoder(RowSchema schema, RowSyntax syntax, int chunkBytes) {
        this.schema = schema;
        this.rows = new TextRows(schema, syntax, chunkBytes);
    }

    /** Rows in the layout of the format. */
    public static MeasuredEncoder rows(RowSchema schema, JsonFormat format) {
        return new MeasuredEncoder(
                schema, JsonSyntax.of(schema, format), BatchEncoders.CHUNK_BYTES);
    }

    /** Rows that are elements of an array, whatever the layout of the format. */
    static MeasuredEncoder elements(RowSchema schema, JsonFormat format, int chunkBytes) {
        return new MeasuredEncoder(schema, JsonSyntax.elements(schema, format), chunkBytes);
    }

    /**
     * The bare values of one column, each preceded by a comma, whatever the layout of the format.
     */
    public static MeasuredEncoder values(ColumnSchema column, JsonFormat format) {
        return new MeasuredEncoder(
                new RowSchema(List.of(column)), new ValueSyntax(format), BatchEncoders.CHUNK_BYTES);
    }

    /** The columns of the batches that it sees. */
    public RowSchema schema() {
        return schema;
    }

    /**
     * The texts of rows {@code [from, to)} of a batch, as many as make a chunk; at least one if
     * there is any.
     *
     * @param first position of the batch's first row
     * @param weights what rows weigh
     * @throws io.spillway.error.SpillwayException for a value that has no text, naming column and
     *     row of the batch; {@code MEMORY_LIMIT} if the allocator has no room
     */
    public MeasuredRows encode(
            RecordBatch batch,
            long first,
            int from,
            int to,
            MeasuredRows.Weights weights,
            BufferAllocator allocator) {
        Objects.checkFromToIndex(from, to, batch.rowCount());
        try {
            int count = rows.fill(batch, from, to, 0, 0, allocator);
            double[] weigh = weights.of(batch, from, from + count);
            int[] ends = new int[count];
            for (int i = 0; i < count; i++) {
                ends[i] = rows.end(i);
            }
            return new MeasuredRows(rows.take(count), first + from, ends, weigh);
        } finally {
            rows.release();
        }
    }
}
