package io.spillway.encode;

import java.util.List;
import org.apache.arrow.vector.FieldVector;

/** Structs as objects that always have all fields: {@code {"x":1,"y":null}}. */
final class StructText extends NestedText {

    /** What stands in front of each field's value, from the end of the value before it on. */
    private final byte[][] keys;

    private final NestedText[] fields;

    StructText(List<String> names, List<NestedText> fields) {
        this.fields = fields.toArray(NestedText[]::new);
        keys = new byte[names.size()][];
        for (int i = 0; i < keys.length; i++) {
            byte[] name = JsonText.quoted(names.get(i));
            byte[] key = new byte[name.length + 2];
            key[0] = (byte) (i == 0 ? '{' : ',');
            System.arraycopy(name, 0, key, 1, name.length);
            key[name.length + 1] = ':';
            keys[i] = key;
        }
    }

    @Override
    void bind(FieldVector vector, int from, int to) {
        if (from == to) {
            return;
        }
        bindValidity(vector);
        List<FieldVector> children = vector.getChildrenFromFields();
        for (int i = 0; i < fields.length; i++) {
            fields[i].bind(children.get(i), from, to);
        }
    }

    @Override
    void appendValue(int index, int row, Scratch scratch, TextBuffer out) {
        if (keys.length == 0) {
            out.append('{');
        }
        for (int i = 0; i < keys.length; i++) {
            out.append(keys[i]);
            fields[i].append(index, row, scratch, out);
        }
        out.append('}');
    }

    @Override
    long bytes(FieldVector vector, int from, int to) {
        if (from == to) {
            return 0;
        }
        long sum = (long) VALUE_BYTES * (to - from);
        List<FieldVector> children = vector.getChildrenFromFields();
        for (int i = 0; i < fields.length; i++) {
            sum += (long) keys[i].length * (to - from) + fields[i].bytes(children.get(i), from, to);
        }
        return sum;
    }
}
