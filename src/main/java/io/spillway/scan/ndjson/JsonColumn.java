package io.spillway.scan.ndjson;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import io.spillway.scan.bytes.Bits;
import io.spillway.scan.bytes.Buffers;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A column that values are appended to: {@link #start}, then as many values as there are, then
 * {@link #finish} or {@link #close}.
 */
abstract sealed class JsonColumn implements AutoCloseable
        permits JsonFixedColumn, JsonListColumn, JsonStructColumn, JsonTextColumn {

    final ColumnSchema column;
    final BufferAllocator allocator;
    private @Nullable ArrowBuf validity;
    private int count;
    private int nulls;

    JsonColumn(ColumnSchema column, BufferAllocator allocator) {
        this.column = column;
        this.allocator = allocator;
    }

    static JsonColumn of(ColumnSchema column, BufferAllocator allocator) {
        return switch (column.type()) {
            case ColumnType.Utf8 _ -> new JsonTextColumn(column, allocator);
            case ColumnType.ListOf list -> new JsonListColumn(column, list, allocator);
            case ColumnType.Struct struct -> new JsonStructColumn(column, struct, allocator);
            case ColumnType.Bool _,
                    ColumnType.Int _,
                    ColumnType.FloatingPoint _,
                    ColumnType.Decimal _,
                    ColumnType.Date _,
                    ColumnType.Time _,
                    ColumnType.Timestamp _ ->
                    new JsonFixedColumn(column, allocator);
            case ColumnType.Binary _, ColumnType.FixedBinary _, ColumnType.MapOf _ ->
                    throw new IllegalArgumentException(column.type() + " is not read from JSON");
        };
    }

    /** Values so far. */
    final int count() {
        return count;
    }

    /** Begins with no values and room for some. */
    void start(int values) {
        count = 0;
        nulls = 0;
        validity = grown(validity, Math.max(Long.BYTES, Bits.bytes(values)));
    }

    final void appendNull() {
        place();
        nulls++;
        note(false);
        appendNothing();
        count++;
    }

    /**
     * Appends a value that is not null.
     *
     * @param parser at its first token; left at its last
     */
    final void append(JsonRows rows, JsonParser parser, JsonToken token) {
        place();
        note(true);
        appendValue(rows, parser, token);
        count++;
    }

    /** Appends what stands in the place of a null. */
    abstract void appendNothing();

    abstract void appendValue(JsonRows rows, JsonParser parser, JsonToken token);

    /** Buffers behind the validity; the column keeps its references. */
    abstract List<ArrowBuf> buffers();

    /** Fills the vectors of what the values consist of. */
    void finishChildren(FieldVector vector) {}

    /** The vector, the caller's; the column holds nothing then. */
    final FieldVector finish() {
        FieldVector vector = column.toArrow().createVector(allocator);
        try {
            load(vector);
            return vector;
        } catch (Throwable t) {
            vector.close();
            throw t;
        } finally {
            close();
        }
    }

    final void load(FieldVector vector) {
        ArrowBuf bits = validity;
        if (bits == null) {
            throw new IllegalStateException("not started");
        }
        List<ArrowBuf> all = new ArrayList<>();
        all.add(bits);
        all.addAll(buffers());
        vector.loadFieldBuffers(new ArrowFieldNode(count, nulls), all);
        finishChildren(vector);
    }

    private void place() {
        validity = grown(validity, Math.max(Long.BYTES, Bits.bytes(count + 1L)));
    }

    private void note(boolean valid) {
        ArrowBuf bits = validity;
        if (bits != null) {
            long word = bits.memoryAddress() + (count >>> 6 << 3);
            long before = (count & 63) == 0 ? 0 : OffHeap.getLong(word);
            OffHeap.putLong(word, valid ? before | 1L << (count & 63) : before);
        }
    }

    /** A buffer with so many bytes at least, that begins with what this one holds. */
    final ArrowBuf grown(@Nullable ArrowBuf buffer, long bytes) {
        return buffer == null
                ? Buffers.allocate(allocator, bytes)
                : Buffers.grow(allocator, buffer, bytes);
    }

    @Override
    public void close() {
        ArrowBuf bits = validity;
        if (bits != null) {
            validity = null;
            bits.close();
        }
    }
}
