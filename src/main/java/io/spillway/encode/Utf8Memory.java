package io.spillway.encode;

import io.spillway.batch.OffHeap;

/** UTF-8 in Arrow's memory, looked at in parts on the heap. Not thread-safe. */
public final class Utf8Memory {

    private static final int PART = 8 << 10;

    /** How much longer a text can be once it is repaired, at most. */
    private static final int GROWTH = 3;

    private static final long HIGH_BITS = 0x8080808080808080L;

    private final byte[] part = new byte[PART + Long.BYTES];
    private final byte[] repaired = new byte[GROWTH * PART + Long.BYTES];

    /**
     * The first of some texts that is not UTF-8, or -1.
     *
     * @param offsets address of where they begin and the last one ends, the first at 0
     */
    public int firstInvalid(long offsets, int count, long data) {
        int total = OffHeap.getInt(offsets + (long) Integer.BYTES * count);
        if (isAscii(data, total)) {
            return -1;
        }
        // If they are well-formed together, only borders can be wrong.
        if (isValid(data, total) && startsAreWhole(offsets, count, data, total)) {
            return -1;
        }
        for (int i = 0; i < count; i++) {
            int start = OffHeap.getInt(offsets + (long) Integer.BYTES * i);
            int end = OffHeap.getInt(offsets + (i + 1L) * Integer.BYTES);
            if (!isValid(data + start, end - start)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean startsAreWhole(long offsets, int count, long data, int total) {
        for (int i = 0; i < count; i++) {
            int start = OffHeap.getInt(offsets + (long) Integer.BYTES * i);
            if (start < total && Utf8.continues(OffHeap.getByte(data + start))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAscii(long address, long length) {
        long i = 0;
        for (; i + 4 * Long.BYTES <= length; i += 4 * Long.BYTES) {
            long at = address + i;
            long four =
                    OffHeap.getLong(at)
                            | OffHeap.getLong(at + 8)
                            | OffHeap.getLong(at + 16)
                            | OffHeap.getLong(at + 24);
            if ((four & HIGH_BITS) != 0) {
                return false;
            }
        }
        for (; i < length; i++) {
            if (OffHeap.getByte(address + i) < 0) {
                return false;
            }
        }
        return true;
    }

    boolean isValid(long address, long length) {
        for (long at = 0; at < length; ) {
            int n = load(address, at, length);
            int i = 0;
            while (i < n) {
                int clean =
                        Long.numberOfTrailingZeros((long) Words.LONG.get(part, i) & HIGH_BITS)
                                >>> 3;
                i += clean;
                if (i < n && clean < Long.BYTES) {
                    int sequence = Utf8.sequence(part, i, n);
                    if (sequence < 0) {
                        return false;
                    }
                    i += sequence;
                }
            }
            at += n;
        }
        return true;
    }

    /** Bytes of a text in which each maximal part that is not UTF-8 is U+FFFD. */
    long repairedLength(long address, long length) {
        long sum = 0;
        for (long at = 0; at < length; ) {
            int n = load(address, at, length);
            sum += repairPart(n);
            at += n;
        }
        return sum;
    }

    /** Writes that text, and gives its length. */
    long repair(long address, long length, long target) {
        long to = target;
        for (long at = 0; at < length; ) {
            int n = load(address, at, length);
            int bytes = repairPart(n);
            OffHeap.write(repaired, 0, to, bytes);
            to += bytes;
            at += n;
        }
        return to - target;
    }

    /** Loads the next part, which ends where a character does; gives its length. */
    private int load(long address, long at, long length) {
        int n = (int) Math.min(PART, length - at);
        OffHeap.read(address + at, part, 0, n);
        return at + n < length ? Utf8.boundary(part, 0, n) : n;
    }

    private int repairPart(int length) {
        int p = 0;
        for (int i = 0; i < length; ) {
            int sequence = part[i] >= 0 ? 1 : Utf8.sequence(part, i, length);
            if (sequence > 0) {
                Words.INT.set(repaired, p, (int) Words.INT.get(part, i));
                p += sequence;
                i += sequence;
            } else {
                p = Utf8.replacement(repaired, p);
                i -= sequence;
            }
        }
        return p;
    }
}
