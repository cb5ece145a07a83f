package io.spillway.expression;

import io.spillway.batch.ColumnType;
import org.apache.arrow.vector.FieldVector;

/** Comparisons of everything that has a sort key ({@link Keys}), 64 rows a word. */
final class KeyTests {

    private KeyTests() {}

    /** With a constant of the same type. */
    static VectorTest compare(ColumnType type, Comparison comparison, Constant.Fixed constant) {
        long key = Keys.of(type, constant);
        return (values, rows, scratch, bits) -> {
            for (int from = 0; from < rows; from += Scratch.BLOCK) {
                int count = Math.min(Scratch.BLOCK, rows - from);
                Keys.load(values, type, from, count, scratch, scratch.left);
                for (int at = 0; at < count; at += 64) {
                    int end = Math.min(at + 64, count);
                    long[] x = scratch.left;
                    bits[(from + at) >>> 6] =
                            switch (comparison) {
                                case EQUAL -> equal(x, key, at, end);
                                case NOT_EQUAL -> ~equal(x, key, at, end);
                                case LESS -> less(x, key, at, end);
                                case LESS_OR_EQUAL -> lessOrEqual(x, key, at, end);
                                case GREATER -> ~lessOrEqual(x, key, at, end);
                                case GREATER_OR_EQUAL -> ~less(x, key, at, end);
                            };
                }
            }
        };
    }

    /** Of two columns of one type. */
    static PairTest compare(ColumnType type, Comparison comparison) {
        return (left, right, rows, scratch, bits) ->
                comparePairs(type, comparison, left, right, rows, scratch, bits);
    }

    private static void comparePairs(
            ColumnType type,
            Comparison comparison,
            FieldVector left,
            FieldVector right,
            int rows,
            Scratch scratch,
            long[] bits) {
        long[] x = scratch.left;
        long[] y = scratch.right;
        for (int from = 0; from < rows; from += Scratch.BLOCK) {
            int count = Math.min(Scratch.BLOCK, rows - from);
            Keys.load(left, type, from, count, scratch, x);
            Keys.load(right, type, from, count, scratch, y);
            for (int at = 0; at < count; at += 64) {
                int end = Math.min(at + 64, count);
                bits[(from + at) >>> 6] =
                        switch (comparison) {
                            case EQUAL -> equal(x, y, at, end);
                            case NOT_EQUAL -> ~equal(x, y, at, end);
                            case LESS -> less(x, y, at, end);
                            case LESS_OR_EQUAL -> ~less(y, x, at, end);
                            case GREATER -> less(y, x, at, end);
                            case GREATER_OR_EQUAL -> ~less(x, y, at, end);
                        };
            }
        }
    }

    private static long equal(long[] x, long key, int from, int to) {
        long word = 0;
        for (int i = from; i < to; i++) {
            word |= (x[i] == key ? 1L : 0L) << i;
        }
        return word;
    }

    private static long less(long[] x, long key, int from, int to) {
        long word = 0;
        for (int i = from; i < to; i++) {
            word |= (x[i] < key ? 1L : 0L) << i;
        }
        return word;
    }

    private static long lessOrEqual(long[] x, long key, int from, int to) {
        long word = 0;
        for (int i = from; i < to; i++) {
            word |= (x[i] <= key ? 1L : 0L) << i;
        }
        return word;
    }

    private static long equal(long[] x, long[] y, int from, int to) {
        long word = 0;
        for (int i = from; i < to; i++) {
            word |= (x[i] == y[i] ? 1L : 0L) << i;
        }
        return word;
    }

    private static long less(long[] x, long[] y, int from, int to) {
        long word = 0;
        for (int i = from; i < to; i++) {
            word |= (x[i] < y[i] ? 1L : 0L) << i;
        }
        return word;
    }
}
