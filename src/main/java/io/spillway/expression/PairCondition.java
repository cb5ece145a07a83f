package io.spillway.expression;

import org.apache.arrow.vector.FieldVector;

/** A test of two values, unknown where either is null. */
record PairCondition(Value left, Value right, PairTest test) implements Condition {

    @Override
    public boolean total() {
        return left.total() && right.total();
    }

    @Override
    public void test(Input input, Truth verdicts) {
        int rows = input.rows();
        try (Operand l = left.plain(input);
                Operand r = right.plain(input)) {
            FieldVector x = l.vector();
            FieldVector y = r.vector();
            verdicts.reset(rows);
            long[] yes = verdicts.yes();
            long[] no = verdicts.no();
            test.test(x, y, rows, input.scratch(), yes);
            for (int w = 0; w < verdicts.words(); w++) {
                long valid =
                        Bits.load(Vectors.validity(x), w, rows)
                                & Bits.load(Vectors.validity(y), w, rows);
                no[w] = valid & ~yes[w];
                yes[w] &= valid;
            }
        }
    }
}
