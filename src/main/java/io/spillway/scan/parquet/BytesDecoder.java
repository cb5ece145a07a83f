package io.spillway.scan.parquet;

import io.spillway.batch.OffHeap;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/**
 * Texts and bytes of any length: in the page a 4-byte length before each, in the vector 4-byte
 * offsets and the bytes side by side. A first pass over the lengths checks them and fills in the
 * offsets, so the bytes are copied to where room for all of them has been made.
 */
final class BytesDecoder implements ValueDecoder {

    /** Values of up to so many bytes are copied as two words, whatever their length. */
    private static final int SHORT = 16;

    private final Field field;
    private final BufferAllocator allocator;
    private final Place place;
    private @Nullable ArrowBuf offsets;
    private @Nullable ArrowBuf data;
    private int used;

    BytesDecoder(Field field, BufferAllocator allocator, Place place) {
        this.field = field;
        this.allocator = allocator;
        this.place = place;
    }

    @Override
    public void begin(int rows) {
        ArrowBuf buffer = Buffers.allocate(allocator, (rows + 1L) * Integer.BYTES);
        OffHeap.putInt(buffer.memoryAddress(), 0);
        offsets = buffer;
        used = 0;
    }

    @Override
    public void plain(Page page, long validity, int firstRow, int rows, int valid) {
        long ends = offsets().memoryAddress() + 4L * firstRow + 4;
        long in = page.at();
        long total = measure(page, validity, firstRow, rows, valid == rows, ends);
        long out = reserve(total);
        int from = used;
        for (int i = 0; i < rows; i++) {
            int to = OffHeap.getInt(ends + 4L * i);
            int length = to - from;
            if (length > 0) {
                copy(in + 4, out + from, length);
                in += 4L + length;
            } else if (valid == rows || Bits.get(validity, (long) firstRow + i)) {
                in += 4;
            }
            from = to;
        }
        used = from;
    }

    /**
     * Writes the end of each row's value behind those that are there, and passes over the values.
     *
     * @return bytes of all the values
     */
    private long measure(
            Page page, long validity, int firstRow, int rows, boolean allValid, long ends) {
        long start = used;
        long end = start;
        long at = page.at();
        long limit = page.end() - 4;
        for (int i = 0; i < rows; i++) {
            if (allValid || Bits.get(validity, (long) firstRow + i)) {
                if (at > limit) {
                    throw place.corrupt("A page ends before its values");
                }
                int length = OffHeap.getInt(at);
                if (length < 0 || length > limit - at) {
                    throw place.corrupt("A value claims %,d bytes".formatted(length));
                }
                at += 4L + length;
                end += length;
            }
            OffHeap.putInt(ends + 4L * i, (int) end);
        }
        page.take(at - page.at());
        return end - start;
    }

    @Override
    public void gather(
            FieldVector dictionary,
            long indices,
            long validity,
            int firstRow,
            int rows,
            int valid) {
        long ends = offsets().memoryAddress() + 4L * firstRow + 4;
        long starts = valid == 0 ? 0 : dictionary.getOffsetBuffer().memoryAddress();
        long entries = valid == 0 ? 0 : dictionary.getDataBuffer().memoryAddress();
        long end = used;
        for (int i = 0; i < rows; i++) {
            if (Bits.get(validity, (long) firstRow + i)) {
                long entry = starts + 4L * OffHeap.getInt(indices + 4L * i);
                end += OffHeap.getInt(entry + 4) - OffHeap.getInt(entry);
            }
            OffHeap.putInt(ends + 4L * i, (int) end);
        }
        long out = reserve(end - used);
        int from = used;
        for (int i = 0; i < rows; i++) {
            int to = OffHeap.getInt(ends + 4L * i);
            if (to > from) {
                long entry = starts + 4L * OffHeap.getInt(indices + 4L * i);
                OffHeap.copy(entries + OffHeap.getInt(entry), out + from, (long) to - from);
            }
            from = to;
        }
        used = from;
    }

    /** May read behind the value and write behind its place; both buffers have padding. */
    private static void copy(long from, long to, int length) {
        if (length <= SHORT) {
            long first = OffHeap.getLong(from);
            long second = OffHeap.getLong(from + 8);
            OffHeap.putLong(to, first);
            OffHeap.putLong(to + 8, second);
        } else {
            OffHeap.copy(from, to, length);
        }
    }

    /** Makes room for more bytes, and tells where the vector's bytes start. */
    private long reserve(long more) {
        long needed = used + more + Buffers.PADDING;
        if (needed > Integer.MAX_VALUE) {
            throw place.failure(
                    ErrorCode.MEMORY_LIMIT,
                    "One batch would hold %,d bytes of one column, more than a vector can,"
                            .formatted(needed),
                    null);
        }
        ArrowBuf before = data;
        if (before != null && before.capacity() >= needed) {
            return before.memoryAddress();
        }
        ArrowBuf after = Buffers.allocate(allocator, needed);
        if (before != null) {
            OffHeap.copy(before.memoryAddress(), after.memoryAddress(), used);
            before.close();
        }
        data = after;
        return after.memoryAddress();
    }

    private ArrowBuf offsets() {
        ArrowBuf buffer = offsets;
        if (buffer == null) {
            throw new IllegalStateException("not begun");
        }
        return buffer;
    }

    @Override
    public FieldVector finish(ArrowBuf validity, int rows, int nulls) {
        reserve(0);
        ArrowBuf ends = offsets();
        ArrowBuf bytes = data;
        if (bytes == null) {
            throw new SpillwayException(ErrorCode.INTERNAL, "no buffer");
        }
        offsets = null;
        data = null;
        return Buffers.vector(field, allocator, rows, nulls, List.of(validity, ends, bytes));
    }

    @Override
    public void abort() {
        if (offsets != null) {
            offsets.close();
            offsets = null;
        }
        if (data != null) {
            data.close();
            data = null;
        }
    }

    @Override
    public void skip(Page page, int values) {
        for (int i = 0; i < values; i++) {
            page.take(OffHeap.getInt(page.take(Integer.BYTES)));
        }
    }

    @Override
    public long leastBytes(int values) {
        return (long) values * Integer.BYTES;
    }
}
