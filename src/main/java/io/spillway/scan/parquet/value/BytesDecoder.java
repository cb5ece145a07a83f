package io.spillway.scan.parquet.value;

import io.spillway.batch.OffHeap;
import io.spillway.error.ErrorCode;
import io.spillway.scan.bytes.Bits;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.page.Page;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.parquet.format.Encoding;
import org.jspecify.annotations.Nullable;

/**
 * Texts and bytes of any length: in the vector 4-byte offsets, and the bytes side by side. A first
 * pass over the lengths checks them and fills in the offsets, so the bytes are copied to where room
 * for all of them has been made.
 */
public final class BytesDecoder implements ValueDecoder {

    /** Bytes of values that make a vector full. */
    public static final int FULL = (4 << 20) - Buffers.PADDING;

    private final Field field;
    private final BufferAllocator allocator;
    private final Place place;
    private final Function<Encoding, ByteArrays> reader;
    private final Map<Encoding, ByteArrays> encodings = new EnumMap<>(Encoding.class);
    private @Nullable ByteArrays values;
    private @Nullable ArrowBuf offsets;
    private @Nullable ArrowBuf data;
    private int used;

    /**
     * @param reader what reads an encoding; throws {@code FILE_NOT_SUPPORTED} for one that the
     *     values cannot have
     */
    BytesDecoder(
            Field field,
            BufferAllocator allocator,
            Place place,
            Function<Encoding, ByteArrays> reader) {
        this.field = field;
        this.allocator = allocator;
        this.place = place;
        this.reader = reader;
    }

    @Override
    public void startPage(Page page, Encoding encoding, int most) {
        ByteArrays started = encodings.computeIfAbsent(encoding, reader);
        started.start(page, most);
        values = started;
    }

    private ByteArrays values() {
        ByteArrays started = values;
        if (started == null) {
            throw new IllegalStateException("no page");
        }
        return started;
    }

    @Override
    public void begin(int rows) {
        ArrowBuf buffer = Buffers.allocate(allocator, (rows + 1L) * Integer.BYTES);
        OffHeap.putInt(buffer.memoryAddress(), 0);
        offsets = buffer;
        used = 0;
    }

    @Override
    public void reserve(int rows) {
        offsets = Buffers.grow(allocator, offsets(), (rows + 1L) * Integer.BYTES);
    }

    @Override
    public int fits(Page page, int count) {
        return used >= FULL ? 0 : values().fits(page, count, (long) FULL - used);
    }

    @Override
    public int fits(FieldVector dictionary, long indices, int count) {
        long ends = dictionary.getOffsetBuffer().memoryAddress() + 4;
        long left = (long) FULL - used;
        for (int i = 0; i < count; i++) {
            if (left <= 0) {
                return i;
            }
            long end = ends + 4L * OffHeap.getInt(indices + 4L * i);
            left -= OffHeap.getInt(end) - OffHeap.getInt(end - 4);
        }
        return count;
    }

    @Override
    public void read(Page page, long validity, int firstRow, int rows, int valid) {
        long ends = offsets().memoryAddress() + 4L * firstRow + 4;
        ByteArrays source = values();
        long bytes = source.ends(page, valid, used, ends);
        long out = room(bytes);
        source.copy(valid, used, ends, out + used);
        if (valid != rows) {
            spreadEnds(ends, used, validity, firstRow, rows, valid);
        }
        used += (int) bytes;
    }

    /**
     * Moves the ends of values to the rows that have one, from the back; a null row ends where the
     * one before it does.
     */
    private static void spreadEnds(
            long ends, int start, long validity, int firstRow, int rows, int valid) {
        int from = valid - 1;
        for (int to = rows - 1; to >= 0 && to != from; to--) {
            OffHeap.putInt(ends + 4L * to, from < 0 ? start : OffHeap.getInt(ends + 4L * from));
            from -= Bits.get(validity, (long) firstRow + to) ? 1 : 0;
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
        long out = room(end - used);
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

    /** Makes room for more bytes, and tells where the vector's bytes start. */
    private long room(long more) {
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
        room(0);
        ArrowBuf ends = offsets();
        ArrowBuf bytes = data;
        if (bytes == null) {
            throw new IllegalStateException("not begun");
        }
        offsets = null;
        data = null;
        return Buffers.vector(field, allocator, rows, nulls, List.of(validity, ends, bytes));
    }

    @Override
    public void abort() {
        encodings.values().forEach(ByteArrays::close);
        encodings.clear();
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
    public void skip(Page page, int count) {
        values().skip(page, count);
    }

    @Override
    public boolean mayHold(Page page, int count) {
        return values().mayHold(page, count);
    }
}
