package io.spillway.expression;

import io.spillway.batch.ColumnType;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;

/** A function of texts whose result is an integer; null if an argument is. */
final class TextMeasure implements Value {

    /** What is computed of the texts of a row. */
    interface Operator {
        long measure(TextArguments arguments);
    }

    private final Operator operator;
    private final List<RowOperand> arguments;
    private final ColumnType.Int type;
    private final Field field;

    TextMeasure(Operator operator, List<Value> arguments, ColumnType.Int type) {
        this.operator = operator;
        this.arguments = arguments.stream().map(RowOperand::new).toList();
        this.type = type;
        this.field = Vectors.field(type);
    }

    @Override
    public ColumnType type() {
        return type;
    }

    @Override
    public boolean total() {
        return arguments.stream().allMatch(RowOperand::total);
    }

    @Override
    public Operand evaluate(Input input) {
        int rows = input.rows();
        long[] results = input.scratch().result;
        try (TextArguments open = TextArguments.open(arguments, input);
                FixedOutput out = new FixedOutput(field, rows, input.allocator())) {
            open.validity(out.validity(), rows);
            for (int from = 0; from < rows; from += Scratch.BLOCK) {
                int count = Math.min(Scratch.BLOCK, rows - from);
                for (int i = 0; i < count; i++) {
                    results[i] = 0;
                    if (Bits.get(out.validity(), from + i)) {
                        open.moveTo(from + i);
                        results[i] = operator.measure(open);
                    }
                }
                Longs.store(type, out.data(), from, count, results);
            }
            return Operand.owned(out.take());
        }
    }
}
