package io.spillway.expression;

import io.spillway.batch.ColumnType;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.pojo.Field;

/** NAMED_STRUCT: columns as the fields of structs, none of which is null. Copies no values. */
final class StructOf implements Value {

    private final List<Value> values;
    private final ColumnType type;
    private final Field field;

    /**
     * A struct of values.
     *
     * @param type of a field for each value, of its type
     */
    StructOf(List<Value> values, ColumnType type) {
        this.values = List.copyOf(values);
        this.type = type;
        this.field = Vectors.field(type);
    }

    @Override
    public ColumnType type() {
        return type;
    }

    @Override
    public boolean total() {
        return values.stream().allMatch(Value::total);
    }

    @Override
    public Operand evaluate(Input input) {
        int rows = input.rows();
        StructVector structs = (StructVector) field.createVector(input.allocator());
        try {
            List<ArrowBuf> validity = Vectors.buffers(input.allocator(), Bits.bytes(rows));
            Bits.fill(validity.getFirst().memoryAddress(), rows, true);
            Vectors.load(structs, rows, validity);
            for (int i = 0; i < values.size(); i++) {
                try (Operand operand = values.get(i).plain(input)) {
                    share(operand.vector(), structs.getChildrenFromFields().get(i));
                }
            }
            return Operand.owned(structs);
        } catch (Throwable t) {
            structs.close();
            throw t;
        }
    }

    /** The target takes references of its own to the source's buffers. */
    private static void share(FieldVector source, FieldVector target) {
        target.loadFieldBuffers(
                new ArrowFieldNode(source.getValueCount(), 0), source.getFieldBuffers());
        List<FieldVector> children = source.getChildrenFromFields();
        for (int i = 0; i < children.size(); i++) {
            share(children.get(i), target.getChildrenFromFields().get(i));
        }
    }
}
