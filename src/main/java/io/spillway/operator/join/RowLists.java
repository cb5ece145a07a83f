package io.spillway.operator.join;

import io.spillway.memory.MemoryHolding;
import org.apache.arrow.memory.BufferAllocator;

/**
 * For each key the rows that have it, in order.
 *
 * <p>Keys are numbered as they first appear: while each row has a new one, key and row have one
 * number, and nothing is kept. From the first row on that has not, the rows' keys are noted, and at
 * the end sorted by counting.
 *
 * <pre>
 *   keys by row   0 1 2 | 1 3 1        the first three need no note
 *   ends by key   1 4 5 6
 *   rows by key   0 | 1 3 5 | 2 | 4
 * </pre>
 */
final class RowLists implements AutoCloseable {

    /** In place of a key: the row has none that matches anything. */
    static final int NO_KEY = -1;

    private final RowNumbers keys;
    private final RowNumbers ends;
    private final RowNumbers rows;
    private int count;

    /** Rows before the first whose key is noted. */
    private int plain;

    private boolean unique = true;

    RowLists(BufferAllocator allocator, MemoryHolding holding) {
        this.keys = new RowNumbers(allocator, holding);
        this.ends = new RowNumbers(allocator, holding);
        this.rows = new RowNumbers(allocator, holding);
    }

    /** Number of rows. */
    int count() {
        return count;
    }

    /**
     * Adds rows.
     *
     * @param keyOf the key of each, or {@link #NO_KEY}
     * @return false if there is no memory for it
     */
    boolean add(int[] keyOf, int more) {
        if (count > Integer.MAX_VALUE - more) {
            return false;
        }
        int same = 0;
        while (unique && same < more && keyOf[same] == count + same) {
            same++;
        }
        int first = unique ? count + same : plain;
        if (same < more && !keys.reserve((long) count + more - first)) {
            return false;
        }
        if (same < more) {
            unique = false;
            plain = first;
        }
        for (int i = same; i < more; i++) {
            keys.set(count + i - plain, keyOf[i]);
        }
        count += more;
        return true;
    }

    /**
     * Sorts the rows by their keys.
     *
     * @param keyCount number of keys
     * @return false if there is no memory for it
     */
    boolean sort(int keyCount) {
        if (unique) {
            return true;
        }
        if (!ends.reserve(keyCount) || !rows.reserve(count)) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            int key = key(i);
            if (key + 1 < keyCount && key >= 0) {
                ends.set(key + 1, ends.get(key + 1) + 1);
            }
        }
        // Now where each key's rows begin; then moved on to where they end.
        for (int key = 1; key < keyCount; key++) {
            ends.set(key, ends.get(key) + ends.get(key - 1));
        }
        for (int i = 0; i < count; i++) {
            int key = key(i);
            if (key >= 0) {
                int at = ends.get(key);
                rows.set(at, i);
                ends.set(key, at + 1);
            }
        }
        keys.close();
        return true;
    }

    private int key(int row) {
        return row < plain ? row : keys.get(row - plain);
    }

    /** Whether each key has one row, of the same number. */
    boolean isUnique() {
        return unique;
    }

    /** Where a key's rows begin. */
    int start(int key) {
        return unique ? key : key == 0 ? 0 : ends.get(key - 1);
    }

    /** Where a key's rows end. */
    int end(int key) {
        return unique ? key + 1 : ends.get(key);
    }

    /** The row at a place between a key's start and its end. */
    int row(int place) {
        return unique ? place : rows.get(place);
    }

    @Override
    public void close() {
        keys.close();
        ends.close();
        rows.close();
    }
}
