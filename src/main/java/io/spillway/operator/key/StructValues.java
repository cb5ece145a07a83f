package io.spillway.operator.key;

import io.spillway.batch.OffHeap;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/** Structs, field by field; an entry of a map is one. */
final class StructValues extends KeyValues {

    private final List<KeyValues> fields;

    StructValues(List<KeyValues> fields, KeyForm form, boolean marked) {
        super(form, marked);
        this.fields = fields;
    }

    @Override
    void bind(FieldVector vector) {
        super.bind(vector);
        List<FieldVector> children = vector.getChildrenFromFields();
        for (int i = 0; i < fields.size(); i++) {
            fields.get(i).bind(children.get(i));
        }
    }

    @Override
    void unbind() {
        super.unbind();
        fields.forEach(KeyValues::unbind);
    }

    @Override
    int length(int row) {
        if (nulls.at(row)) {
            return 1;
        }
        int length = marked ? 1 : 0;
        for (KeyValues field : fields) {
            length = sum(length, field.length(row));
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
        for (KeyValues field : fields) {
            at = field.write(row, at);
        }
        return at;
    }
}
