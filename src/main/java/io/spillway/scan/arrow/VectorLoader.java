package io.spillway.scan.arrow;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import io.spillway.expression.Decode;
import io.spillway.scan.arrow.BatchShape.Slot;
import io.spillway.scan.bytes.Bits;
import io.spillway.scan.bytes.Buffers;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/**
 * Makes vectors of a window. What can be is shared: values of a fixed width, bytes of texts,
 * bitmaps that begin at a byte and offsets that begin at 0. Every offset, index and view is
 * checked.
 */
final class VectorLoader {

    private final Window window;
    private final BufferAllocator allocator;
    private final IndexLoader indices;
    private final OffsetLoader offsets;

    /**
     * A loader.
     *
     * @param window stays the caller's, as the dictionaries do
     * @param dictionaries by id
     */
    VectorLoader(Window window, Map<Long, DictionaryEntries> dictionaries) {
        this.window = window;
        this.allocator = window.allocator();
        this.indices = new IndexLoader(window, dictionaries);
        this.offsets = new OffsetLoader(window);
    }

    /** Some values of a column, which the caller owns; in dictionary form if a reader may. */
    ColumnVector column(Slot slot, long from, int count) {
        ArrowField field = slot.field();
        if (field.dictionary() == null) {
            return new ColumnVector.Plain(plain(slot, from, count));
        }
        try (ArrowBuf validity = validity(slot, from, count, 0)) {
            ColumnVector.Encoded encoded = indices.load(slot, from, count, validity, 0);
            if (staysEncoded(field)) {
                return encoded;
            }
            try (encoded) {
                return new ColumnVector.Plain(Decode.decode(encoded, allocator));
            }
        }
    }

    /** Whether a dictionary is of use to others: not for what is short or nested. */
    private static boolean staysEncoded(ArrowField field) {
        ColumnType type = field.column().type();
        return !type.isNested() && !(type instanceof ColumnType.Bool);
    }

    /** Some values of a field in plain form, which the caller owns. */
    FieldVector plain(Slot slot, long from, int count) {
        FieldVector vector = slot.field().column().toArrow().createVector(allocator);
        try {
            fill(vector, slot, from, count, 0);
            return vector;
        } catch (Throwable t) {
            vector.close();
            throw t;
        }
    }

    /**
     * Fills an empty vector.
     *
     * @param parent the address of its parent's bitmap, where a null makes its children's values
     *     meaningless; 0 if there is none
     */
    private void fill(FieldVector vector, Slot slot, long from, int count, long parent) {
        try (ArrowBuf validity = validity(slot, from, count, parent)) {
            if (slot.field().dictionary() != null) {
                try (ColumnVector.Encoded encoded =
                                indices.load(slot, from, count, validity, parent);
                        FieldVector decoded = Decode.decode(encoded, allocator)) {
                    decoded.makeTransferPair(vector).transfer();
                }
                return;
            }
            switch (slot.field().layout()) {
                case Layout.Nulls _ -> nulls(vector, count, validity);
                case Layout.Bits _ -> bits(vector, slot, from, count, validity);
                case Layout.Fixed(int width, Layout.Conversion conversion) ->
                        fixed(vector, slot, from, count, validity, width, conversion);
                case Layout.Bytes _ -> bytes(vector, slot, from, count, validity);
                case Layout.Views _ -> views(vector, slot, from, count, validity);
                case Layout.Elements _ -> elements(vector, slot, from, count, validity);
                case Layout.FixedElements(int size) -> {
                    try (ArrowBuf steps = offsets.steps(count, size)) {
                        load(vector, count, validity, steps);
                    }
                    element(vector, slot, from * size, (long) count * size);
                }
                case Layout.Fields _ -> {
                    load(vector, count, validity);
                    List<FieldVector> children = vector.getChildrenFromFields();
                    for (int i = 0; i < children.size(); i++) {
                        Slot child = slot.children().get(i);
                        fill(children.get(i), child, from, count, validity.memoryAddress());
                    }
                }
                case Layout.Unread _ -> throw new IllegalStateException("an unreadable field");
            }
        }
    }

    private static void load(FieldVector vector, int count, ArrowBuf... buffers) {
        vector.loadFieldBuffers(new ArrowFieldNode(count, 0), List.of(buffers));
    }

    private void nulls(FieldVector vector, int count, ArrowBuf validity) {
        try (ArrowBuf steps = offsets.steps(count, 0);
                ArrowBuf data = Window.nothing(allocator)) {
            load(vector, count, validity, steps, data);
        }
    }

    private void bits(FieldVector vector, Slot slot, long from, int count, ArrowBuf validity) {
        try (ArrowBuf data = bitmap(slot.firstBuffer() + 1, from, count)) {
            load(vector, count, validity, data);
        }
    }

    private void fixed(
            FieldVector vector,
            Slot slot,
            long from,
            int count,
            ArrowBuf validity,
            int width,
            Layout.Conversion conversion) {
        int buffer = slot.firstBuffer() + 1;
        try (ArrowBuf data =
                conversion == Layout.Conversion.NONE
                        ? window.share(buffer, from * width, (long) count * width)
                        : Conversions.convert(
                                window, slot, from, count, validity.memoryAddress())) {
            load(vector, count, validity, data);
        }
    }

    private void bytes(FieldVector vector, Slot slot, long from, int count, ArrowBuf validity) {
        try (OffsetLoader.Offsets rows = offsets.load(slot, from, count);
                ArrowBuf data = window.share(slot.firstBuffer() + 2, rows.first(), rows.length())) {
            load(vector, count, validity, rows.buffer(), data);
        }
    }

    private void views(FieldVector vector, Slot slot, long from, int count, ArrowBuf validity) {
        long total = Views.bytes(window, slot, from, count);
        if (total > Integer.MAX_VALUE) {
            throw window.place().notSupported("A value of %,d bytes".formatted(total));
        }
        try (ArrowBuf ends = Buffers.allocate(allocator, (count + 1L) * Integer.BYTES);
                ArrowBuf data = Buffers.allocate(allocator, total + Buffers.PADDING)) {
            OffHeap.putInt(ends.memoryAddress(), 0);
            int end = 0;
            long first = count == 0 ? 0 : address(slot, from, count);
            for (int i = 0; i < count; i++) {
                long view = first + (long) Views.BYTES * i;
                int length = Views.length(view);
                if (Bits.get(validity.memoryAddress(), i)) {
                    if (length < 0) {
                        throw window.place().corrupt("A view has %,d bytes".formatted(length));
                    }
                    Views.copy(window, slot, view, length, data.memoryAddress() + end);
                    end += length;
                }
                OffHeap.putInt(ends.memoryAddress() + (i + 1L) * Integer.BYTES, end);
            }
            load(vector, count, validity, ends, data);
        }
    }

    private long address(Slot slot, long from, int count) {
        return window.address(
                slot.firstBuffer() + 1, from * Views.BYTES, (long) count * Views.BYTES);
    }

    private void elements(FieldVector vector, Slot slot, long from, int count, ArrowBuf validity) {
        long first;
        long length;
        try (OffsetLoader.Offsets rows = offsets.load(slot, from, count)) {
            load(vector, count, validity, rows.buffer());
            first = rows.first();
            length = rows.length();
        }
        element(vector, slot, first, length);
    }

    private void element(FieldVector vector, Slot slot, long from, long count) {
        Slot child = slot.children().getFirst();
        if (count > Integer.MAX_VALUE) {
            throw window.place().notSupported("A list of %,d elements".formatted(count));
        }
        if (from > child.length() - count) {
            throw window.place()
                    .corrupt(
                            "The field '%s' has offsets beyond its %,d elements"
                                    .formatted(slot.field().name(), child.length()));
        }
        fill(((ListVector) vector).getDataVector(), child, from, (int) count, 0);
    }

    /** A bitmap of validity, which the caller owns; all ones for a field that has no nulls. */
    private ArrowBuf validity(Slot slot, long from, int count, long parent) {
        if (slot.field().layout() instanceof Layout.Nulls) {
            ArrowBuf none = Buffers.allocate(allocator, Math.max(1, Bits.bytes(count)));
            OffHeap.zero(none.memoryAddress(), none.capacity());
            return none;
        }
        if (slot.nulls() == 0 || count == 0) {
            return ones(allocator, count);
        }
        if (!window.has(slot.firstBuffer())) {
            throw window.place()
                    .corrupt(
                            "The field '%s' has nulls, but no bitmap of them"
                                    .formatted(slot.field().name()));
        }
        ArrowBuf bitmap = bitmap(slot.firstBuffer(), from, count);
        if (slot.field().nullable()) {
            return bitmap;
        }
        try (bitmap) {
            checkNoNulls(slot, bitmap.memoryAddress(), parent, count, window.place());
        }
        return ones(allocator, count);
    }

    /** That a field that is declared without nulls has none where its parent has a value. */
    static void checkNoNulls(Slot slot, long bitmap, long parent, int count, Place place) {
        for (long at = 0; at < Bits.bytes(count); at += Long.BYTES) {
            long there = OffHeap.getLong(bitmap + at);
            if (parent != 0) {
                there |= ~OffHeap.getLong(parent + at);
            }
            long left = count - at * Byte.SIZE;
            long mask = left < Long.SIZE ? (1L << left) - 1 : -1;
            if ((there & mask) != mask) {
                throw place.corrupt(
                        "The field '%s' has a null, but is declared to have none"
                                .formatted(slot.field().name()));
            }
        }
    }

    static ArrowBuf ones(BufferAllocator allocator, int count) {
        long bytes = Math.max(1, Bits.bytes(count));
        ArrowBuf ones = Buffers.allocate(allocator, bytes);
        OffHeap.fill(ones.memoryAddress(), bytes, (byte) -1);
        return ones;
    }

    /** Bits of a buffer from bit 0 on, which the caller owns. */
    private ArrowBuf bitmap(int buffer, long from, int count) {
        long first = from >>> 3;
        int shift = (int) from & 7;
        long bytes = (shift + (long) count + 7) >>> 3;
        if (shift == 0 || count == 0) {
            return window.share(buffer, first, count == 0 ? 0 : bytes);
        }
        long source = window.address(buffer, first, bytes);
        ArrowBuf bits = Buffers.bitmap(allocator, count);
        Bits.copy(source, shift, bits.memoryAddress(), 0, count);
        return bits;
    }
}
