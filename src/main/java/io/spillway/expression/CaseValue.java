package io.spillway.expression;

import io.spillway.batch.ColumnType;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * CASE. Each condition is tested on the rows that no earlier one took, and each result is computed
 * for its own rows alone, so that a condition guards what stands behind it.
 *
 * <pre>
 *   rows          0 1 2 3 4 5
 *   WHEN a        . x . . x .     part 0 has 2 values, for rows 1 and 4
 *   WHEN b        x   . x   .     part 1 has 2 values, for rows 0 and 3
 *   ELSE              x     x     part 2 has 2 values, for rows 2 and 5
 * </pre>
 */
final class CaseValue implements Value {

    /** A condition and the result where it is true. */
    record Branch(Condition when, Value then) {}

    private final List<Branch> branches;
    private final Value otherwise;
    private final ColumnType type;
    private final Field field;
    private final Truth verdicts = new Truth();

    CaseValue(List<Branch> branches, Value otherwise, ColumnType type) {
        this.branches = List.copyOf(branches);
        this.otherwise = otherwise;
        this.type = type;
        this.field = Vectors.field(type);
    }

    @Override
    public ColumnType type() {
        return type;
    }

    @Override
    public boolean total() {
        return otherwise.total()
                && branches.stream().allMatch(b -> b.when.total() && b.then.total());
    }

    @Override
    public Operand evaluate(Input input) {
        int rows = input.rows();
        Selection open = Selection.all(rows);
        try (Interleave parts = new Interleave(rows)) {
            for (Branch branch : branches) {
                test(branch.when, open, input);
                Selection taken = open.where(verdicts.yes());
                if (taken.count() == 0) {
                    continue;
                }
                if (taken.count() == rows) {
                    return branch.then.evaluate(input);
                }
                parts.add(branch.then, taken, input);
                open = open.whereNot(verdicts.yes());
                if (open.count() == 0) {
                    break;
                }
            }
            if (open.count() == rows) {
                return otherwise.evaluate(input);
            }
            if (open.count() > 0) {
                parts.add(otherwise, open, input);
            }
            return Operand.owned(parts.merge(field, input.allocator()));
        }
    }

    private void test(Condition condition, Selection open, Input input) {
        if (open.count() == input.rows()) {
            condition.test(input, verdicts);
            return;
        }
        try (Input narrowed = input.narrow(open)) {
            condition.test(narrowed, verdicts);
        }
    }
}
