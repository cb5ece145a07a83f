package io.spillway.scan.parquet.column;

import io.spillway.batch.OffHeap;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.parquet.bytes.Levels;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.footer.ColumnNode;
import io.spillway.scan.parquet.page.Page;
import io.spillway.scan.parquet.page.PageInfo;
import io.spillway.scan.parquet.value.RunReader;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.parquet.format.Encoding;
import org.jspecify.annotations.Nullable;

/**
 * The levels of one leaf's entries, a step of a page at a time, each a byte: decoded in bulk, then
 * used up from the front.
 */
public final class LevelBuffer implements AutoCloseable {

    /** Entries of a step; both kinds of levels with their padding fill what is allocated. */
    public static final int STEP = (4 << 10) - Levels.PADDING;

    private static final int PART = STEP + Levels.PADDING;

    private final ColumnNode.Leaf leaf;
    private final Place place;
    private final RunReader definitionRuns;
    private final RunReader repetitionRuns;
    private final BufferAllocator allocator;
    private @Nullable ArrowBuf levels;

    /** Entries of the page that are not decoded yet. */
    private int pageLeft;

    /** Entries of the step that are used, and all of them. */
    private int used;

    private int decoded;

    LevelBuffer(ColumnNode.Leaf leaf, BufferAllocator allocator, Place place) {
        this.leaf = leaf;
        this.place = place;
        this.definitionRuns = new RunReader(place);
        this.repetitionRuns = new RunReader(place);
        this.allocator = allocator;
    }

    /** Begins a page, after all entries of the one before it, and takes its levels. */
    void start(Page page, PageInfo info) {
        used = 0;
        decoded = 0;
        pageLeft = info.values();
        int repetition = leaf.repetition();
        int definition = leaf.presentAt();
        if (info.kind() == PageInfo.Kind.DATA_V2) {
            int bytes = info.repetitionBytes();
            start(repetitionRuns, repetition, page.take(bytes), bytes);
            bytes = info.levelBytes() - bytes;
            start(definitionRuns, definition, page.take(bytes), bytes);
            return;
        }
        if (repetition > 0) {
            int bytes = length(page, info.repetitionEncoding());
            start(repetitionRuns, repetition, page.take(bytes), bytes);
        }
        if (definition > 0) {
            int bytes = length(page, info.levelEncoding());
            start(definitionRuns, definition, page.take(bytes), bytes);
        }
    }

    private int length(Page page, @Nullable Encoding encoding) {
        if (encoding != Encoding.RLE) {
            throw place.notSupported("Levels in encoding " + encoding);
        }
        return OffHeap.getInt(page.take(Integer.BYTES));
    }

    private static void start(RunReader runs, int highest, long at, int bytes) {
        runs.reset(at, at + bytes, Integer.SIZE - Integer.numberOfLeadingZeros(highest));
    }

    /** Whether all entries of the page are used. */
    boolean isEmpty() {
        return used == decoded && pageLeft == 0;
    }

    /** Decodes the next step, if the last one is used up. */
    void decode() {
        if (used < decoded) {
            return;
        }
        int count = Math.min(pageLeft, STEP);
        if (leaf.repetition() > 0) {
            repetitionRuns.levels(repetitions(0), count, leaf.repetition());
        }
        if (leaf.presentAt() > 0) {
            definitionRuns.levels(definitions(0), count, leaf.presentAt());
        }
        pageLeft -= count;
        used = 0;
        decoded = count;
    }

    /** Entries of the step that are not used yet. */
    int left() {
        return decoded - used;
    }

    void use(int entries) {
        used += entries;
    }

    private long definitions(int entry) {
        return buffer() + entry;
    }

    private long repetitions(int entry) {
        return buffer() + PART + entry;
    }

    private long buffer() {
        ArrowBuf buffer = levels;
        if (buffer == null) {
            buffer = Buffers.allocate(allocator, 2L * PART);
            levels = buffer;
        }
        return buffer.memoryAddress();
    }

    /** Definition levels from the next entry on. */
    long definitions() {
        return definitions(used);
    }

    /** Repetition levels from the next entry on; undefined if the leaf has none. */
    long repetitions() {
        return repetitions(used);
    }

    /** Whether the next entry begins a row. */
    boolean atRow() {
        return leaf.repetition() == 0 || OffHeap.getByte(repetitions()) == 0;
    }

    /** How many of the next entries have values. */
    int values(int entries) {
        return Levels.countAtLeast(definitions(), entries, leaf.presentAt());
    }

    /** How many of the next entries begin a row. */
    int rows(int entries) {
        if (leaf.repetition() == 0) {
            return entries;
        }
        return entries - Levels.countAtLeast(repetitions(), entries, 1);
    }

    /** The place among the next entries of the one that has their n-th value, counted from 0. */
    int placeOfValue(int n) {
        int before = 0;
        for (int i = 0; i < left(); i += Long.SIZE) {
            long values =
                    Levels.first(left() - i) & Levels.atLeast(definitions() + i, leaf.presentAt());
            int count = Long.bitCount(values);
            if (before + count > n) {
                return i + Levels.place(values, n - before);
            }
            before += count;
        }
        return left();
    }

    /**
     * The place among the next entries of the one that begins their n-th row, counted from 0; all
     * that are left if there is none.
     */
    int placeOfRow(long n) {
        if (leaf.repetition() == 0) {
            return (int) Math.min(n, left());
        }
        long before = 0;
        for (int i = 0; i < left(); i += Long.SIZE) {
            long rows = Levels.first(left() - i) & ~Levels.atLeast(repetitions() + i, 1);
            int count = Long.bitCount(rows);
            if (before + count > n) {
                return i + Levels.place(rows, (int) (n - before));
            }
            before += count;
        }
        return left();
    }

    @Override
    public void close() {
        if (levels != null) {
            levels.close();
            levels = null;
        }
    }
}
