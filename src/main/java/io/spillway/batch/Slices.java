package io.spillway.batch;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/**
 * Slicing of Arrow vectors without giving up the original. Buffers are shared; only bitmaps are
 * copied where a slice does not begin at a byte's border, and offsets where it does not begin at
 * the first element or byte, since every vector's own offsets count from 0. Arrow's own slices do
 * the same, but byte by byte and offset by offset, which takes two to four times as long.
 */
final class Slices {

    private Slices() {}

    /** Values {@code [from, from + count)}; the caller owns the slice. */
    static FieldVector slice(FieldVector vector, int from, int count) {
        FieldVector part = vector.getField().createVector(vector.getAllocator());
        try {
            slice(vector, from, count, part);
            return part;
        } catch (Throwable t) {
            part.close();
            throw t;
        }
    }

    private static void slice(FieldVector vector, int from, int count, FieldVector to) {
        if (count == 0) {
            to.setValueCount(0);
            return;
        }
        try (ArrowBuf validity = bits(vector, vector.getValidityBuffer(), from, count)) {
            switch (vector) {
                case StructVector struct -> {
                    load(to, count, validity);
                    List<FieldVector> children = struct.getChildrenFromFields();
                    List<FieldVector> parts = to.getChildrenFromFields();
                    for (int i = 0; i < children.size(); i++) {
                        slice(children.get(i), from, count, parts.get(i));
                    }
                }
                // Maps, too, are lists to Arrow: of their entries.
                case ListVector list -> {
                    int first = offset(list, from);
                    try (ArrowBuf offsets = offsets(list, from, count, first)) {
                        load(to, count, validity, offsets);
                    }
                    FieldVector elements = to.getChildrenFromFields().getFirst();
                    slice(
                            list.getDataVector(),
                            first,
                            offset(list, from + count) - first,
                            elements);
                }
                case BaseVariableWidthVector bytes -> {
                    int first = offset(bytes, from);
                    int length = offset(bytes, from + count) - first;
                    try (ArrowBuf offsets = offsets(bytes, from, count, first);
                            ArrowBuf data = share(bytes.getDataBuffer(), first, length)) {
                        load(to, count, validity, offsets, data);
                    }
                }
                case BitVector bits -> {
                    try (ArrowBuf data = bits(bits, bits.getDataBuffer(), from, count)) {
                        load(to, count, validity, data);
                    }
                }
                case BaseFixedWidthVector fixed -> {
                    long width = fixed.getTypeWidth();
                    try (ArrowBuf data =
                            share(fixed.getDataBuffer(), width * from, width * count)) {
                        load(to, count, validity, data);
                    }
                }
                default ->
                        throw new IllegalArgumentException("a vector of " + vector.getMinorType());
            }
        }
    }

    /** The vector takes references of its own. */
    private static void load(FieldVector vector, int count, ArrowBuf... buffers) {
        vector.loadFieldBuffers(new ArrowFieldNode(count, 0), List.of(buffers));
    }

    private static int offset(FieldVector vector, int index) {
        return OffHeap.getInt(
                vector.getOffsetBuffer().memoryAddress() + (long) Integer.BYTES * index);
    }

    private static ArrowBuf offsets(FieldVector vector, int from, int count, int first) {
        ArrowBuf all = vector.getOffsetBuffer();
        long bytes = (count + 1L) * Integer.BYTES;
        if (first == 0) {
            return share(all, (long) Integer.BYTES * from, bytes);
        }
        ArrowBuf offsets = vector.getAllocator().buffer(bytes);
        long source = all.memoryAddress() + (long) Integer.BYTES * from;
        long target = offsets.memoryAddress();
        for (int i = 0; i <= count; i++) {
            long step = (long) Integer.BYTES * i;
            OffHeap.putInt(target + step, OffHeap.getInt(source + step) - first);
        }
        return offsets;
    }

    /** Some bits of a vector's buffer, from bit 0 on. */
    private static ArrowBuf bits(FieldVector vector, ArrowBuf all, int from, int count) {
        int firstByte = from >>> 3;
        int bytes = (count + 7) >>> 3;
        int shift = from & 7;
        if (shift == 0) {
            return share(all, firstByte, bytes);
        }
        ArrowBuf bits = vector.getAllocator().buffer(bytes);
        long source = all.memoryAddress() + firstByte;
        int sourceBytes = (shift + count + 7) >>> 3;
        long target = bits.memoryAddress();
        int i = 0;
        for (; i + Long.BYTES < sourceBytes; i += Long.BYTES) {
            long low = OffHeap.getLong(source + i) >>> shift;
            long high = (long) OffHeap.getByte(source + i + Long.BYTES) << (Long.SIZE - shift);
            OffHeap.putLong(target + i, low | high);
        }
        for (; i < bytes; i++) {
            int low = OffHeap.getUnsignedByte(source + i) >>> shift;
            int high =
                    i + 1 < sourceBytes
                            ? OffHeap.getUnsignedByte(source + i + 1) << (Byte.SIZE - shift)
                            : 0;
            OffHeap.putByte(target + i, (byte) (low | high));
        }
        return bits;
    }

    /** A part of a buffer with a reference of its own. */
    private static ArrowBuf share(ArrowBuf buffer, long from, long bytes) {
        ArrowBuf part = buffer.slice(from, bytes);
        part.getReferenceManager().retain();
        return part;
    }
}
