package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import org.apache.arrow.vector.FieldVector;

/** A conversion between bytes of any length and bytes of one length, which others do not fit. */
final class BytesCast extends CastValue {

    BytesCast(Value argument, ColumnType type, boolean safe) {
        super(argument, type, safe);
    }

    @Override
    public Operand evaluate(Input input) {
        try (Operand operand = argument().plain(input)) {
            FieldVector values = operand.vector();
            return Operand.owned(
                    type() instanceof ColumnType.FixedBinary(int width)
                            ? toFixed(values, width, input)
                            : toVariable(values, input));
        }
    }

    private FieldVector toFixed(FieldVector values, int width, Input input) {
        int rows = input.rows();
        BytesReader reader = new BytesReader(values);
        try (FixedOutput out = new FixedOutput(field(), rows, input.allocator())) {
            Bits.copy(Vectors.validity(values), out.validity(), rows);
            OffHeap.zero(out.data(), (long) width * rows);
            for (int row = 0; row < rows; row++) {
                if (!Bits.get(out.validity(), row)) {
                    continue;
                }
                if (reader.length(row) == width) {
                    OffHeap.copy(reader.address(row), out.data() + (long) width * row, width);
                } else {
                    reject(values, row, out.validity());
                }
            }
            return out.take();
        }
    }

    private FieldVector toVariable(FieldVector values, Input input) {
        int rows = input.rows();
        BytesReader reader = new BytesReader(values);
        long bytes = (long) Vectors.width(values) * rows;
        try (BytesOutput out = new BytesOutput(field(), rows, bytes, input.allocator())) {
            Bits.copy(Vectors.validity(values), out.validity(), rows);
            for (int row = 0; row < rows; row++) {
                boolean valid = Bits.get(out.validity(), row);
                out.append(reader.address(row), valid ? reader.length(row) : 0);
            }
            return out.take();
        }
    }
}
