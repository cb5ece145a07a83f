package io.spillway.scan.parquet.value;

import io.spillway.batch.OffHeap;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.page.Page;
import org.apache.arrow.memory.BufferAllocator;

/** DELTA_LENGTH_BYTE_ARRAY: the lengths of all values, delta-encoded, and then their bytes. */
final class DeltaLengthByteArrays implements ByteArrays {

    /** Values that are passed over at once. */
    private static final int STEP = 1024;

    private final IntegersAhead lengths;

    /** Where the bytes are of the values whose ends have been told, and how many. */
    private long measured;

    private long bytes;

    DeltaLengthByteArrays(BufferAllocator allocator, Place place) {
        this.lengths = new IntegersAhead(allocator, place);
    }

    @Override
    public void start(Page page, int most) {
        page.take(lengths.start(page.at(), page.end(), most) - page.at());
    }

    @Override
    public boolean mayHold(Page page, int values) {
        return values <= lengths.left();
    }

    @Override
    public int fits(Page page, int values, long room) {
        if (page.remaining() <= room || values > lengths.left()) {
            return values;
        }
        long left = room;
        long next = lengths.look(values);
        for (int i = 0; i < values; i++) {
            if (left <= 0) {
                return i;
            }
            left -= OffHeap.getInt(next + 4L * i);
        }
        return values;
    }

    @Override
    public long ends(Page page, int values, int from, long out) {
        long next = lengths.look(values);
        long end = from;
        for (int i = 0; i < values; i++) {
            int length = OffHeap.getInt(next + 4L * i);
            if (length < 0) {
                throw page.place().corrupt("A value claims %,d bytes".formatted(length));
            }
            end += length;
            OffHeap.putInt(out + 4L * i, (int) end);
        }
        lengths.use(values);
        bytes = end - from;
        measured = page.take(bytes);
        return bytes;
    }

    @Override
    public void copy(int values, int from, long ends, long out) {
        OffHeap.copy(measured, out, bytes);
    }

    @Override
    public void skip(Page page, int values) {
        for (int done = 0; done < values; ) {
            int n = Math.min(STEP, values - done);
            long next = lengths.look(n);
            for (int i = 0; i < n; i++) {
                page.take(OffHeap.getInt(next + 4L * i));
            }
            lengths.use(n);
            done += n;
        }
    }

    @Override
    public void close() {
        lengths.close();
    }
}
