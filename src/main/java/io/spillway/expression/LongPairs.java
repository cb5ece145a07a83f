package io.spillway.expression;

import io.spillway.batch.ColumnType;
import java.util.function.LongBinaryOperator;
import org.apache.arrow.vector.types.pojo.Field;

/** Makes one fixed-width value of two, wherever both are there. */
final class LongPairs {

    private LongPairs() {}

    /**
     * A column of results; null where either value is.
     *
     * @param field of the column, whose type is {@code type}
     * @param function called for pairs of values only
     */
    static Operand evaluate(
            LongOperand left,
            LongOperand right,
            ColumnType type,
            Field field,
            Input input,
            LongBinaryOperator function) {
        int rows = input.rows();
        Scratch scratch = input.scratch();
        try (LongOperand.Rows l = left.open(input);
                LongOperand.Rows r = right.open(input);
                FixedOutput out = new FixedOutput(field, rows, input.allocator())) {
            Bits.fill(out.validity(), rows, true);
            l.restrict(out.validity(), rows);
            r.restrict(out.validity(), rows);
            for (int from = 0; from < rows; from += Scratch.BLOCK) {
                int count = Math.min(Scratch.BLOCK, rows - from);
                l.load(from, count, scratch.left);
                r.load(from, count, scratch.right);
                for (int i = 0; i < count; i++) {
                    scratch.result[i] =
                            Bits.get(out.validity(), from + i)
                                    ? function.applyAsLong(scratch.left[i], scratch.right[i])
                                    : 0;
                }
                Longs.store(type, out.data(), from, count, scratch.result);
            }
            return Operand.owned(out.take());
        }
    }
}
