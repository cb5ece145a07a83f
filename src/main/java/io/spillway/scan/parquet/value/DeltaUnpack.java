package io.spillway.scan.parquet.value;

import io.spillway.batch.OffHeap;

/**
 * Running sums of bit-packed deltas. As many deltas are taken from one word as it surely holds,
 * wherever in a byte the first begins.
 */
final class DeltaUnpack {

    /** Up to so many bits four deltas, two, or one, are in a word with up to 7 bits before them. */
    private static final int FOUR = (Long.SIZE - 7) / 4;

    private static final int TWO = (Long.SIZE - 7) / 2;
    private static final int ONE = Long.SIZE - 7;

    private DeltaUnpack() {}

    /**
     * Writes sums of 8 bytes each.
     *
     * @param base where the bits start
     * @param least what is added to each delta
     * @param before the sum before the first
     * @return the last sum
     */
    static long longs(
            long base, long fromBit, int width, long least, long before, long out, int count) {
        long sum = before;
        long bit = fromBit;
        long mask = mask(width);
        int i = 0;
        if (width == 0) {
            for (; i < count; i++) {
                sum += least;
                OffHeap.putLong(out + 8L * i, sum);
            }
        } else if (width <= FOUR) {
            for (; i + 4 <= count; i += 4, bit += 4L * width) {
                long word = OffHeap.getLong(base + (bit >>> 3)) >>> (bit & 7);
                long a = (word & mask) + least;
                long b = (word >>> width & mask) + least;
                long c = (word >>> (2 * width) & mask) + least;
                long d = (word >>> (3 * width) & mask) + least;
                long to = out + 8L * i;
                OffHeap.putLong(to, sum + a);
                OffHeap.putLong(to + 8, sum + (a + b));
                OffHeap.putLong(to + 16, sum + (a + b + c));
                sum += a + b + (c + d);
                OffHeap.putLong(to + 24, sum);
            }
        } else if (width <= TWO) {
            for (; i + 2 <= count; i += 2, bit += 2L * width) {
                long word = OffHeap.getLong(base + (bit >>> 3)) >>> (bit & 7);
                long a = (word & mask) + least;
                long b = (word >>> width & mask) + least;
                OffHeap.putLong(out + 8L * i, sum + a);
                sum += a + b;
                OffHeap.putLong(out + 8L * i + 8, sum);
            }
        }
        for (; i < count; i++, bit += width) {
            sum += delta(base, bit, width, mask) + least;
            OffHeap.putLong(out + 8L * i, sum);
        }
        return sum;
    }

    /** As {@link #longs}, but writes only the low 4 bytes of each sum. */
    static long ints(
            long base, long fromBit, int width, long least, long before, long out, int count) {
        long sum = before;
        long bit = fromBit;
        long mask = mask(width);
        int i = 0;
        if (width == 0) {
            for (; i < count; i++) {
                sum += least;
                OffHeap.putInt(out + 4L * i, (int) sum);
            }
        } else if (width <= FOUR) {
            for (; i + 4 <= count; i += 4, bit += 4L * width) {
                long word = OffHeap.getLong(base + (bit >>> 3)) >>> (bit & 7);
                long a = (word & mask) + least;
                long b = (word >>> width & mask) + least;
                long c = (word >>> (2 * width) & mask) + least;
                long d = (word >>> (3 * width) & mask) + least;
                long to = out + 4L * i;
                OffHeap.putLong(to, pair(sum + a, sum + (a + b)));
                long third = sum + (a + b + c);
                sum += a + b + (c + d);
                OffHeap.putLong(to + 8, pair(third, sum));
            }
        } else if (width <= TWO) {
            for (; i + 2 <= count; i += 2, bit += 2L * width) {
                long word = OffHeap.getLong(base + (bit >>> 3)) >>> (bit & 7);
                long a = (word & mask) + least;
                long b = (word >>> width & mask) + least;
                long first = sum + a;
                sum += a + b;
                OffHeap.putLong(out + 4L * i, pair(first, sum));
            }
        }
        for (; i < count; i++, bit += width) {
            sum += delta(base, bit, width, mask) + least;
            OffHeap.putInt(out + 4L * i, (int) sum);
        }
        return sum;
    }

    /** The sum of deltas. */
    static long sum(long base, long fromBit, int width, int count) {
        long sum = 0;
        if (width > 0) {
            long mask = mask(width);
            long bit = fromBit;
            for (int i = 0; i < count; i++, bit += width) {
                sum += delta(base, bit, width, mask);
            }
        }
        return sum;
    }

    private static long pair(long low, long high) {
        return (low & 0xFFFFFFFFL) | high << Integer.SIZE;
    }

    private static long mask(int width) {
        return width == Long.SIZE ? -1 : (1L << width) - 1;
    }

    private static long delta(long base, long bit, int width, long mask) {
        long address = base + (bit >>> 3);
        int shift = (int) bit & 7;
        long word = OffHeap.getLong(address) >>> shift;
        if (width > ONE) {
            word |= (long) OffHeap.getUnsignedByte(address + 8) << 1 << (Long.SIZE - 1 - shift);
        }
        return word & mask;
    }
}
