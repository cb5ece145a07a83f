package io.spillway.expression;

import io.spillway.batch.ColumnVector;
import org.apache.arrow.vector.FieldVector;

/** IS NULL, read off the validity of the value in whatever form it has; never unknown. */
record IsNullCondition(Value argument) implements Condition {

    @Override
    public boolean total() {
        return argument.total();
    }

    @Override
    public void test(Input input, Truth verdicts) {
        int rows = input.rows();
        try (Operand operand = argument.evaluate(input)) {
            FieldVector vector =
                    switch (operand.column()) {
                        case ColumnVector.Plain(FieldVector plain) -> plain;
                        case ColumnVector.Encoded(var indices, var _) -> indices;
                    };
            long validity = Vectors.validity(vector);
            verdicts.reset(rows);
            for (int w = 0; w < verdicts.words(); w++) {
                long valid = Bits.load(validity, w, rows);
                verdicts.no()[w] = valid;
                verdicts.yes()[w] = ~valid & Bits.mask(w, rows);
            }
        }
    }
}
