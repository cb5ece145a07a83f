package io.spillway.scan.arrow;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.Dictionary;
import io.spillway.batch.OffHeap;
import io.spillway.scan.arrow.ArrowField.DictionaryRef;
import io.spillway.scan.arrow.BatchShape.Slot;
import io.spillway.scan.bytes.Bits;
import io.spillway.scan.bytes.Buffers;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/** Makes dictionary-encoded columns of a window's indices, every one of them checked. */
final class IndexLoader {

    private final Window window;
    private final BufferAllocator allocator;
    private final Map<Long, DictionaryEntries> dictionaries;

    IndexLoader(Window window, Map<Long, DictionaryEntries> dictionaries) {
        this.window = window;
        this.allocator = window.allocator();
        this.dictionaries = dictionaries;
    }

    /**
     * Some values of a field that has a dictionary; owned by the caller.
     *
     * @param validity of the indices; stays the caller's
     * @param parent as for {@link VectorLoader#checkNoNulls}
     */
    ColumnVector.Encoded load(Slot slot, long from, int count, ArrowBuf validity, long parent) {
        DictionaryRef ref = ref(slot);
        DictionaryEntries entries = entries(ref, count);
        if (!(slot.field().layout() instanceof Layout.Fixed(int width, var _))) {
            throw new IllegalStateException("indices of no fixed width");
        }
        IntVector vector = new IntVector(slot.field().name(), allocator);
        try (ArrowBuf data = data(slot, from, count, width, ref.signed());
                ArrowBuf valid = validity(validity, data, entries, count, ref.id())) {
            if (!slot.field().nullable() && entries.validity() != null) {
                VectorLoader.checkNoNulls(
                        slot, valid.memoryAddress(), parent, count, window.place());
            }
            vector.loadFieldBuffers(new ArrowFieldNode(count, 0), List.of(valid, data));
            return new ColumnVector.Encoded(vector, entries.dictionary().retain());
        } catch (Throwable t) {
            vector.close();
            throw t;
        }
    }

    private static DictionaryRef ref(Slot slot) {
        DictionaryRef ref = slot.field().dictionary();
        if (ref == null) {
            throw new IllegalStateException("a field without a dictionary");
        }
        return ref;
    }

    private DictionaryEntries entries(DictionaryRef ref, int count) {
        DictionaryEntries entries = dictionaries.get(ref.id());
        if (entries == null) {
            throw window.place()
                    .inDictionary(ref.id())
                    .corrupt("%,d values have no dictionary".formatted(count));
        }
        return entries;
    }

    /** Indices of 4 bytes, which the caller owns; those that do not fit become -1. */
    private ArrowBuf data(Slot slot, long from, int count, int width, boolean signed) {
        int buffer = slot.firstBuffer() + 1;
        if (width == Integer.BYTES || count == 0) {
            return window.share(buffer, from * width, (long) count * width);
        }
        long source = window.address(buffer, from * width, (long) count * width);
        ArrowBuf data = Buffers.allocate(allocator, (long) count * Integer.BYTES);
        long target = data.memoryAddress();
        for (int i = 0; i < count; i++) {
            int index =
                    switch (width) {
                        case Byte.BYTES -> {
                            byte value = OffHeap.getByte(source + i);
                            yield signed ? value : value & 0xFF;
                        }
                        case Short.BYTES -> {
                            short value = OffHeap.getShort(source + 2L * i);
                            yield signed ? value : value & 0xFFFF;
                        }
                        default -> {
                            long value = OffHeap.getLong(source + 8L * i);
                            yield value == (int) value ? (int) value : -1;
                        }
                    };
            OffHeap.putInt(target + (long) Integer.BYTES * i, index);
        }
        return data;
    }

    /** Which values are there, which the caller owns: those whose entry is null are not. */
    private ArrowBuf validity(
            ArrowBuf validity, ArrowBuf data, DictionaryEntries entries, int count, long id) {
        Dictionary dictionary = entries.dictionary();
        int size = dictionary.size();
        long indices = data.memoryAddress();
        long valid = validity.memoryAddress();
        for (int i = 0; i < count; i++) {
            int index = OffHeap.getInt(indices + (long) Integer.BYTES * i);
            if ((index < 0 || index >= size) && Bits.get(valid, i)) {
                throw window.place()
                        .inDictionary(id)
                        .corrupt(
                                "There is an index %,d, but there are %,d entries"
                                        .formatted(index, size));
            }
        }
        ArrowBuf there = entries.validity();
        if (there == null || count == 0) {
            validity.getReferenceManager().retain();
            return validity;
        }
        return merged(valid, indices, there, count);
    }

    private ArrowBuf merged(long valid, long indices, ArrowBuf there, int count) {
        ArrowBuf merged = Buffers.bitmap(allocator, count);
        long target = merged.memoryAddress();
        Bits.copy(valid, 0, target, 0, count);
        for (int i = 0; i < count; i++) {
            if (Bits.get(target, i)) {
                int index = OffHeap.getInt(indices + (long) Integer.BYTES * i);
                if (!Bits.get(there.memoryAddress(), index)) {
                    Bits.set(target, i, 1, false);
                }
            }
        }
        return merged;
    }
}
