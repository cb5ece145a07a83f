package io.spillway.scan.parquet.value;

import io.spillway.batch.OffHeap;
import io.spillway.scan.bytes.Bits;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.parquet.page.Page;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.parquet.format.Encoding;
import org.jspecify.annotations.Nullable;

/** Values that take the same number of bytes each in the vector, however they stand in the page. */
final class FixedDecoder implements ValueDecoder {

    private final Field field;
    private final BufferAllocator allocator;
    private final FixedValues values;
    private final int width;
    private @Nullable ArrowBuf data;
    private long address;

    FixedDecoder(Field field, BufferAllocator allocator, FixedValues values) {
        this.field = field;
        this.allocator = allocator;
        this.values = values;
        this.width = values.width();
    }

    @Override
    public void startPage(Page page, Encoding encoding, int most) {
        values.startPage(page, encoding, most);
    }

    @Override
    public void begin(int rows) {
        ArrowBuf buffer = Buffers.allocate(allocator, (long) rows * width);
        data = buffer;
        address = buffer.memoryAddress();
    }

    @Override
    public void reserve(int rows) {
        ArrowBuf before = data;
        if (before == null) {
            throw new IllegalStateException("not begun");
        }
        ArrowBuf after = Buffers.grow(allocator, before, (long) rows * width);
        data = after;
        address = after.memoryAddress();
    }

    @Override
    public int fits(Page page, int count) {
        return count;
    }

    @Override
    public int fits(FieldVector dictionary, long indices, int count) {
        return count;
    }

    @Override
    public void read(Page page, long validity, int firstRow, int rows, int valid) {
        long out = address + (long) firstRow * width;
        values.read(page, out, valid);
        if (valid != rows) {
            Bits.spread(out, width, validity, firstRow, rows, valid);
        }
    }

    @Override
    public void gather(
            FieldVector dictionary,
            long indices,
            long validity,
            int firstRow,
            int rows,
            int valid) {
        long out = address + (long) firstRow * width;
        if (valid == 0) {
            OffHeap.zero(out, (long) rows * width);
            return;
        }
        long entries = dictionary.getDataBuffer().memoryAddress();
        switch (width) {
            case 4 -> {
                for (int i = 0; i < rows; i++) {
                    OffHeap.putInt(
                            out + 4L * i,
                            OffHeap.getInt(entries + 4L * OffHeap.getInt(indices + 4L * i)));
                }
            }
            case 8 -> {
                for (int i = 0; i < rows; i++) {
                    OffHeap.putLong(
                            out + 8L * i,
                            OffHeap.getLong(entries + 8L * OffHeap.getInt(indices + 4L * i)));
                }
            }
            default -> {
                for (int i = 0; i < rows; i++) {
                    OffHeap.copy(
                            entries + (long) width * OffHeap.getInt(indices + 4L * i),
                            out + (long) width * i,
                            width);
                }
            }
        }
        if (valid != rows) {
            clearNulls(out, validity, firstRow, rows);
        }
    }

    private void clearNulls(long out, long validity, int firstRow, int rows) {
        for (int i = 0; i < rows; i++) {
            if (!Bits.get(validity, (long) firstRow + i)) {
                OffHeap.zero(out + (long) width * i, width);
            }
        }
    }

    @Override
    public FieldVector finish(ArrowBuf validity, int rows, int nulls) {
        ArrowBuf buffer = data;
        if (buffer == null) {
            throw new IllegalStateException("not begun");
        }
        data = null;
        return Buffers.vector(field, allocator, rows, nulls, List.of(validity, buffer));
    }

    @Override
    public void abort() {
        values.close();
        ArrowBuf buffer = data;
        if (buffer != null) {
            data = null;
            buffer.close();
        }
    }

    @Override
    public void skip(Page page, int count) {
        values.skip(page, count);
    }

    @Override
    public boolean mayHold(Page page, int count) {
        return values.mayHold(page, count);
    }
}
