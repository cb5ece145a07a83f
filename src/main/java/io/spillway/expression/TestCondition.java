package io.spillway.expression;

import org.apache.arrow.vector.FieldVector;

/** A test of one value, unknown where that is null. */
record TestCondition(Value argument, VectorTest test) implements Condition {

    @Override
    public boolean total() {
        return argument.total();
    }

    @Override
    public void test(Input input, Truth verdicts) {
        int rows = input.rows();
        try (Operand operand = argument.plain(input)) {
            FieldVector vector = operand.vector();
            verdicts.reset(rows);
            long[] yes = verdicts.yes();
            long[] no = verdicts.no();
            test.test(vector, rows, input.scratch(), yes);
            long validity = Vectors.validity(vector);
            for (int w = 0; w < verdicts.words(); w++) {
                long valid = Bits.load(validity, w, rows);
                no[w] = valid & ~yes[w];
                yes[w] &= valid;
            }
        }
    }
}
