package io.spillway.rows;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.execution.OrderedPartitions;
import java.util.List;

/** What a batch usually takes in memory, judged from its schema. */
public final class BatchSize {

    /** Texts and binary values have no width; this is a usual one, offsets included. */
    private static final int USUAL_TEXT = 32;

    /** Nor have lists and maps a usual length; inside one another they are not longer still. */
    private static final int USUAL_ELEMENTS = 8;

    private BatchSize() {}

    /**
     * Bytes of batches that wait for a consumer at most, be it ever so slow, if its rows are of
     * usual size, with the one that it has in hand.
     */
    public static long bytesAhead(RowSchema schema, int batchRows, int parallelism) {
        return OrderedPartitions.bytesAhead(parallelism)
                + (parallelism + 1L) * estimate(schema, batchRows);
    }

    /** Bytes of a batch of {@code rows} rows in plain form; Arrow's buffers are powers of two. */
    static long estimate(RowSchema schema, int rows) {
        long sum = 0;
        for (ColumnSchema column : schema.columns()) {
            sum += estimate(column.type(), rows, USUAL_ELEMENTS);
        }
        return sum;
    }

    /**
     * Bytes of a vector and its children.
     *
     * @param elements of each list or map
     */
    private static long estimate(ColumnType type, long values, int elements) {
        long own = buffer(values * width(type)) + buffer(values / 8 + 1L);
        return own
                + switch (type) {
                    case ColumnType.ListOf(ColumnType element, boolean _) ->
                            estimate(element, values * elements, 1);
                    case ColumnType.MapOf(ColumnType key, ColumnType value, boolean _) ->
                            estimate(key, values * elements, 1)
                                    + estimate(value, values * elements, 1);
                    case ColumnType.Struct(List<ColumnSchema> fields) ->
                            fields.stream()
                                    .mapToLong(f -> estimate(f.type(), values, elements))
                                    .sum();
                    case ColumnType _ -> 0;
                };
    }

    private static long buffer(long bytes) {
        return bytes <= 1 ? bytes : Long.highestOneBit(bytes - 1) << 1;
    }

    private static int width(ColumnType type) {
        return switch (type) {
            case ColumnType.Bool() -> 1;
            // A dictionary's indices take four bytes, be the values narrower.
            case ColumnType.Int(int bits, boolean _) -> Math.max(bits, Integer.SIZE) / Byte.SIZE;
            case ColumnType.FloatingPoint(int bits) -> Math.max(bits, Integer.SIZE) / Byte.SIZE;
            case ColumnType.Decimal _ -> 16;
            case ColumnType.Utf8 _, ColumnType.Binary _ -> USUAL_TEXT;
            case ColumnType.FixedBinary(int width) -> Math.max(width, Integer.BYTES);
            case ColumnType.Date _ -> Integer.BYTES;
            case ColumnType.Time _, ColumnType.Timestamp _ -> Long.BYTES;
            case ColumnType.ListOf _, ColumnType.MapOf _ -> Integer.BYTES;
            case ColumnType.Struct _ -> 0;
        };
    }
}
