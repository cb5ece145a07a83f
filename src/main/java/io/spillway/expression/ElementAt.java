package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.pojo.Field;

/** ELEMENT_AT: the element of each list at a position; null where there is none. */
final class ElementAt implements Value {

    private final Value lists;
    private final RowOperand positions;
    private final ColumnType type;
    private final Field field;

    ElementAt(Value lists, Value positions, ColumnType type) {
        this.lists = lists;
        this.positions = new RowOperand(positions);
        this.type = type;
        this.field = Vectors.field(type);
    }

    @Override
    public ColumnType type() {
        return type;
    }

    @Override
    public boolean total() {
        return lists.total() && positions.total();
    }

    @Override
    public Operand evaluate(Input input) {
        int rows = input.rows();
        try (Operand operand = lists.plain(input);
                RowOperand.Rows wanted = positions.open(input)) {
            ListVector vector = (ListVector) operand.vector();
            long offsets = Vectors.offsets(vector);
            long numbers = Vectors.data(wanted.vector());
            Runs runs = new Runs(16);
            for (int row = 0; row < rows; row++) {
                int at = wanted.row(row);
                boolean known =
                        Bits.get(Vectors.validity(vector), row)
                                && Bits.get(Vectors.validity(wanted.vector()), at);
                int element =
                        known
                                ? element(offsets + 4L * row, OffHeap.getLong(numbers + 8L * at))
                                : -1;
                runs.add(element < 0 ? Runs.NULLS : 0, Math.max(element, 0), 1);
            }
            FieldVector[] elements = {vector.getDataVector()};
            return Operand.owned(RunCopy.copy(field, elements, runs, input.allocator()));
        }
    }

    /** Where among all elements the one at a position of a list is, or -1. */
    private static int element(long offset, long position) {
        int start = OffHeap.getInt(offset);
        int count = OffHeap.getInt(offset + 4) - start;
        if (position > 0 && position <= count) {
            return start + (int) position - 1;
        }
        return position < 0 && position >= -count ? start + count + (int) position : -1;
    }
}
