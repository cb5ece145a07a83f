package io.spillway.expression;

/** IS TRUE: unknown counts as false; never unknown. The other three forms are made with NOT. */
record IsTrueCondition(Condition operand) implements Condition {

    @Override
    public boolean total() {
        return operand.total();
    }

    @Override
    public void test(Input input, Truth verdicts) {
        operand.test(input, verdicts);
        for (int w = 0; w < verdicts.words(); w++) {
            verdicts.no()[w] = ~verdicts.yes()[w] & Bits.mask(w, input.rows());
        }
    }
}
