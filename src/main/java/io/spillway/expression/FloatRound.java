package io.spillway.expression;

import io.spillway.batch.ColumnType;
import org.apache.arrow.vector.types.pojo.Field;

/** ROUND of floats to decimal digits. */
final class FloatRound implements Value {

    private final FloatOperand argument;
    private final LongOperand digits;
    private final ColumnType.FloatingPoint type;
    private final Field field;

    FloatRound(Value argument, Value digits, ColumnType.FloatingPoint type) {
        this.argument = new FloatOperand(argument);
        this.digits = new LongOperand(digits);
        this.type = type;
        this.field = Vectors.field(type);
    }

    @Override
    public ColumnType type() {
        return type;
    }

    @Override
    public boolean total() {
        return argument.total() && digits.total();
    }

    @Override
    public Operand evaluate(Input input) {
        int rows = input.rows();
        Scratch scratch = input.scratch();
        try (FloatOperand.Rows values = argument.open(input);
                LongOperand.Rows places = digits.open(input);
                FixedOutput out = new FixedOutput(field, rows, input.allocator())) {
            Bits.fill(out.validity(), rows, true);
            values.restrict(out.validity(), rows);
            places.restrict(out.validity(), rows);
            for (int from = 0; from < rows; from += Scratch.BLOCK) {
                int count = Math.min(Scratch.BLOCK, rows - from);
                values.load(from, count, scratch.leftDoubles);
                places.load(from, count, scratch.right);
                for (int i = 0; i < count; i++) {
                    scratch.resultDoubles[i] =
                            FloatMath.round(scratch.leftDoubles[i], scratch.right[i]);
                }
                Doubles.store(type.bits(), out.data(), from, count, scratch.resultDoubles);
            }
            return Operand.owned(out.take());
        }
    }
}
