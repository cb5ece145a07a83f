package io.spillway.operator.key;

import io.spillway.batch.OffHeap;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;

/** Lists, and maps as lists of their entries. */
final class ListValues extends KeyValues {

    private final KeyValues elements;
    private long offsets;

    ListValues(KeyValues elements, KeyForm form, boolean marked) {
        super(form, marked);
        this.elements = elements;
    }

    @Override
    void bind(FieldVector vector) {
        super.bind(vector);
        offsets = vector.getValueCount() == 0 ? 0 : vector.getOffsetBuffer().memoryAddress();
        elements.bind(((ListVector) vector).getDataVector());
    }

    @Override
    void unbind() {
        super.unbind();
        elements.unbind();
    }

    @Override
    int length(int row) {
        if (nulls.at(row)) {
            return 1;
        }
        int length = (marked ? 1 : 0) + (form.ordered() ? 1 : Integer.BYTES);
        int end = OffHeap.getInt(offsets + 4L * row + 4);
        for (int i = OffHeap.getInt(offsets + 4L * row); i < end; i++) {
            length = sum(length, elements.length(i));
        }
        return length;
    }

    @Override
    long write(int row, long address) {
        long at = address;
        if (marked) {
            boolean absent = nulls.at(row);
            OffHeap.putByte(at++, absent ? form.absent() : form.value());
            if (absent) {
                return at;
            }
        }
        int start = OffHeap.getInt(offsets + 4L * row);
        int end = OffHeap.getInt(offsets + 4L * row + 4);
        if (!form.ordered()) {
            OffHeap.putInt(at, end - start);
            at += Integer.BYTES;
        }
        for (int i = start; i < end; i++) {
            at = elements.write(i, at);
        }
        if (form.ordered()) {
            OffHeap.putByte(at++, form.end());
        }
        return at;
    }
}
