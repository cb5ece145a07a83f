package io.spillway.expression;

import io.spillway.batch.ColumnType;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/** The greater or the lesser of two values of one type; the first of equal ones; null if one is. */
final class ExtremeValue implements Value {

    private final Value first;
    private final Value second;
    private final PairTest secondWins;
    private final Field field;

    private ExtremeValue(Value first, Value second, PairTest secondWins) {
        this.first = first;
        this.second = second;
        this.secondWins = secondWins;
        this.field = Vectors.field(first.type());
    }

    /** GREATEST and LEAST of any number of values, one pair after the other. */
    static Value of(Expression.Call call, List<Value> arguments) {
        Comparison wins =
                call.function() == Function.GREATEST ? Comparison.LESS : Comparison.GREATER;
        Value best = arguments.getFirst();
        for (Value argument : arguments) {
            if (argument.type().isNested() || !argument.type().equals(call.type())) {
                throw Failures.unsupported(
                        "%s of %s to %s".formatted(call.function(), argument.type(), call.type()));
            }
        }
        for (Value argument : arguments.subList(1, arguments.size())) {
            PairTest test = ConditionKernels.pairTest(call.type(), wins, call.type());
            best = new ExtremeValue(best, argument, test);
        }
        return best;
    }

    @Override
    public ColumnType type() {
        return first.type();
    }

    @Override
    public boolean total() {
        return first.total() && second.total();
    }

    @Override
    public Operand evaluate(Input input) {
        int rows = input.rows();
        try (Operand a = first.plain(input);
                Operand b = second.plain(input)) {
            FieldVector x = a.vector();
            FieldVector y = b.vector();
            long[] bits = new long[Bits.words(rows)];
            secondWins.test(x, y, rows, input.scratch(), bits);
            Runs runs = new Runs(16);
            for (int w = 0; w < bits.length; w++) {
                long inFirst = Bits.load(Vectors.validity(x), w, rows);
                long valid = inFirst & Bits.load(Vectors.validity(y), w, rows);
                int end = Math.min(Long.SIZE, rows - (w << 6));
                for (int i = 0; i < end; i++) {
                    int row = (w << 6) + i;
                    boolean fromSecond =
                            (valid >>> i & 1) != 0
                                    ? (bits[w] >>> i & 1) != 0
                                    : (inFirst >>> i & 1) != 0;
                    runs.add(fromSecond ? 1 : 0, row, 1);
                }
            }
            return Operand.owned(
                    RunCopy.copy(field, new FieldVector[] {x, y}, runs, input.allocator()));
        }
    }
}
