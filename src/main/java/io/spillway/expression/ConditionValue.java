package io.spillway.expression;

import io.spillway.batch.ColumnType;
import org.apache.arrow.vector.types.pojo.Field;

/** A condition's verdicts as a column of truth values; unknown becomes null. */
final class ConditionValue implements Value {

    private static final ColumnType TYPE = new ColumnType.Bool();
    private static final Field FIELD = Vectors.field(TYPE);

    private final Condition condition;
    private final Truth verdicts = new Truth();

    ConditionValue(Condition condition) {
        this.condition = condition;
    }

    Condition condition() {
        return condition;
    }

    @Override
    public ColumnType type() {
        return TYPE;
    }

    @Override
    public boolean total() {
        return condition.total();
    }

    @Override
    public Operand evaluate(Input input) {
        condition.test(input, verdicts);
        int rows = input.rows();
        try (FixedOutput out = new FixedOutput(FIELD, rows, input.allocator())) {
            for (int w = 0; w < verdicts.words(); w++) {
                long yes = verdicts.yes()[w];
                Bits.store(out.data(), w, rows, yes);
                Bits.store(out.validity(), w, rows, yes | verdicts.no()[w]);
            }
            return Operand.owned(out.take());
        }
    }
}
