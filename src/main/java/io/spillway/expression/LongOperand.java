package io.spillway.expression;

import io.spillway.batch.ColumnType;
import java.util.Arrays;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/**
 * An operand that kernels read as 64-bit integers: a constant, or the values of a plain vector in
 * blocks.
 */
final class LongOperand {

    private final Value value;
    private final @Nullable Long constant;

    LongOperand(Value value) {
        this.value = value;
        this.constant =
                value instanceof ConstantValue c && c.constant() instanceof Constant.Fixed f
                        ? f.low()
                        : null;
    }

    boolean total() {
        return value.total();
    }

    ColumnType type() {
        return value.type();
    }

    /** Evaluates; the rows are read from what this gives, which the caller closes. */
    Rows open(Input input) {
        return new Rows(constant == null ? value.plain(input) : null);
    }

    /** The operand's values for the rows of one input. */
    final class Rows implements AutoCloseable {

        private final @Nullable Operand operand;

        private Rows(@Nullable Operand operand) {
            this.operand = operand;
        }

        private @Nullable FieldVector vector() {
            return operand == null ? null : operand.vector();
        }

        void load(int from, int count, long[] to) {
            FieldVector vector = vector();
            if (vector == null) {
                Arrays.fill(to, 0, count, constant == null ? 0 : constant);
            } else {
                Longs.load(vector, value.type(), from, count, to);
            }
        }

        /** Clears the validity bits of rows that are null here. */
        void restrict(long validity, int rows) {
            FieldVector vector = vector();
            if (vector != null) {
                Bits.and(Vectors.validity(vector), validity, rows);
            }
        }

        @Override
        public void close() {
            if (operand != null) {
                operand.close();
            }
        }
    }
}
