package io.spillway.expression;

import org.apache.arrow.vector.FieldVector;

/**
 * An operand that kernels read row by row: a plain vector, or a constant, which is kept as a vector
 * of one row that stands for all.
 */
final class RowOperand {

    private final Value value;

    RowOperand(Value value) {
        this.value = value;
    }

    boolean total() {
        return value.total();
    }

    /** Evaluates; the rows are read from what this gives, which the caller closes. */
    Rows open(Input input) {
        return value instanceof ConstantValue constant
                ? new Rows(Operand.owned(constant.single(input.allocator())), 0)
                : new Rows(value.plain(input), 1);
    }

    /** The operand's values for the rows of one input. */
    static final class Rows implements AutoCloseable {

        private final Operand operand;
        private final int stride;

        private Rows(Operand operand, int stride) {
            this.operand = operand;
            this.stride = stride;
        }

        FieldVector vector() {
            return operand.vector();
        }

        /** Where in the vector the value for a row of the input is. */
        int row(int row) {
            return row * stride;
        }

        /** Clears the validity bits of rows that are null here. */
        void restrict(long validity, int rows) {
            FieldVector vector = vector();
            if (stride != 0) {
                Bits.and(Vectors.validity(vector), validity, rows);
            } else if (vector.getNullCount() != 0) {
                Bits.fill(validity, rows, false);
            }
        }

        @Override
        public void close() {
            operand.close();
        }
    }
}
