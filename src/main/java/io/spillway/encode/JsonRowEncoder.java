package io.spillway.encode;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;

/**
 * Rows as JSON text (RFC 8259, UTF-8), written a column at a time over blocks of rows:
 *
 * <pre>
 *   1  prepare   how many rows fit a block; texts of dictionary entries that are met first
 *   2  measure   each column makes its values' texts and adds their lengths to the rows'
 *   3  write     rows get their places; each column copies its texts to the rows' ends, by words
 * </pre>
 *
 * <p>Integers and decimals have all their digits, decimals their full scale and no exponent;
 * floating-point numbers are the shortest decimal that reads back as the same bits, NaN and the
 * infinities strings; dates, times and timestamps are RFC 3339 with every digit of their unit;
 * binary is base64; text is escaped only where JSON asks for it. The implementations of {@link
 * ValueText} have the particulars.
 *
 * <p>Memory on the heap, beside the chunks: the rows under way, {@value #CHUNK_BYTES} bytes; the
 * block's values, {@value #BLOCK_BYTES} bytes, and their texts, about as much, and 700 KiB at worst
 * (every byte an escape, or 64 columns of decimals); and at most {@value #DICTIONARY_BYTES} bytes
 * of dictionary entries' texts. Nested columns keep a window of texts for each leaf, together 2 MiB
 * at worst, or 2 KiB a leaf if there are over a thousand. A row longer than a chunk takes up to two
 * and a half times its length while it is encoded.
 */
final class JsonRowEncoder implements BatchEncoder {

    /** A chunk ends before it would be longer, unless a single row is. A power of two for Arrow. */
    static final int CHUNK_BYTES = BatchEncoders.CHUNK_BYTES;

    /** Bytes of text and binary values that a block of rows may have; larger rows go alone. */
    static final int BLOCK_BYTES = 32 << 10;

    /** All columns' texts of dictionary entries together. */
    static final int DICTIONARY_BYTES = 4 << 20;

    /** Values of a block, over all columns. */
    private static final int BLOCK_VALUES = 8 << 10;

    private static final int LEAST_WINDOW = 8;

    /** Where so little of a chunk is left, another block is not worth its while. */
    private static final int CHUNK_REST = CHUNK_BYTES / 64;

    private final JsonColumn[] columns;
    private final byte[] open;
    private final byte[] close;
    private final int blockRows;
    private final int[] lengths;
    private final int[] ends;
    private final Scratch scratch = new Scratch();
    private TextBuffer rows = new TextBuffer(CHUNK_BYTES);

    JsonRowEncoder(RowSchema schema, RowFormat format) {
        String separator =
                switch (format.layout()) {
                    case LINES -> "";
                    case ARRAY_ELEMENTS -> ",";
                };
        String end =
                switch (format.layout()) {
                    case LINES -> "\n";
                    case ARRAY_ELEMENTS -> "";
                };
        open = ascii(separator + (format.arrays() ? "[" : "{"));
        close = ascii((format.arrays() ? "]" : "}") + end);
        int n = schema.size();
        blockRows = Math.clamp(BLOCK_VALUES / Math.max(1, n), 1, ValueBlock.ROWS);
        lengths = new int[blockRows];
        ends = new int[blockRows];
        columns = new JsonColumn[n];
        TextBudget budget = new TextBudget(DICTIONARY_BYTES);
        int window = window(schema);
        int follows = close.length;
        for (int i = n - 1; i >= 0; i--) {
            byte[] name =
                    format.arrays()
                            ? new byte[0]
                            : concat(JsonText.quoted(schema.column(i).name()), ascii(":"));
            byte[] key = concat(i == 0 ? open : ascii(","), name);
            columns[i] = column(key, follows, schema.column(i), format, window, budget);
            // A value has at least one byte.
            follows += key.length + 1;
        }
    }

    /** How many values each leaf of a nested column keeps the texts of. */
    private static int window(RowSchema schema) {
        long leaves = 0;
        for (ColumnSchema column : schema.columns()) {
            leaves += NestedText.leaves(column.type());
        }
        return Math.clamp(BLOCK_VALUES / Math.max(1, leaves), LEAST_WINDOW, ValueBlock.ROWS);
    }

    private JsonColumn column(
            byte[] key,
            int follows,
            ColumnSchema schema,
            RowFormat format,
            int window,
            TextBudget budget) {
        String name = schema.name();
        ColumnType type = schema.type();
        return type.isNested()
                ? new NestedColumn(
                        key, follows, blockRows, NestedText.of(name, type, format, window))
                : new FlatColumn(key, follows, blockRows, ValueText.of(name, type, format), budget);
    }

    @Override
    public EncodedChunk encode(RecordBatch batch, int from, int to, BufferAllocator allocator) {
        Objects.checkFromToIndex(from, to, batch.rowCount());
        rows.end = 0;
        // Learnt anew for each chunk: where a chunk ends must not depend on what was encoded
        // before.
        int meanRow = CHUNK_BYTES / ValueBlock.ROWS;
        try {
            int row = from;
            while (row < to) {
                int room = CHUNK_BYTES - rows.end;
                if (row > from && room < Math.max(CHUNK_REST, meanRow)) {
                    break;
                }
                int most = Math.min(Math.min(blockRows, to - row), Math.max(1, room / meanRow));
                int done = block(batch, row, most);
                if (done == 0) {
                    break;
                }
                row += done;
                meanRow = Math.max(1, rows.end / (row - from));
            }
            return chunk(row - from, allocator);
        } finally {
            trim();
        }
    }

    /**
     * Encodes up to {@code most} rows.
     *
     * @return how many; 0 if not even one fits behind the rows that are there
     */
    private int block(RecordBatch batch, int row, int most) {
        int count = prepare(batch, row, most);
        if (count == 0) {
            return rows.end == 0 ? large(batch, row) : 0;
        }
        Arrays.fill(lengths, 0, count, columns.length == 0 ? open.length : 0);
        Literals.clear(scratch.texts);
        for (int c = 0; c < columns.length; c++) {
            columns[c].measure(batch.column(c), row, count, scratch, lengths);
        }
        int fitting = place(count);
        if (fitting == 0) {
            if (rows.end > 0) {
                return 0;
            }
            rows.reserve((long) lengths[0] + close.length);
            fitting = place(1);
        }
        write(fitting);
        return fitting;
    }

    /**
     * Has the columns look at the rows.
     *
     * @return how many rows make a block; 0 if the first is too large for one
     */
    private int prepare(RecordBatch batch, int row, int most) {
        int count = most;
        while (true) {
            long bytes = 0;
            for (int c = 0; c < columns.length; c++) {
                bytes += columns[c].prepare(batch.column(c), row, count, scratch);
            }
            if (bytes <= BLOCK_BYTES) {
                return count;
            }
            if (count == 1) {
                return 0;
            }
            count = Math.clamp(count * (long) BLOCK_BYTES / bytes, 1, count - 1);
        }
    }

    /** Gives rows their places behind what is there, as long as there is room. */
    private int place(int count) {
        long end = rows.end;
        for (int r = 0; r < count; r++) {
            ends[r] = (int) end;
            end += lengths[r] + close.length;
            if (end > rows.capacity()) {
                return r;
            }
        }
        return count;
    }

    private void write(int count) {
        byte[] out = rows.bytes;
        if (columns.length == 0) {
            for (int r = 0; r < count; r++) {
                System.arraycopy(open, 0, out, ends[r], open.length);
                ends[r] += open.length;
            }
        }
        for (JsonColumn column : columns) {
            column.write(scratch, count, out, ends);
        }
        for (int r = 0; r < count; r++) {
            int end = ends[r];
            for (byte b : close) {
                out[end++] = b;
            }
            ends[r] = end;
        }
        rows.end = ends[count - 1];
    }

    private int large(RecordBatch batch, int row) {
        for (int c = 0; c < columns.length; c++) {
            columns[c].writeLarge(batch.column(c), row, scratch, rows);
        }
        rows.append(close);
        return 1;
    }

    private EncodedChunk chunk(int count, BufferAllocator allocator) {
        ArrowBuf buffer;
        try {
            buffer = allocator.buffer(rows.end);
        } catch (OutOfMemoryException e) {
            throw new SpillwayException(
                    ErrorCode.MEMORY_LIMIT,
                    "%,d bytes of text do not fit %s".formatted(rows.end, allocator.getName()),
                    e);
        }
        buffer.setBytes(0, rows.bytes, 0, rows.end);
        return new EncodedChunk(buffer, rows.end, count);
    }

    /** Gives back what a row larger than usual took. */
    private void trim() {
        if (rows.capacity() > CHUNK_BYTES) {
            rows = new TextBuffer(CHUNK_BYTES);
        }
    }

    /** Buffers are on the heap: there is nothing to free. */
    @Override
    public void close() {}

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
