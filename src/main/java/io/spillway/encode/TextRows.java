package io.spillway.encode;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.SpillwayException;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Rows as text (UTF-8) in the form that a {@link RowSyntax} tells, written a column at a time over
 * blocks of rows:
 *
 * <pre>
 *   1  prepare   how many rows fit a block; texts of dictionary entries that are met first
 *   2  measure   each column makes its values' texts and adds their lengths to the rows'
 *   3  write     rows get their places; each column copies its texts to the rows' ends, by words
 * </pre>
 *
 * <p>Neighbouring columns with dictionaries of few values are written as one ({@link Folding}).
 *
 * <p>Integers and decimals have all their digits, decimals their full scale and no exponent;
 * floating-point numbers are the shortest decimal that reads back as the same bits; dates, times
 * and timestamps are RFC 3339 with every digit of their unit; binary is base64; text is escaped
 * only where the form asks for it. The implementations of {@link ValueText} have the particulars.
 *
 * <p>The rows go straight to the memory that the chunk will have. On the heap are where they end;
 * the block's values, {@value #BLOCK_BYTES} bytes, and their texts, about as much, and 700 KiB at
 * worst (every byte an escape, or 64 columns of decimals); and at most {@value #DICTIONARY_BYTES}
 * bytes of dictionary entries' texts, alone and joined. Nested columns keep a window of texts for
 * each leaf, together 2 MiB at worst, or 2 KiB a leaf if there are over a thousand. A row longer
 * than a chunk takes up to two and a half times its length while it is encoded.
 */
final class TextRows {

    /** Bytes of text and binary values that a block of rows may have; larger rows go alone. */
    static final int BLOCK_BYTES = 32 << 10;

    /** All columns' texts of dictionary entries together. */
    static final int DICTIONARY_BYTES = 4 << 20;

    /** Values of a block, over all columns. */
    private static final int BLOCK_VALUES = 8 << 10;

    private static final int LEAST_WINDOW = 8;

    /** No row goes where so small a part of a chunk is left. */
    private static final int CHUNK_REST = 64;

    /**
     * Rows more than are likely to fit: two too many cost less than a block for one that is left.
     */
    private static final int MORE_ROWS = 2;

    private final TextColumn[] columns;
    private final Folding folding;
    private final byte[] open;
    private final byte[] close;
    private final int blockRows;
    private final int[] lengths;
    private final int[] ends;
    private final Scratch scratch = new Scratch();
    private final int chunkBytes;
    private final RowMemory rows;
    private int[] rowEnds;

    /** A row whose values are too large for a block, while it is made. */
    private final TextBuffer large = new TextBuffer(0);

    /** The columns of the batch in hand, as they are written. */
    private TextColumn[] arranged;

    /** What a row lately took; decides on the size of blocks alone, not on where chunks end. */
    private long meanRow = BatchEncoders.CHUNK_BYTES / (ValueBlock.ROWS / 2);

    /** Bytes of the chunk that are kept free. */
    private int besides;

    /** Whether no more rows go into the chunk. */
    private boolean full;

    /**
     * @param bufferBytes rows end before they would take more, slack included, unless a single one
     *     does
     */
    TextRows(RowSchema schema, RowSyntax syntax, int bufferBytes) {
        chunkBytes = bufferBytes - TextBuffer.SLACK;
        rows = new RowMemory(chunkBytes);
        open = syntax.open();
        close = syntax.close();
        int n = schema.size();
        blockRows = Math.clamp(BLOCK_VALUES / Math.max(1, n), 1, ValueBlock.ROWS);
        lengths = new int[blockRows];
        ends = new int[blockRows];
        rowEnds = new int[blockRows];
        columns = new TextColumn[n];
        TextBudget budget = new TextBudget(DICTIONARY_BYTES);
        int window = window(schema);
        for (int i = 0; i < n; i++) {
            ColumnSchema column = schema.column(i);
            columns[i] =
                    column.type().isNested()
                            ? new NestedColumn(
                                    i, syntax.key(i), blockRows, syntax.nested(column, window))
                            : new FlatColumn(
                                    i, syntax.key(i), blockRows, syntax.flat(column), budget);
        }
        folding = new Folding(columns, blockRows, budget);
        arranged = columns;
    }

    /** How many values each leaf of a nested column keeps the texts of. */
    private static int window(RowSchema schema) {
        long leaves = 0;
        for (ColumnSchema column : schema.columns()) {
            leaves += NestedText.leaves(column.type());
        }
        return Math.clamp(BLOCK_VALUES / Math.max(1, leaves), LEAST_WINDOW, ValueBlock.ROWS);
    }

    /** Where the rows' texts are, one behind the other, if there are any. */
    long address() {
        return rows.address();
    }

    /**
     * The rows as a chunk, the caller's.
     *
     * @param count as {@link #fill} gave it
     */
    EncodedChunk take(int count) {
        return rows.take(count);
    }

    /** Where a row ends, the first being number 0. */
    int end(int row) {
        return rowEnds[row];
    }

    /**
     * Makes the texts of rows {@code [from, to)}, and stops early if they grow large. They are
     * there until they are {@linkplain #take taken} or {@linkplain #release released}.
     *
     * @param besides bytes that the caller puts in front of or behind the rows, for which room is
     *     left
     * @param around the same for each row
     * @param allocator for the rows' memory
     * @return how many; at least one if there is any
     * @throws SpillwayException for a value that has no text, naming column and row
     */
    int fill(
            RecordBatch batch,
            int from,
            int to,
            int besides,
            int around,
            BufferAllocator allocator) {
        rows.begin(allocator);
        this.besides = besides;
        full = false;
        arranged = folding.arrange(batch);
        int made = 0;
        while (from + made < to && !full) {
            long room = chunkBytes - besides - rows.end - (long) around * made;
            int likely = Math.clamp(room / meanRow + MORE_ROWS, 1, blockRows);
            int done = block(batch, from + made, Math.min(likely, to - from - made), made, around);
            if (done > 0) {
                keepEnds(made, done);
                made += done;
                meanRow = Math.max(1, rows.end / made + around);
            }
        }
        return made;
    }

    private void keepEnds(int row, int count) {
        if (row + count > rowEnds.length) {
            rowEnds = Arrays.copyOf(rowEnds, 2 * (row + count));
        }
        System.arraycopy(ends, 0, rowEnds, row, count);
    }

    /**
     * Encodes up to {@code most} rows.
     *
     * @param made rows that the chunk has
     * @return how many; fewer than were looked at only if the chunk is full then
     */
    private int block(RecordBatch batch, int row, int most, int made, int around) {
        int count = prepare(batch, row, most);
        if (count == 0) {
            full = true;
            return made == 0 ? large(batch, row) : 0;
        }
        Arrays.fill(lengths, 0, count, columns.length == 0 ? open.length : 0);
        Literals.clear(scratch.texts);
        for (TextColumn column : arranged) {
            column.measure(batch, row, count, scratch, lengths);
        }
        int fitting = place(count, made, around);
        if (fitting > 0) {
            write(fitting);
        }
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
            for (TextColumn column : arranged) {
                bytes += column.prepare(batch, row, count, scratch);
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

    /**
     * Gives rows their places behind what is there, as long as there is room. The first row of a
     * chunk always has some; where a chunk ends follows from its rows alone, not from blocks.
     */
    private int place(int count, int made, int around) {
        long end = rows.end;
        long framing = besides + (long) around * made;
        for (int r = 0; r < count; r++) {
            long next = end + lengths[r] + close.length;
            if (made + r == 0) {
                rows.reserve(next);
            } else if (end + framing > chunkBytes - chunkBytes / CHUNK_REST
                    || next + framing + around > chunkBytes) {
                full = true;
                return r;
            }
            ends[r] = (int) end;
            end = next;
            framing += around;
        }
        return count;
    }

    private void write(int count) {
        long out = rows.address();
        if (columns.length == 0) {
            for (int r = 0; r < count; r++) {
                OffHeap.write(open, 0, out + ends[r], open.length);
                ends[r] += open.length;
            }
        }
        int follows = close.length;
        for (int c = arranged.length - 1; c >= 0; c--) {
            follows = arranged[c].follow(follows);
        }
        for (TextColumn column : arranged) {
            column.write(scratch, count, out, ends);
        }
        for (int r = 0; r < count; r++) {
            int end = ends[r];
            for (byte b : close) {
                OffHeap.putByte(out + end++, b);
            }
            ends[r] = end;
        }
        rows.end = ends[count - 1];
    }

    private int large(RecordBatch batch, int row) {
        large.end = 0;
        for (TextColumn column : columns) {
            column.writeLarge(batch, row, scratch, large);
        }
        large.append(close);
        rows.set(large);
        ends[0] = rows.end;
        return 1;
    }

    /** Gives back rows that were not taken, and what a large one took. */
    void release() {
        rows.close();
        large.trim(chunkBytes);
    }
}
