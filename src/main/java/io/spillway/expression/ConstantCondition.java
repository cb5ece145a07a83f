package io.spillway.expression;

import org.jspecify.annotations.Nullable;

/**
 * The same verdict for every row.
 *
 * @param verdict null for unknown
 */
record ConstantCondition(@Nullable Boolean verdict) implements Condition {

    @Override
    public boolean total() {
        return true;
    }

    @Override
    public void test(Input input, Truth verdicts) {
        if (verdict == null) {
            verdicts.clear(input.rows());
        } else {
            verdicts.fill(input.rows(), verdict);
        }
    }
}
