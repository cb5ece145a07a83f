package io.spillway.scan.parquet.value;

import io.spillway.batch.OffHeap;
import io.spillway.scan.bytes.Bits;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.bytes.ScratchBuffer;
import io.spillway.scan.parquet.page.Page;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.parquet.format.Encoding;
import org.jspecify.annotations.Nullable;

/**
 * Booleans: bits in the page, as they are (PLAIN) or in runs behind a 4-byte length (RLE), and bits
 * in the vector.
 */
final class BooleanDecoder implements ValueDecoder {

    private final Field field;
    private final BufferAllocator allocator;
    private final RunReader runs;
    private @Nullable ArrowBuf data;
    private final ScratchBuffer scratch;
    private boolean inRuns;

    /** Bits of the page that have been read, if they are not in runs. */
    private long bit;

    BooleanDecoder(Field field, BufferAllocator allocator, Place place) {
        this.field = field;
        this.allocator = allocator;
        this.runs = new RunReader(place);
        this.scratch = new ScratchBuffer(allocator);
    }

    @Override
    public void startPage(Page page, Encoding encoding, int values) {
        if (encoding != Encoding.PLAIN && encoding != Encoding.RLE) {
            throw page.place().notSupported("Encoding " + encoding);
        }
        this.inRuns = encoding == Encoding.RLE;
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
    public void reserve(int rows) {
        data = Buffers.grow(allocator, data(), Bits.bytes(rows));
    }

    @Override
    public int fits(Page page, int values) {
        return values;
    }

    @Override
    public int fits(FieldVector dictionary, long indices, int values) {
        return values;
    }

    @Override
    public void read(Page page, long validity, int firstRow, int rows, int valid) {
        long out = data().memoryAddress();
        if (valid == rows) {
            readAll(page, out, firstRow, rows);
        } else if (inRuns) {
            long packed = scratch.atLeast(Bits.bytes(valid));
            runs.bits(packed, 0, valid);
            Bits.spreadBits(packed, 0, validity, out, firstRow, rows);
        } else {
            long from = need(page, valid);
            Bits.spreadBits(page.at(), from, validity, out, firstRow, rows);
        }
    }

    private void readAll(Page page, long out, int firstRow, int rows) {
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
        return Buffers.vector(field, allocator, rows, nulls, List.of(validity, buffer));
    }

    private ArrowBuf data() {
        ArrowBuf buffer = data;
        if (buffer == null) {
            throw new IllegalStateException("not begun");
        }
        return buffer;
    }

    @Override
    public void abort() {
        scratch.close();
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
    public boolean mayHold(Page page, int values) {
        return inRuns || values <= page.remaining() * Byte.SIZE - bit;
    }
}
