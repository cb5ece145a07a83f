package io.spillway.scan.parquet.value;

import io.spillway.batch.OffHeap;
import io.spillway.scan.parquet.page.Page;

/**
 * BYTE_STREAM_SPLIT: the first bytes of all values, then all second bytes, and so on. Eight values
 * at a time are turned round within eight words, or within four for values of 4 bytes.
 */
final class SplitBytes implements FixedSource {

    private final int width;

    /** Values of the page, where its first byte is, and how many have been read. */
    private long count;

    private long start;
    private long next;

    SplitBytes(int width) {
        this.width = width;
    }

    @Override
    public void start(Page page, int most) {
        long bytes = page.remaining();
        count = width == 0 ? most : bytes / width;
        if (count > most || count * width != bytes) {
            throw page.place()
                    .corrupt(
                            "A page of %,d bytes has no %,d values of %d bytes"
                                    .formatted(bytes, most, width));
        }
        start = page.at();
        next = 0;
    }

    private long take(Page page, int values) {
        if (values > count - next) {
            throw page.place().corrupt("A page ends before its values");
        }
        long first = start + next;
        next += values;
        return first;
    }

    @Override
    public void read(Page page, long out, int values) {
        long in = take(page, values);
        int eights = width % 8 == 0 || width == 4 ? values & ~7 : 0;
        if (width == 4) {
            for (int i = 0; i < eights; i += 8) {
                join4(in + i, count, out + 4L * i);
            }
        } else if (width % 8 == 0) {
            for (int lane = 0; lane < width; lane += 8) {
                for (int i = 0; i < eights; i += 8) {
                    join8(in + lane * count + i, count, out + (long) width * i + lane, width);
                }
            }
        }
        for (int lane = 0; lane < width; lane++) {
            long from = in + lane * count;
            for (int i = eights; i < values; i++) {
                OffHeap.putByte(out + (long) width * i + lane, OffHeap.getByte(from + i));
            }
        }
    }

    /** Eight values of 4 bytes, out of streams that are so many bytes apart. */
    private static void join4(long in, long apart, long out) {
        long a = OffHeap.getLong(in);
        long b = OffHeap.getLong(in + apart);
        long c = OffHeap.getLong(in + 2 * apart);
        long d = OffHeap.getLong(in + 3 * apart);
        // Bytes of a and b in turn, those of c and d in turn: of values 0 to 3, and 4 to 7.
        long ab = spread2(a) | spread2(b) << 8;
        long cd = spread2(c) | spread2(d) << 8;
        long ab4 = spread2(a >>> 32) | spread2(b >>> 32) << 8;
        long cd4 = spread2(c >>> 32) | spread2(d >>> 32) << 8;
        OffHeap.putLong(out, spread4(ab) | spread4(cd) << 16);
        OffHeap.putLong(out + 8, spread4(ab >>> 32) | spread4(cd >>> 32) << 16);
        OffHeap.putLong(out + 16, spread4(ab4) | spread4(cd4) << 16);
        OffHeap.putLong(out + 24, spread4(ab4 >>> 32) | spread4(cd4 >>> 32) << 16);
    }

    /** The low four bytes, each to the lower byte of a pair. */
    private static long spread2(long word) {
        long low = word & 0xFFFFFFFFL;
        long apart = (low | low << 16) & 0x0000FFFF0000FFFFL;
        return (apart | apart << 8) & 0x00FF00FF00FF00FFL;
    }

    /** The low two pairs of bytes, each to the lower half of four bytes. */
    private static long spread4(long word) {
        long low = word & 0xFFFFFFFFL;
        return (low | low << 16) & 0x0000FFFF0000FFFFL;
    }

    /**
     * Eight times 8 bytes: a matrix of eight by eight bytes is turned round by exchanging halves,
     * then quarters, then bytes.
     */
    private static void join8(long in, long apart, long out, long step) {
        long a = OffHeap.getLong(in);
        long b = OffHeap.getLong(in + apart);
        long c = OffHeap.getLong(in + 2 * apart);
        long d = OffHeap.getLong(in + 3 * apart);
        long e = OffHeap.getLong(in + 4 * apart);
        long f = OffHeap.getLong(in + 5 * apart);
        long g = OffHeap.getLong(in + 6 * apart);
        long h = OffHeap.getLong(in + 7 * apart);

        long a2 = low32(a, e);
        long b2 = low32(b, f);
        long c2 = low32(c, g);
        long d2 = low32(d, h);
        long e2 = high32(a, e);
        long f2 = high32(b, f);
        long g2 = high32(c, g);
        long h2 = high32(d, h);

        a = low16(a2, c2);
        b = low16(b2, d2);
        c = high16(a2, c2);
        d = high16(b2, d2);
        e = low16(e2, g2);
        f = low16(f2, h2);
        g = high16(e2, g2);
        h = high16(f2, h2);

        OffHeap.putLong(out, low8(a, b));
        OffHeap.putLong(out + step, high8(a, b));
        OffHeap.putLong(out + 2 * step, low8(c, d));
        OffHeap.putLong(out + 3 * step, high8(c, d));
        OffHeap.putLong(out + 4 * step, low8(e, f));
        OffHeap.putLong(out + 5 * step, high8(e, f));
        OffHeap.putLong(out + 6 * step, low8(g, h));
        OffHeap.putLong(out + 7 * step, high8(g, h));
    }

    private static long low32(long x, long y) {
        return (x & 0xFFFFFFFFL) | y << 32;
    }

    private static long high32(long x, long y) {
        return x >>> 32 | (y & 0xFFFFFFFF00000000L);
    }

    private static long low16(long x, long y) {
        return (x & 0x0000FFFF0000FFFFL) | (y & 0x0000FFFF0000FFFFL) << 16;
    }

    private static long high16(long x, long y) {
        return (x >>> 16 & 0x0000FFFF0000FFFFL) | (y & 0xFFFF0000FFFF0000L);
    }

    private static long low8(long x, long y) {
        return (x & 0x00FF00FF00FF00FFL) | (y & 0x00FF00FF00FF00FFL) << 8;
    }

    private static long high8(long x, long y) {
        return (x >>> 8 & 0x00FF00FF00FF00FFL) | (y & 0xFF00FF00FF00FF00L);
    }

    @Override
    public boolean mayHold(int values) {
        return values <= count - next;
    }

    @Override
    public void skip(Page page, int values) {
        take(page, values);
    }

    @Override
    public void close() {}
}
