package io.spillway.expression;

import org.apache.arrow.vector.FieldVector;

/**
 * IS NOT DISTINCT FROM: equal, or both null; never unknown.
 *
 * @param equality tests two values that are not null
 */
record DistinctCondition(Value left, Value right, PairTest equality) implements Condition {

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
            equality.test(x, y, rows, input.scratch(), yes);
            for (int w = 0; w < verdicts.words(); w++) {
                long a = Bits.load(Vectors.validity(x), w, rows);
                long b = Bits.load(Vectors.validity(y), w, rows);
                yes[w] = ((yes[w] & a & b) | ~(a | b)) & Bits.mask(w, rows);
                no[w] = ~yes[w] & Bits.mask(w, rows);
            }
        }
    }
}
