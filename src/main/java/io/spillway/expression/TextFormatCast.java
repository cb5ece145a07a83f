package io.spillway.expression;

import io.spillway.batch.ColumnType;
import org.apache.arrow.vector.FieldVector;

/** A conversion to text: never fails. */
final class TextFormatCast extends CastValue {

    /** A guess at the bytes of a value. */
    private static final int ESTIMATE = 12;

    private final TextBuilder text = new TextBuilder();

    TextFormatCast(Value argument, boolean safe) {
        super(argument, new ColumnType.Utf8(), safe);
    }

    @Override
    public boolean total() {
        return argument().total();
    }

    @Override
    public Operand evaluate(Input input) {
        int rows = input.rows();
        try (Operand operand = argument().plain(input);
                BytesOutput out =
                        new BytesOutput(field(), rows, (long) ESTIMATE * rows, input.allocator())) {
            FieldVector values = operand.vector();
            Bits.copy(Vectors.validity(values), out.validity(), rows);
            for (int row = 0; row < rows; row++) {
                text.clear();
                if (Bits.get(out.validity(), row)) {
                    ValueFormat.append(from(), values, row, text);
                }
                out.append(text.bytes(), text.length());
            }
            return Operand.owned(out.take());
        }
    }
}
