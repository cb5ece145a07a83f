package io.spillway.spill;

import io.spillway.batch.OffHeap;

/**
 * Integers in few bits: differences of neighbours, of which a group has the least one and, for
 * each, what it is above that, in as many bits as the group needs. So {@code DELTA_BINARY_PACKED}
 * of Parquet does it; here groups stand on their own, and differences wrap around.
 *
 * <pre>
 *   first value  8 bytes
 *   groups       least difference 8, bits 1, differences (group's bits each, from the lowest)
 *   zeros        8 bytes, so that any value can be read with one access
 * </pre>
 *
 * <p>For row numbers, offsets, keys and the like that takes less time than LZ4 does, and room.
 */
final class PackedIntegers {

    /** Differences of a group. */
    private static final int GROUP = 256;

    private static final int GROUP_HEAD = Long.BYTES + 1;

    private static final int PAD = Long.BYTES;

    /** More bits may not be read with one access, unless they are 64. */
    private static final int MOST_BITS = 56;

    private final long[] differences = new long[GROUP];

    /**
     * Packs integers. Gives up as soon as these do not seem to become a quarter smaller.
     *
     * @param from address of the first
     * @param bytes of all
     * @param width bytes of each: 4 or 8
     * @param to has room for as many bytes
     * @return the number of bytes written, or -1 if they do not become a quarter smaller
     */
    long pack(long from, long bytes, int width, long to) {
        if (bytes < Long.BYTES + PAD) {
            return -1;
        }
        long previous = get(from, width);
        OffHeap.putLong(to, previous);
        long at = to + Long.BYTES;
        long end = from + bytes;
        for (long next = from + width; next < end; ) {
            int count = (int) Math.min(GROUP, (end - next) / width);
            long least = Long.MAX_VALUE;
            long most = Long.MIN_VALUE;
            for (int i = 0; i < count; i++) {
                long value = get(next + (long) width * i, width);
                long difference = value - previous;
                previous = value;
                differences[i] = difference;
                least = Math.min(least, difference);
                most = Math.max(most, difference);
            }
            next += (long) width * count;
            int bits = bits(most - least);
            long written = at - to + GROUP_HEAD + bytes(count, bits) + PAD;
            long seen = next - from;
            if (written > bytes || written > seen - seen / 4 + (long) GROUP * width) {
                return -1;
            }
            OffHeap.putLong(at, least);
            OffHeap.putByte(at + Long.BYTES, (byte) bits);
            at += GROUP_HEAD;
            write(count, least, bits, at);
            at += bytes(count, bits);
        }
        OffHeap.putLong(at, 0);
        long written = at - to + PAD;
        return written <= bytes - bytes / 4 ? written : -1;
    }

    private static int bits(long range) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(range);
        return bits > MOST_BITS ? Long.SIZE : bits;
    }

    private static int bytes(int count, int bits) {
        return (count * bits + Byte.SIZE - 1) / Byte.SIZE;
    }

    /** Writes a group; up to 7 bytes more than it has. */
    private void write(int count, long least, int bits, long to) {
        long at = to;
        long word = 0;
        int filled = 0;
        for (int i = 0; i < count; i++) {
            long value = differences[i] - least;
            word |= value << filled;
            filled += bits;
            if (filled >= Long.SIZE) {
                OffHeap.putLong(at, word);
                at += Long.BYTES;
                filled -= Long.SIZE;
                word = filled == 0 ? 0 : value >>> (bits - filled);
            }
        }
        if (filled > 0) {
            OffHeap.putLong(at, word);
        }
    }

    private static long get(long address, int width) {
        return width == Long.BYTES ? OffHeap.getLong(address) : OffHeap.getInt(address);
    }

    /**
     * Unpacks integers; reads and writes nothing else.
     *
     * @param from address of what {@link #pack} wrote
     * @param packed bytes of that
     * @param to has room for as many bytes as the integers have
     * @param bytes of the integers
     * @param width bytes of each: 4 or 8
     * @return whether the input is as long as it has to be for these integers
     */
    static boolean unpack(long from, long packed, long to, long bytes, int width) {
        if (packed < Long.BYTES + PAD || bytes < width || bytes % width != 0) {
            return false;
        }
        long end = from + packed - PAD;
        long at = from + Long.BYTES;
        long previous = OffHeap.getLong(from);
        put(to, previous, width);
        long last = to + bytes;
        for (long next = to + width; next < last; ) {
            if (at + GROUP_HEAD > end) {
                return false;
            }
            int count = (int) Math.min(GROUP, (last - next) / width);
            long least = OffHeap.getLong(at);
            int bits = OffHeap.getUnsignedByte(at + Long.BYTES);
            at += GROUP_HEAD;
            if ((bits > MOST_BITS && bits != Long.SIZE) || bytes(count, bits) > end - at) {
                return false;
            }
            previous =
                    width == Long.BYTES
                            ? longs(at, count, bits, least, previous, next)
                            : ints(at, count, bits, least, previous, next);
            at += bytes(count, bits);
            next += (long) width * count;
        }
        return at == end;
    }

    private static void put(long address, long value, int width) {
        if (width == Long.BYTES) {
            OffHeap.putLong(address, value);
        } else {
            OffHeap.putInt(address, (int) value);
        }
    }

    /** Returns the last value. */
    private static long longs(long from, int count, int bits, long least, long before, long to) {
        long mask = mask(bits);
        long value = before;
        for (int i = 0; i < count; i++) {
            value += least + (difference(from, i * bits) & mask);
            OffHeap.putLong(to + (long) Long.BYTES * i, value);
        }
        return value;
    }

    /** Returns the last value. */
    private static long ints(long from, int count, int bits, long least, long before, long to) {
        long mask = mask(bits);
        long value = before;
        for (int i = 0; i < count; i++) {
            value += least + (difference(from, i * bits) & mask);
            OffHeap.putInt(to + (long) Integer.BYTES * i, (int) value);
        }
        return value;
    }

    private static long mask(int bits) {
        return bits == Long.SIZE ? -1 : (1L << bits) - 1;
    }

    /** What stands from a bit on. */
    private static long difference(long from, int bit) {
        return OffHeap.getLong(from + (bit >>> 3)) >>> (bit & 7);
    }
}
