package io.spillway.scan.parquet.value;

import io.spillway.batch.OffHeap;
import io.spillway.scan.parquet.bytes.ScratchBuffer;
import io.spillway.scan.parquet.footer.Int96Time;
import io.spillway.scan.parquet.page.Page;
import org.apache.arrow.memory.BufferAllocator;

/** INT96 timestamps as texts in ISO form, which hold each of them whole. */
final class Int96Texts implements ByteArrays {

    private final Int96Time time = new Int96Time();
    private final ScratchBuffer texts;

    /** Bytes of the texts whose ends have been told. */
    private long bytes;

    Int96Texts(BufferAllocator allocator) {
        this.texts = new ScratchBuffer(allocator);
    }

    @Override
    public void start(Page page, int most) {}

    @Override
    public boolean mayHold(Page page, int values) {
        return page.remaining() >= (long) values * Int96Time.BYTES;
    }

    @Override
    public int fits(Page page, int values, long room) {
        return (int) Math.min(values, Math.max(1, room / Int96Time.LONGEST_TEXT));
    }

    @Override
    public long ends(Page page, int values, int from, long out) {
        long in = page.take((long) values * Int96Time.BYTES);
        long start = texts.atLeast((long) values * Int96Time.LONGEST_TEXT);
        long at = start;
        for (int i = 0; i < values; i++) {
            time.set(in + (long) Int96Time.BYTES * i);
            at = time.write(at);
            OffHeap.putInt(out + 4L * i, (int) (from + at - start));
        }
        bytes = at - start;
        return bytes;
    }

    @Override
    public void copy(int values, int from, long ends, long out) {
        OffHeap.copy(texts.atLeast(0), out, bytes);
    }

    @Override
    public void skip(Page page, int values) {
        page.take((long) values * Int96Time.BYTES);
    }

    @Override
    public void close() {
        texts.close();
    }
}
