package io.spillway.scan.parquet.value;

import io.spillway.batch.OffHeap;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.bytes.ScratchBuffer;
import io.spillway.scan.parquet.page.Page;
import org.apache.arrow.memory.BufferAllocator;

/** DELTA_BYTE_ARRAY of values that must all have one length. */
final class FixedByteArrays implements FixedSource {

    /** Values and bytes that are taken at once, or one value if it is longer. */
    private static final int STEP = 512;

    private static final int STEP_BYTES = 16 << 10;

    private final int width;
    private final DeltaByteArrays arrays;
    private final ScratchBuffer ends;
    private final ScratchBuffer bytes;

    FixedByteArrays(int width, BufferAllocator allocator, Place place) {
        this.width = width;
        this.arrays = new DeltaByteArrays(allocator, place);
        this.ends = new ScratchBuffer(allocator);
        this.bytes = new ScratchBuffer(allocator);
    }

    @Override
    public void start(Page page, int most) {
        arrays.start(page, most);
    }

    @Override
    public void read(Page page, long out, int values) {
        int step = Math.clamp(STEP_BYTES / Math.max(1, width), 1, STEP);
        long end = ends.atLeast((long) STEP * Integer.BYTES);
        for (int done = 0; done < values; ) {
            int n = Math.min(step, values - done);
            arrays.ends(page, n, 0, end);
            for (int i = 0; i < n; i++) {
                if (OffHeap.getInt(end + 4L * i) != width * (i + 1)) {
                    throw page.place().corrupt("A value has not the column's " + width + " bytes");
                }
            }
            long to = bytes.atLeast((long) n * width);
            arrays.copy(n, 0, end, to);
            OffHeap.copy(to, out + (long) width * done, (long) n * width);
            done += n;
        }
    }

    @Override
    public boolean mayHold(int values) {
        return arrays.has(values);
    }

    @Override
    public void skip(Page page, int values) {
        arrays.skip(page, values);
    }

    @Override
    public void close() {
        arrays.close();
        ends.close();
        bytes.close();
    }
}
