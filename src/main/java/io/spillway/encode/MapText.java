package io.spillway.encode;

import java.util.List;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/**
 * Maps with keys of text as objects: {@code {"k":1}}. No object has a key twice: where a map does,
 * only the last pair with it is written, since that is the one that counts (Parquet's rule for its
 * type MAP). Maps with keys of other types are arrays of objects with a key and a value, as {@link
 * ListText} and {@link StructText} write Arrow's entries.
 */
final class MapText extends NestedText {

    private final LeafText keys;
    private final NestedText values;
    private final LastOfKey lastOfKey = new LastOfKey();
    private long offsets;
    private @Nullable BaseVariableWidthVector keyVector;

    MapText(LeafText keys, NestedText values) {
        this.keys = keys;
        this.values = values;
    }

    @Override
    void bind(FieldVector vector, int from, int to) {
        if (from == to) {
            return;
        }
        bindValidity(vector);
        offsets = ListText.offsets(vector);
        int first = ListText.offset(offsets, from);
        int end = ListText.offset(offsets, to);
        List<FieldVector> entries = ListText.elements(vector).getChildrenFromFields();
        keyVector = (BaseVariableWidthVector) entries.get(0);
        keys.bind(entries.get(0), first, end);
        values.bind(entries.get(1), first, end);
    }

    @Override
    void appendValue(int index, int row, Scratch scratch, TextBuffer out) {
        int from = ListText.offset(offsets, index);
        int to = ListText.offset(offsets, index + 1);
        out.append('{');
        if (from < to && keyVector != null) {
            lastOfKey.find(keyVector, from, to);
            for (int i = from; i < to; i++) {
                if (lastOfKey.is(i - from)) {
                    keys.append(i, row, scratch, out);
                    out.append(':');
                    values.append(i, row, scratch, out);
                    out.append(',');
                }
            }
            out.end--;
        }
        out.append('}');
    }

    @Override
    long bytes(FieldVector vector, int from, int to) {
        if (from == to) {
            return 0;
        }
        long at = ListText.offsets(vector);
        int first = ListText.offset(at, from);
        int end = ListText.offset(at, to);
        List<FieldVector> entries = ListText.elements(vector).getChildrenFromFields();
        return (long) VALUE_BYTES * (to - from)
                + keys.bytes(entries.get(0), first, end)
                + values.bytes(entries.get(1), first, end);
    }
}
