package io.spillway.expression;

import io.spillway.batch.ColumnType;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/** STRUCT_EXTRACT: a field of each struct; null where the struct is. */
final class StructField implements Value {

    private final Value structs;
    private final int position;
    private final ColumnType type;
    private final Field field;

    StructField(Value structs, int position, ColumnType type) {
        this.structs = structs;
        this.position = position;
        this.type = type;
        this.field = Vectors.field(type);
    }

    @Override
    public ColumnType type() {
        return type;
    }

    @Override
    public boolean total() {
        return structs.total();
    }

    @Override
    public Operand evaluate(Input input) {
        int rows = input.rows();
        try (Operand operand = structs.plain(input)) {
            FieldVector vector = operand.vector();
            Runs runs = new Runs(16);
            if (vector.getNullCount() == 0) {
                runs.add(0, 0, rows);
            } else {
                for (int row = 0; row < rows; row++) {
                    boolean there = Bits.get(Vectors.validity(vector), row);
                    runs.add(there ? 0 : Runs.NULLS, there ? row : 0, 1);
                }
            }
            FieldVector[] values = {vector.getChildrenFromFields().get(position)};
            return Operand.owned(RunCopy.copy(field, values, runs, input.allocator()));
        }
    }
}
