package io.spillway.expression;

import io.spillway.batch.ColumnType;
import java.util.Arrays;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/**
 * An operand that kernels read as doubles: a constant, or the values of a plain vector of floats in
 * blocks.
 */
final class FloatOperand {

    private final Value value;
    private final int bits;
    private final @Nullable Double constant;

    FloatOperand(Value value) {
        this.value = value;
        this.bits = ((ColumnType.FloatingPoint) value.type()).bits();
        this.constant =
                value instanceof ConstantValue c && c.constant() instanceof Constant.Fixed f
                        ? Double.longBitsToDouble(f.low())
                        : null;
    }

    boolean total() {
        return value.total();
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

        void load(int from, int count, double[] to) {
            FieldVector vector = vector();
            if (vector == null) {
                Arrays.fill(to, 0, count, constant == null ? 0 : constant);
            } else {
                Doubles.load(vector, bits, from, count, to);
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
