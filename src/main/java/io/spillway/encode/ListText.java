package io.spillway.encode;

import io.spillway.batch.OffHeap;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;

/** Lists as arrays: {@code [1,null,2]}. */
final class ListText extends NestedText {

    private final NestedText elements;
    private long offsets;

    ListText(NestedText elements) {
        this.elements = elements;
    }

    @Override
    void bind(FieldVector vector, int from, int to) {
        if (from == to) {
            return;
        }
        bindValidity(vector);
        offsets = offsets(vector);
        elements.bind(elements(vector), offset(offsets, from), offset(offsets, to));
    }

    @Override
    void appendValue(int index, int row, Scratch scratch, TextBuffer out) {
        int from = offset(offsets, index);
        int to = offset(offsets, index + 1);
        out.append('[');
        if (from < to) {
            if (elements instanceof LeafText leaf) {
                leaf.appendAll(from, to, row, scratch, out);
            } else {
                for (int i = from; i < to; i++) {
                    elements.append(i, row, scratch, out);
                    out.append(',');
                }
            }
            out.end--;
        }
        out.append(']');
    }

    @Override
    long bytes(FieldVector vector, int from, int to) {
        if (from == to) {
            return 0;
        }
        long at = offsets(vector);
        return (long) VALUE_BYTES * (to - from)
                + elements.bytes(elements(vector), offset(at, from), offset(at, to));
    }

    /** Maps, too, are lists to Arrow: of their entries. */
    static FieldVector elements(FieldVector vector) {
        return ((ListVector) vector).getDataVector();
    }

    static long offsets(FieldVector vector) {
        return vector.getOffsetBuffer().memoryAddress();
    }

    static int offset(long offsets, int index) {
        return OffHeap.getInt(offsets + (long) Integer.BYTES * index);
    }
}
