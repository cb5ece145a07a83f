package io.spillway.expression;

import io.spillway.batch.ColumnType;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * A function of texts, and perhaps integers, whose result is a text; null if an argument is, and
 * where the function itself says so.
 */
final class TextValue implements Value {

    private static final ColumnType TYPE = new ColumnType.Utf8();
    private static final Field FIELD = Vectors.field(TYPE);

    /** What is computed of the texts of a row. */
    interface Operator {
        /** Writes and ends one value, or a null. */
        void write(TextArguments arguments, BytesOutput out);
    }

    private final Operator operator;
    private final List<RowOperand> arguments;

    /** Whether the function has a result for all arguments. */
    private final boolean total;

    TextValue(Operator operator, List<Value> arguments) {
        this(operator, arguments, true);
    }

    /** A function that raises an error for some values. */
    static TextValue raising(Operator operator, List<Value> arguments) {
        return new TextValue(operator, arguments, false);
    }

    private TextValue(Operator operator, List<Value> arguments, boolean total) {
        this.operator = operator;
        this.total = total;
        this.arguments = arguments.stream().map(RowOperand::new).toList();
    }

    @Override
    public ColumnType type() {
        return TYPE;
    }

    @Override
    public boolean total() {
        return total && arguments.stream().allMatch(RowOperand::total);
    }

    @Override
    public Operand evaluate(Input input) {
        int rows = input.rows();
        try (TextArguments open = TextArguments.open(arguments, input);
                BytesOutput out = new BytesOutput(FIELD, rows, open.bytes(), input.allocator())) {
            open.validity(out.validity(), rows);
            for (int row = 0; row < rows; row++) {
                if (Bits.get(out.validity(), row)) {
                    open.moveTo(row);
                    operator.write(open, out);
                } else {
                    out.end(0);
                }
            }
            return Operand.owned(out.take());
        }
    }
}
