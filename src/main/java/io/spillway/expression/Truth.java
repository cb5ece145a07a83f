package io.spillway.expression;

import java.util.Arrays;

/**
 * Verdicts of three-valued logic, as two bitmaps: the rows for which a condition is true and those
 * for which it is false; the others are unknown. Bits beyond the last row are clear in both.
 */
final class Truth {

    private long[] yes = new long[0];
    private long[] no = new long[0];
    private int rows;

    /** Makes room; the bits are undefined until the caller has written every word of both. */
    void reset(int newRows) {
        rows = newRows;
        int words = Bits.words(newRows);
        if (yes.length < words) {
            yes = new long[words];
            no = new long[words];
        }
    }

    /** Makes every row unknown. */
    void clear(int newRows) {
        reset(newRows);
        Arrays.fill(yes, 0, words(), 0);
        Arrays.fill(no, 0, words(), 0);
    }

    /** Makes every row the same known verdict. */
    void fill(int newRows, boolean verdict) {
        clear(newRows);
        long[] bits = verdict ? yes : no;
        for (int w = 0; w < words(); w++) {
            bits[w] = Bits.mask(w, newRows);
        }
    }

    int rows() {
        return rows;
    }

    int words() {
        return Bits.words(rows);
    }

    long[] yes() {
        return yes;
    }

    long[] no() {
        return no;
    }

    /** Exchanges true and false. */
    void negate() {
        long[] t = yes;
        yes = no;
        no = t;
    }
}
