package io.spillway.operator.key;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Turns the key columns of batches into one byte string a row, column by column; the entries of a
 * dictionary are encoded once, for as long as batches bring the same one.
 *
 * <p>There are two kinds. <b>Ordered</b> keys compare, as unsigned bytes, as the rows do, and none
 * is a prefix of another that differs. <b>Equal</b> keys are shorter and sooner made, and only tell
 * rows with equal keys from others. In both NULL is a value of its own, NaN equals itself and is
 * the greatest number, −0.0 equals 0.0, and texts compare by their UTF-8 bytes.
 *
 * <pre>
 *   ordered  null       0 or 2 before all values' 1, or after them
 *            numbers    1, then big-endian, the sign's bit turned round
 *            bytes      1, then the bytes, each 0 as 0 255, then 0 1
 *            list       1, then the elements so written, then 0: shorter first where equal so far
 *            struct     1, then field by field
 *            descending all after the first byte turned round bit by bit
 *   equal    null       0
 *            numbers    1, then as above
 *            bytes      1, then length and bytes
 *            list, map  1, then number of elements and elements, in their order
 * </pre>
 *
 * Inside nested values nulls are the greatest, as in PostgreSQL. A column that cannot be null has
 * no first byte. The escape of zeros is CockroachDB's (its {@code util/encoding}).
 *
 * <p>Not thread-safe. Closing frees what is kept of dictionaries; keys belong to who asked for
 * them.
 */
public final class KeyEncoder implements AutoCloseable {

    private final List<KeyColumn> columns;
    private final int[] positions;
    private final int width;
    private final BufferAllocator allocator;
    private int[] ends = new int[0];

    private KeyEncoder(
            List<KeyColumn> columns, int[] positions, int width, BufferAllocator allocator) {
        this.columns = columns;
        this.positions = positions;
        this.width = width;
        this.allocator = allocator;
    }

    /**
     * An encoder of ordered keys.
     *
     * @param keys in descending significance; may be none, then all rows are equal
     * @param schema of the batches
     * @throws SpillwayException {@code TYPE_MISMATCH} for a key that is or holds a map: maps have
     *     no order
     */
    public static KeyEncoder ordered(
            List<SortKey> keys, RowSchema schema, BufferAllocator allocator) {
        int[] positions = keys.stream().mapToInt(SortKey::column).toArray();
        List<KeyColumn> columns = new ArrayList<>();
        for (SortKey key : keys) {
            ColumnSchema column = schema.column(key.column());
            requireOrder(column.type(), column.name());
            columns.add(KeyColumn.of(column, KeyForm.ordered(key)));
        }
        return new KeyEncoder(columns, positions, width(columns), allocator);
    }

    /**
     * An encoder of keys for equality. Keys of two schemas compare if their columns have the same
     * types and {@linkplain ColumnSchema#nullable() may be null} alike. Fixed keys of up to 16
     * bytes are 8 or 16 bytes wide, filled up with zeros.
     *
     * @param keys positions of columns; may be none, then all rows are equal
     * @param schema of the batches
     */
    public static KeyEncoder equal(
            List<Integer> keys, RowSchema schema, BufferAllocator allocator) {
        int[] positions = keys.stream().mapToInt(Integer::intValue).toArray();
        List<KeyColumn> columns = new ArrayList<>();
        for (int position : positions) {
            columns.add(KeyColumn.of(schema.column(position), KeyForm.equal()));
        }
        int width = width(columns);
        if (width >= 0 && width <= 2 * Long.BYTES) {
            width = width <= Long.BYTES ? Long.BYTES : 2 * Long.BYTES;
        }
        return new KeyEncoder(columns, positions, width, allocator);
    }

    private static int width(List<KeyColumn> columns) {
        int sum = 0;
        for (KeyColumn column : columns) {
            if (column.width() < 0) {
                return EncodedKeys.VARIABLE;
            }
            sum += column.width();
        }
        return sum;
    }

    private static void requireOrder(ColumnType type, String name) {
        switch (type) {
            case ColumnType.MapOf _ ->
                    throw new SpillwayException(
                                    ErrorCode.TYPE_MISMATCH,
                                    "Maps have no order: '%s' cannot be sorted by".formatted(name))
                            .with(SpillwayException.COLUMN, name);
            case ColumnType.ListOf(ColumnType element, boolean _) -> requireOrder(element, name);
            case ColumnType.Struct(List<ColumnSchema> fields) ->
                    fields.forEach(field -> requireOrder(field.type(), name));
            case ColumnType _ -> {}
        }
    }

    /** Bytes of each key, or {@link EncodedKeys#VARIABLE}. */
    public int width() {
        return width;
    }

    /**
     * The keys of a batch's rows, owned by the caller; the batch stays the caller's.
     *
     * @throws SpillwayException {@code MEMORY_LIMIT} if there is no memory for them, or they take
     *     over 2 GiB
     */
    public EncodedKeys encode(RecordBatch batch) {
        int rows = batch.rowCount();
        if (ends.length < rows) {
            ends = new int[rows];
        }
        for (int i = 0; i < columns.size(); i++) {
            columns.get(i).bind(batch.column(positions[i]), rows, allocator);
        }
        try {
            return width >= 0 ? fixed(rows) : variable(rows);
        } finally {
            columns.forEach(KeyColumn::unbind);
        }
    }

    private EncodedKeys fixed(int rows) {
        long bytes = (long) rows * width;
        requireBytes(bytes);
        ArrowBuf buffer = allocator.buffer(bytes + EncodedKeys.SLACK);
        try {
            long data = buffer.memoryAddress();
            if (columns.stream().mapToInt(KeyColumn::width).sum() < width) {
                OffHeap.zero(data, bytes);
            }
            for (int i = 0; i < rows; i++) {
                ends[i] = i * width;
            }
            for (KeyColumn column : columns) {
                column.write(rows, data, ends);
            }
            return new EncodedKeys(buffer, rows, width);
        } catch (Throwable t) {
            buffer.close();
            throw t;
        }
    }

    private EncodedKeys variable(int rows) {
        Arrays.fill(ends, 0, rows, 0);
        for (KeyColumn column : columns) {
            column.addLengths(rows, ends);
        }
        long bytes = 0;
        for (int i = 0; i < rows; i++) {
            int length = ends[i];
            requireBytes(bytes);
            ends[i] = (int) bytes;
            bytes += length;
        }
        requireBytes(bytes);
        long start = (rows + 1L) * Integer.BYTES;
        ArrowBuf buffer = allocator.buffer(start + bytes + EncodedKeys.SLACK);
        try {
            long offsets = buffer.memoryAddress();
            for (int i = 0; i < rows; i++) {
                OffHeap.putInt(offsets + 4L * i, ends[i]);
            }
            OffHeap.putInt(offsets + 4L * rows, (int) bytes);
            for (KeyColumn column : columns) {
                column.write(rows, offsets + start, ends);
            }
            return new EncodedKeys(buffer, rows, start);
        } catch (Throwable t) {
            buffer.close();
            throw t;
        }
    }

    static void requireBytes(long bytes) {
        if (bytes > Integer.MAX_VALUE - EncodedKeys.SLACK) {
            throw new SpillwayException(
                    ErrorCode.MEMORY_LIMIT, "The keys of one batch are over 2 GiB");
        }
    }

    @Override
    public void close() {
        columns.forEach(KeyColumn::close);
    }
}
