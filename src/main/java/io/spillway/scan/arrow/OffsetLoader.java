package io.spillway.scan.arrow;

import io.spillway.batch.OffHeap;
import io.spillway.scan.arrow.BatchShape.Slot;
import io.spillway.scan.bytes.Buffers;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Makes offsets of 4 bytes that count from 0 out of a window's, and checks them. */
final class OffsetLoader {

    private final Window window;
    private final BufferAllocator allocator;

    OffsetLoader(Window window) {
        this.window = window;
        this.allocator = window.allocator();
    }

    /**
     * Offsets of some values; never go back.
     *
     * @param buffer counts from 0
     * @param first what the first offset was
     * @param length the last one
     */
    record Offsets(ArrowBuf buffer, long first, long length) implements AutoCloseable {

        @Override
        public void close() {
            buffer.close();
        }
    }

    /** Offsets of some values, which the caller owns. */
    Offsets load(Slot slot, long from, int count) {
        if (count == 0) {
            return new Offsets(steps(0, 0), 0, 0);
        }
        int width = slot.field().layout().offsetWidth();
        int buffer = slot.firstBuffer() + 1;
        long bytes = (count + 1L) * width;
        long source = window.address(buffer, from * width, bytes);
        return width == Integer.BYTES
                ? narrow(slot, buffer, from, count, source)
                : wide(slot, count, source);
    }

    private Offsets narrow(Slot slot, int buffer, long from, int count, long source) {
        int first = OffHeap.getInt(source);
        int before = first;
        boolean ascending = first >= 0;
        for (int i = 1; i <= count; i++) {
            int next = OffHeap.getInt(source + (long) Integer.BYTES * i);
            ascending &= next >= before;
            before = next;
        }
        check(slot, ascending, first, before);
        if (first == 0) {
            ArrowBuf shared =
                    window.share(buffer, from * Integer.BYTES, (count + 1L) * Integer.BYTES);
            return new Offsets(shared, 0, before);
        }
        ArrowBuf moved = Buffers.allocate(allocator, (count + 1L) * Integer.BYTES);
        long target = moved.memoryAddress();
        for (int i = 0; i <= count; i++) {
            long at = (long) Integer.BYTES * i;
            OffHeap.putInt(target + at, OffHeap.getInt(source + at) - first);
        }
        return new Offsets(moved, first, before - first);
    }

    private Offsets wide(Slot slot, int count, long source) {
        long first = OffHeap.getLong(source);
        long last = OffHeap.getLong(source + (long) Long.BYTES * count);
        check(slot, first >= 0 && last >= first, first, last);
        if (last - first > Integer.MAX_VALUE) {
            throw window.place().notSupported("A value of up to %,d bytes".formatted(last - first));
        }
        ArrowBuf narrow = Buffers.allocate(allocator, (count + 1L) * Integer.BYTES);
        long target = narrow.memoryAddress();
        long before = first;
        boolean ascending = true;
        for (int i = 0; i <= count; i++) {
            long next = OffHeap.getLong(source + (long) Long.BYTES * i);
            ascending &= next >= before;
            before = next;
            OffHeap.putInt(target + (long) Integer.BYTES * i, (int) (next - first));
        }
        if (!ascending) {
            narrow.close();
        }
        check(slot, ascending, first, last);
        return new Offsets(narrow, first, last - first);
    }

    private void check(Slot slot, boolean ascending, long first, long last) {
        if (!ascending) {
            throw window.place()
                    .corrupt(
                            "The field '%s' has offsets that go back, from %,d to %,d,"
                                    .formatted(slot.field().name(), first, last));
        }
    }

    /** Offsets of values of one size, which the caller owns. */
    ArrowBuf steps(int count, int size) {
        if ((long) count * size > Integer.MAX_VALUE) {
            throw window.place().notSupported("A list of %,d elements".formatted(size));
        }
        ArrowBuf steps = Buffers.allocate(allocator, (count + 1L) * Integer.BYTES);
        for (int i = 0; i <= count; i++) {
            OffHeap.putInt(steps.memoryAddress() + (long) Integer.BYTES * i, i * size);
        }
        return steps;
    }
}
