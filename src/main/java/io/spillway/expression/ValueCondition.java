package io.spillway.expression;

/** A column of truth values as a condition. */
record ValueCondition(Value value) implements Condition {

    @Override
    public boolean total() {
        return value.total();
    }

    @Override
    public void test(Input input, Truth verdicts) {
        int rows = input.rows();
        try (Operand operand = value.plain(input)) {
            long validity = Vectors.validity(operand.vector());
            long data = Vectors.data(operand.vector());
            verdicts.reset(rows);
            for (int w = 0; w < verdicts.words(); w++) {
                long valid = Bits.load(validity, w, rows);
                long bits = Bits.load(data, w, rows);
                verdicts.yes()[w] = valid & bits;
                verdicts.no()[w] = valid & ~bits;
            }
        }
    }
}
