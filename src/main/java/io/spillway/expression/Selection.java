package io.spillway.expression;

import java.util.Arrays;

/**
 * Some rows of a batch, in ascending order, each at most once. Belongs to whoever made it: what
 * {@link VectorPredicate#select} gives is overwritten by its next call.
 */
public final class Selection {

    private int[] rows;
    private int count;

    Selection() {
        this.rows = new int[0];
    }

    private Selection(int[] rows) {
        this.rows = rows;
        this.count = rows.length;
    }

    /**
     * A selection of its own.
     *
     * @param rows ascending, without repeats
     */
    public static Selection of(int... rows) {
        for (int i = 0; i < rows.length; i++) {
            if (rows[i] < 0 || (i > 0 && rows[i - 1] >= rows[i])) {
                throw new IllegalArgumentException("row numbers must ascend from 0");
            }
        }
        return new Selection(rows.clone());
    }

    /**
     * A selection of its own.
     *
     * @param bits of each row one, as in {@link java.util.BitSet}; set if the row is selected
     * @param rows of the batch
     */
    public static Selection of(long[] bits, int rows) {
        Selection selection = new Selection();
        selection.set(bits, rows);
        return selection;
    }

    /** Number of rows selected. */
    public int count() {
        return count;
    }

    /** The {@code i}-th selected row. */
    public int row(int i) {
        return rows[i];
    }

    /** The selected rows; only the first {@link #count()} elements mean anything. Not a copy. */
    int[] rows() {
        return rows;
    }

    /** Every row of a batch. */
    static Selection all(int total) {
        int[] rows = new int[total];
        for (int i = 0; i < total; i++) {
            rows[i] = i;
        }
        return new Selection(rows);
    }

    /** Those of the selected rows whose bit is set, by their position in the selection. */
    Selection where(long[] bits) {
        return part(bits, 1);
    }

    /** Those of the selected rows whose bit is clear, by their position in the selection. */
    Selection whereNot(long[] bits) {
        return part(bits, 0);
    }

    private Selection part(long[] bits, long wanted) {
        Selection part = new Selection(new int[count]);
        int n = 0;
        for (int i = 0; i < count; i++) {
            part.rows[n] = rows[i];
            n += (bits[i >>> 6] >>> i & 1) == wanted ? 1 : 0;
        }
        part.count = n;
        return part;
    }

    /** Becomes the rows whose bit is set. */
    void set(long[] bits, int total) {
        if (rows.length < total) {
            rows = new int[total];
        }
        int n = 0;
        for (int w = 0; w < Bits.words(total); w++) {
            long left = bits[w];
            int base = w << 6;
            if (left == -1L) {
                for (int i = 0; i < 64; i++) {
                    rows[n++] = base + i;
                }
                continue;
            }
            while (left != 0) {
                rows[n++] = base + Long.numberOfTrailingZeros(left);
                left &= left - 1;
            }
        }
        count = n;
    }

    @Override
    public String toString() {
        return Arrays.toString(Arrays.copyOf(rows, count));
    }
}
