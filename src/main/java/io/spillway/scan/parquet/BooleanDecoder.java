package io.spillway.scan.parquet;

import io.spillway.batch.OffHeap;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/**
 * Booleans: bits in the page, as they are or in runs, and bits in the vector. {@link #startPage}
 * tells which of the two the next page has.
 */
final class BooleanDecoder implements ValueDecoder {

    private final Field field;
    private final BufferAllocator allocator;
    private final RunReader runs;
    private @Nullable ArrowBuf data;
    private @Nullable ArrowBuf scratch;
    private boolean inRuns;

    /** Bits of the page that have been read, if they are not in runs. */
    private long bit;

    BooleanDecoder(Field field, BufferAllocator allocator, Place place) {
        this.field = field;
        this.allocator = allocator;
        this.runs = new RunReader(place);
    }

    /**
     * Begins with a page's values.
     *
     * @param inRuns whether they are a 4-byte length and runs
     */
    void startPage(Page page, boolean inRuns) {
        this.inRuns = inRuns;
        this.bit = 0;
        if (inRuns && page.remaining() > 0) {
            int length = OffHeap.getInt(page.take(Integer.BYTES));
            long start = page.take(length);
            runs.reset(start, start + length, 1);
        } else {
            runs.reset(page.at(), page.at(), 1);
        }
    }

    @Override
    public void begin(int rows) {
        data = Buffers.bitmap(allocator, rows);
    }

    @Override
    public void plain(Page page, long validity, int firstRow, int rows, int valid) {
        long out = data().memoryAddress();
        if (valid == rows) {
            read(page, out, firstRow, rows);
        } else if (inRuns) {
            long packed = scratch(valid);
            runs.bits(packed, 0, valid);
            Bits.spreadBits(packed, 0, validity, out, firstRow, rows);
        } else {
            long from = need(page, valid);
            Bits.spreadBits(page.at(), from, validity, out, firstRow, rows);
        }
    }

    private void read(Page page, long out, int firstRow, int rows) {
        if (inRuns) {
            runs.bits(out, firstRow, rows);
        } else {
            long from = need(page, rows);
            Bits.copy(page.at(), from, out, firstRow, rows);
        }
    }

    /** Passes over bits of the page and tells which was the first. */
    private long need(Page page, int values) {
        if (bit + values > page.remaining() * Byte.SIZE) {
            throw page.place().corrupt("A page ends before its values");
        }
        long from = bit;
        bit += values;
        return from;
    }

    private long scratch(int bits) {
        ArrowBuf buffer = scratch;
        long bytes = Bits.bytes(bits) + Buffers.PADDING;
        if (buffer == null || buffer.capacity() < bytes) {
            freeScratch();
            buffer = Buffers.allocate(allocator, bytes);
            scratch = buffer;
        }
        return buffer.memoryAddress();
    }

    @Override
    public void gather(
            FieldVector dictionary,
            long indices,
            long validity,
            int firstRow,
            int rows,
            int valid) {
        long out = data().memoryAddress();
        long entries = valid == 0 ? 0 : dictionary.getDataBuffer().memoryAddress();
        for (int i = 0; i < rows; i++) {
            boolean one =
                    Bits.get(validity, (long) firstRow + i)
                            && Bits.get(entries, OffHeap.getInt(indices + 4L * i));
            Bits.set(out, (long) firstRow + i, 1, one);
        }
    }

    @Override
    public FieldVector finish(ArrowBuf validity, int rows, int nulls) {
        ArrowBuf buffer = data();
        data = null;
        freeScratch();
        return Buffers.vector(field, allocator, rows, nulls, List.of(validity, buffer));
    }

    private ArrowBuf data() {
        ArrowBuf buffer = data;
        if (buffer == null) {
            throw new IllegalStateException("not begun");
        }
        return buffer;
    }

    private void freeScratch() {
        ArrowBuf buffer = scratch;
        if (buffer != null) {
            scratch = null;
            buffer.close();
        }
    }

    @Override
    public void abort() {
        freeScratch();
        ArrowBuf buffer = data;
        if (buffer != null) {
            data = null;
            buffer.close();
        }
    }

    @Override
    public void skip(Page page, int values) {
        if (inRuns) {
            runs.skip(values);
        } else {
            need(page, values);
        }
    }

    @Override
    public long leastBytes(int values) {
        return (values + 7L) / Byte.SIZE;
    }
}
