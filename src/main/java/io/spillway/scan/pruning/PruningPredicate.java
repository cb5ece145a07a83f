package io.spillway.scan.pruning;

import io.spillway.batch.ColumnType;
import io.spillway.expression.Expression;
import java.util.BitSet;

/**
 * A condition, made ready to be asked of many sets of rows whether it can be true for any of them.
 * Immutable and thread-safe.
 *
 * <p>It is interval arithmetic in three-valued logic: for every part of the condition it finds a
 * superset of what the part may be. Understood are logic, tests for null, comparisons, IN, LIKE
 * with a literal prefix, and casts that keep the order of values; what has no column is computed by
 * the kernels that compute rows. All else may be anything.
 *
 * <p>Errors count too. A row whose test would raise one is not to be left out, since the error
 * would be lost with it: rows can be left out only if the condition can neither be true nor fail.
 * An operand of AND that is never looked at, as one before it is always false, cannot fail.
 */
public final class PruningPredicate {

    private final Test condition;
    private final BitSet compared;
    private final BitSet sought;

    private PruningPredicate(Test condition, BitSet compared, BitSet sought) {
        this.condition = condition;
        this.compared = compared;
        this.sought = sought;
    }

    /**
     * A condition over columns.
     *
     * @param condition of type {@code bool}; malformed parts of it may be anything
     */
    public static PruningPredicate of(Expression condition) {
        if (!(condition.type() instanceof ColumnType.Bool)) {
            throw new IllegalArgumentException("a condition of type " + condition.type());
        }
        TestBuilder builder = new TestBuilder();
        return new PruningPredicate(
                builder.test(condition, 0), builder.compared(), builder.sought());
    }

    /**
     * Whether rows with such columns have to be looked at: false only if the condition is true for
     * none of them and raises no error.
     */
    public boolean canMatch(ColumnFacts facts) {
        Truths truths = truths(facts);
        return truths.mayBeTrue() || truths.mayFail();
    }

    Truths truths(ColumnFacts facts) {
        return condition.of(facts);
    }

    /** Positions of the columns of which knowledge can matter. */
    public BitSet compared() {
        return (BitSet) compared.clone();
    }

    /**
     * Positions of the columns that are tested for equality with constants, so that {@link
     * ValueSet#members} can matter.
     */
    public BitSet sought() {
        return (BitSet) sought.clone();
    }
}
