package io.spillway.expression;

/** NOT: unknown stays unknown. */
record NotCondition(Condition operand) implements Condition {

    @Override
    public boolean total() {
        return operand.total();
    }

    @Override
    public void test(Input input, Truth verdicts) {
        operand.test(input, verdicts);
        verdicts.negate();
    }
}
