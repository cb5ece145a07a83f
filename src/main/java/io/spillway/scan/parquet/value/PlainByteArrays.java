package io.spillway.scan.parquet.value;

import io.spillway.batch.OffHeap;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.parquet.page.Page;

/** PLAIN: a 4-byte length before each value. */
final class PlainByteArrays implements ByteArrays {

    /** Where the values start whose ends have been told. */
    private long measured;

    @Override
    public void start(Page page, int most) {}

    @Override
    public boolean mayHold(Page page, int values) {
        return page.remaining() >= (long) values * Integer.BYTES;
    }

    @Override
    public int fits(Page page, int values, long bytes) {
        long left = bytes;
        if (page.remaining() <= left) {
            return values;
        }
        long at = page.next();
        long ready = page.need(at);
        long limit = page.end() - Integer.BYTES;
        for (int i = 0; i < values && at <= limit; i++) {
            if (left <= 0) {
                return i;
            }
            if (at + Integer.BYTES > ready) {
                ready = page.need(at + Integer.BYTES);
            }
            int length = Math.max(0, OffHeap.getInt(at));
            at += 4L + length;
            left -= length;
        }
        return values;
    }

    @Override
    public long ends(Page page, int values, int from, long out) {
        long at = page.next();
        long ready = page.need(at);
        long limit = page.end() - Integer.BYTES;
        long end = from;
        measured = at;
        for (int i = 0; i < values; i++) {
            if (at > limit) {
                throw page.place().corrupt("A page ends before its values");
            }
            if (at + Integer.BYTES > ready) {
                ready = page.need(at + Integer.BYTES);
            }
            int length = OffHeap.getInt(at);
            if (length < 0 || length > limit - at) {
                throw page.place().corrupt("A value claims %,d bytes".formatted(length));
            }
            at += 4L + length;
            end += length;
            OffHeap.putInt(out + 4L * i, (int) end);
        }
        page.take(at - measured);
        return end - from;
    }

    @Override
    public void copy(int values, int from, long ends, long out) {
        // Value i has i + 1 lengths before it: their places follow from the ends, which spares
        // waiting for one length after the other.
        long in = measured + Integer.BYTES - from;
        int start = from;
        for (int i = 0; i < values; i++) {
            int end = OffHeap.getInt(ends + 4L * i);
            Buffers.copyPadded(in + start + 4L * i, out + start - from, end - start);
            start = end;
        }
    }

    @Override
    public void skip(Page page, int values) {
        for (int i = 0; i < values; i++) {
            page.take(OffHeap.getInt(page.take(Integer.BYTES)));
        }
    }

    @Override
    public void close() {}
}
