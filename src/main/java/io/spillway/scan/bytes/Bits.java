package io.spillway.scan.bytes;

import io.spillway.batch.OffHeap;

/**
 * Validity bitmaps, a word of 64 bits at a time, and what follows from them: spreading values that
 * stand side by side to the places of the rows that have one.
 *
 * <p>Bitmaps that are written are 8-byte words; only words that hold a bit of the range are
 * touched. Bits are numbered from the lowest of the first byte, as in Arrow and Parquet.
 */
public final class Bits {

    private Bits() {}

    /** Bytes of a bitmap, in whole words. */
    public static long bytes(long bits) {
        return (bits + 63) >>> 6 << 3;
    }

    /** Sets bits {@code [from, from + count)} to one value. */
    public static void set(long bitmap, long from, long count, boolean one) {
        long at = from;
        long end = from + count;
        while (at < end) {
            int shift = (int) at & 63;
            long n = Math.min(64 - shift, end - at);
            long word = bitmap + (at >>> 6 << 3);
            long mask = (-1L >>> (64 - n)) << shift;
            long old = n == 64 ? 0 : OffHeap.getLong(word);
            OffHeap.putLong(word, one ? old | mask : old & ~mask);
            at += n;
        }
    }

    /**
     * Copies bits {@code [fromBit, fromBit + count)} behind an address to a bitmap; may read, but
     * not use, up to 8 bytes behind the last.
     *
     * @return how many of them are ones
     */
    public static int copy(long source, long fromBit, long bitmap, long toBit, int count) {
        int ones = 0;
        long from = fromBit;
        long to = toBit;
        long end = toBit + count;
        while (to < end) {
            int shift = (int) to & 63;
            int n = (int) Math.min(64 - shift, end - to);
            long value = read(source, from, n);
            ones += Long.bitCount(value);
            long word = bitmap + (to >>> 6 << 3);
            long mask = (-1L >>> (64 - n)) << shift;
            long old = n == 64 ? 0 : OffHeap.getLong(word);
            OffHeap.putLong(word, (old & ~mask) | value << shift);
            from += n;
            to += n;
        }
        return ones;
    }

    /**
     * Writes up to 64 bits to where a bitmap ends so far; may clear, but not use, the word behind.
     *
     * @param value the bits, and zeros above them
     */
    public static void append(long bitmap, long toBit, long value, int count) {
        long word = bitmap + (toBit >>> 6 << 3);
        int shift = (int) toBit & 63;
        if (shift == 0) {
            OffHeap.putLong(word, value);
            return;
        }
        long before = OffHeap.getLong(word) & ((1L << shift) - 1);
        OffHeap.putLong(word, before | value << shift);
        if (shift + count > Long.SIZE) {
            OffHeap.putLong(word + Long.BYTES, value >>> (Long.SIZE - shift));
        }
    }

    /** Whether the first bits of two bitmaps are the same. */
    public static boolean same(long one, long other, long count) {
        long words = count >>> 6 << 3;
        for (long i = 0; i < words; i += Long.BYTES) {
            if (OffHeap.getLong(one + i) != OffHeap.getLong(other + i)) {
                return false;
            }
        }
        int rest = (int) count & 63;
        for (int i = 0; i < rest; i += Byte.SIZE) {
            int mask = (1 << Math.min(Byte.SIZE, rest - i)) - 1;
            long at = words + i / Byte.SIZE;
            if (((OffHeap.getByte(one + at) ^ OffHeap.getByte(other + at)) & mask) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Up to 64 bits as the low bits of a word. */
    public static long read(long source, long bit, int count) {
        long address = source + (bit >>> 3);
        int shift = (int) bit & 7;
        long value = OffHeap.getLong(address) >>> shift;
        if (shift + count > 64) {
            value |= (long) OffHeap.getUnsignedByte(address + 8) << (64 - shift);
        }
        return count == 64 ? value : value & ((1L << count) - 1);
    }

    /** One bit of a bitmap at an address. */
    public static boolean get(long bitmap, long bit) {
        return (OffHeap.getUnsignedByte(bitmap + (bit >>> 3)) >>> (bit & 7) & 1) != 0;
    }

    /**
     * Spreads bits: the {@code count} rows from {@code toBit} on take, in order, the bits that
     * stand at {@code source} from {@code fromBit} on where the row is valid, and 0 elsewhere.
     */
    public static void spreadBits(
            long source, long fromBit, long validity, long bitmap, long toBit, int count) {
        spreadBits(source, fromBit, validity, bitmap, toBit, count, false);
    }

    /**
     * The same.
     *
     * @param elsewhere the bit of rows that are not valid
     */
    public static void spreadBits(
            long source,
            long fromBit,
            long validity,
            long bitmap,
            long toBit,
            int count,
            boolean elsewhere) {
        long from = fromBit;
        long to = toBit;
        long end = toBit + count;
        while (to < end) {
            int shift = (int) to & 63;
            int n = (int) Math.min(64 - shift, end - to);
            long word = to >>> 6 << 3;
            long mask = (-1L >>> (64 - n)) << shift;
            long valid = OffHeap.getLong(validity + word) & mask;
            int ones = Long.bitCount(valid);
            long value = ones == 0 ? 0 : Long.expand(read(source, from, ones), valid);
            value |= elsewhere ? mask & ~valid : 0;
            OffHeap.putLong(bitmap + word, (OffHeap.getLong(bitmap + word) & ~mask) | value);
            from += ones;
            to += n;
        }
    }

    /**
     * Spreads 4-byte values within their own memory, from the back: the {@code ones} values that
     * stand first move to the valid ones of {@code count} places, and the others become 0.
     *
     * @param values the first place
     * @param firstRow the row of the first place, in the bitmap
     */
    public static void spread4(long values, long validity, long firstRow, int count, int ones) {
        int to = count - 1;
        int from = ones - 1;
        while (to >= 0 && to != from) {
            long row = firstRow + to;
            int n = (int) Math.min((row & 63) + 1, to + 1L);
            long word = OffHeap.getLong(validity + (row >>> 6 << 3)) << (63 - (row & 63));
            for (int i = 0; i < n; i++) {
                int valid = (int) (word >> 63);
                int value = OffHeap.getInt(values + 4L * (from & ~(from >> 31)));
                OffHeap.putInt(values + 4L * to, value & valid);
                from += valid;
                to--;
                word <<= 1;
            }
        }
    }

    /** As {@link #spread4}, for 8-byte values. */
    static void spread8(long values, long validity, long firstRow, int count, int ones) {
        int to = count - 1;
        int from = ones - 1;
        while (to >= 0 && to != from) {
            long row = firstRow + to;
            int n = (int) Math.min((row & 63) + 1, to + 1L);
            long word = OffHeap.getLong(validity + (row >>> 6 << 3)) << (63 - (row & 63));
            for (int i = 0; i < n; i++) {
                long valid = word >> 63;
                long value = OffHeap.getLong(values + 8L * (from & ~(from >> 31)));
                OffHeap.putLong(values + 8L * to, value & valid);
                from += (int) valid;
                to--;
                word <<= 1;
            }
        }
    }

    /** As {@link #spread4}, for 16-byte values. */
    static void spread16(long values, long validity, long firstRow, int count, int ones) {
        int from = ones - 1;
        for (int to = count - 1; to >= 0 && to != from; to--) {
            boolean valid = get(validity, firstRow + to);
            long source = values + 16L * from;
            long low = valid ? OffHeap.getLong(source) : 0;
            long high = valid ? OffHeap.getLong(source + 8) : 0;
            OffHeap.putLong(values + 16L * to, low);
            OffHeap.putLong(values + 16L * to + 8, high);
            from -= valid ? 1 : 0;
        }
    }

    /** As {@link #spread4}, for values of any width. */
    public static void spread(
            long values, int width, long validity, long firstRow, int count, int ones) {
        switch (width) {
            case 4 -> spread4(values, validity, firstRow, count, ones);
            case 8 -> spread8(values, validity, firstRow, count, ones);
            case 16 -> spread16(values, validity, firstRow, count, ones);
            default -> {
                int from = ones - 1;
                for (int to = count - 1; to >= 0 && to != from; to--) {
                    if (get(validity, firstRow + to)) {
                        OffHeap.copy(
                                values + (long) width * from--, values + (long) width * to, width);
                    } else {
                        OffHeap.zero(values + (long) width * to, width);
                    }
                }
            }
        }
    }
}
