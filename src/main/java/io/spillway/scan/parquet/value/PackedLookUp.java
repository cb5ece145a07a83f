package io.spillway.scan.parquet.value;

import io.spillway.batch.OffHeap;
import io.spillway.scan.bytes.Bits;
import java.util.Arrays;

/**
 * Looks bit-packed indices up as it unpacks them, so that of each there is never more than a bit.
 *
 * <p>A table has 0 or 1 for each index, and {@link #OUTSIDE} behind them up to a power of two.
 */
public final class PackedLookUp {

    /** The one negative number. */
    private static final byte OUTSIDE = Byte.MIN_VALUE;

    /** So wide that four indices, from any bit of a byte on, lie in one word. */
    private static final int MOST_WIDTH_OF_FOUR = 14;

    private PackedLookUp() {}

    /**
     * A table.
     *
     * @param ones the indices that have a 1, as in {@link java.util.BitSet}
     * @param size how many there are, below a quarter of all integers
     */
    public static byte[] table(long[] ones, int size) {
        byte[] table = new byte[size <= 1 ? 1 : Integer.highestOneBit(size - 1) << 1];
        for (int i = 0; i < size; i++) {
            table[i] = (byte) (ones[i / Long.SIZE] >>> i & 1);
        }
        Arrays.fill(table, size, table.length, OUTSIDE);
        return table;
    }

    /** What one index has, or a negative number if it has nothing. */
    static int one(byte[] table, long index) {
        return index >= 0 && index < table.length ? table[(int) index] : OUTSIDE;
    }

    /**
     * Looks indices up. May read up to 8 bytes behind the last.
     *
     * @param base address of the run's first byte
     * @param fromBit the first index's bit
     * @param width bits of an index, at least 1
     * @param bitmap where to put what they have, from bit {@code toBit} on
     * @return negative if one of them has nothing
     */
    static int all(
            byte[] table, long base, long fromBit, int width, int count, long bitmap, long toBit) {
        long mask = (1L << width) - 1;
        int all = 0;
        long bit = fromBit;
        int i = 0;
        if (width <= MOST_WIDTH_OF_FOUR && 1 << width == table.length) {
            for (; i + Long.SIZE <= count; i += Long.SIZE) {
                long word = 0;
                for (int k = 0; k < Long.SIZE; k += 16, bit += 16L * width) {
                    int sixteen =
                            four(table, base, bit, width)
                                    | four(table, base, bit + 4L * width, width) << 4
                                    | four(table, base, bit + 8L * width, width) << 8
                                    | four(table, base, bit + 12L * width, width) << 12;
                    all |= sixteen;
                    word |= (sixteen & 0xFFFFL) << k;
                }
                Bits.append(bitmap, toBit + i, word, Long.SIZE);
            }
        }
        for (; i < count; i++, bit += width) {
            int one = one(table, OffHeap.getLong(base + (bit >>> 3)) >>> (bit & 7) & mask);
            all |= one;
            Bits.append(bitmap, toBit + i, one & 1, 1);
        }
        return all;
    }

    /** What four indices have, of a width that the table is just as long as. */
    private static int four(byte[] table, long base, long bit, int width) {
        long word = OffHeap.getLong(base + (bit >>> 3)) >>> (bit & 7);
        int mask = table.length - 1;
        return table[(int) word & mask]
                | table[(int) (word >>> width) & mask] << 1
                | table[(int) (word >>> (2 * width)) & mask] << 2
                | table[(int) (word >>> (3 * width)) & mask] << 3;
    }
}
