package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/** CARDINALITY of lists and maps: how far their offsets are apart. */
record Cardinality(Value argument) implements Value {

    private static final ColumnType TYPE = new ColumnType.Int(64, true);
    private static final Field FIELD = Vectors.field(TYPE);

    @Override
    public ColumnType type() {
        return TYPE;
    }

    @Override
    public boolean total() {
        return argument.total();
    }

    @Override
    public Operand evaluate(Input input) {
        int rows = input.rows();
        try (Operand operand = argument.plain(input);
                FixedOutput out = new FixedOutput(FIELD, rows, input.allocator())) {
            FieldVector lists = operand.vector();
            Bits.copy(Vectors.validity(lists), out.validity(), rows);
            long offsets = Vectors.offsets(lists);
            for (int row = 0; row < rows; row++) {
                long at = offsets + 4L * row;
                boolean there = Bits.get(out.validity(), row);
                long count = there ? OffHeap.getInt(at + 4) - OffHeap.getInt(at) : 0;
                OffHeap.putLong(out.data() + 8L * row, count);
            }
            return Operand.owned(out.take());
        }
    }
}
