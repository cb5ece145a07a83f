package io.spillway.expression;

import io.spillway.batch.ColumnType;
import java.util.Arrays;
import java.util.List;

/** A question about texts, row by row; unknown where one of them is null. */
final class TextCondition implements Condition {

    /** What is asked of the texts of a row. */
    interface Operator {
        boolean test(TextArguments arguments);
    }

    private final Operator operator;
    private final List<RowOperand> arguments;

    private TextCondition(Operator operator, List<Value> arguments) {
        this.operator = operator;
        this.arguments = arguments.stream().map(RowOperand::new).toList();
    }

    /** STARTS_WITH, ENDS_WITH and CONTAINS. */
    static Condition of(Function function, List<Value> arguments) {
        ColumnType text = new ColumnType.Utf8();
        TextArguments.check(function, arguments, text, text);
        return new TextCondition(operator(function), arguments);
    }

    /** Whether the second text is the start or end of the first, or in it; by bytes. */
    private static Operator operator(Function function) {
        return switch (function) {
            case STARTS_WITH ->
                    a ->
                            a.length(1) <= a.length(0)
                                    && ByteRuns.equal(a.address(0), a.address(1), a.length(1));
            case ENDS_WITH ->
                    a ->
                            a.length(1) <= a.length(0)
                                    && ByteRuns.equal(
                                            a.end(0) - a.length(1), a.address(1), a.length(1));
            case CONTAINS -> a -> Utf8.find(a.address(0), a.end(0), a.address(1), a.length(1)) >= 0;
            default -> throw new IllegalArgumentException(function + " asks nothing of two texts");
        };
    }

    @Override
    public boolean total() {
        return arguments.stream().allMatch(RowOperand::total);
    }

    @Override
    public void test(Input input, Truth verdicts) {
        int rows = input.rows();
        try (TextArguments open = TextArguments.open(arguments, input)) {
            verdicts.reset(rows);
            long[] yes = verdicts.yes();
            long[] no = verdicts.no();
            Arrays.fill(yes, 0, verdicts.words(), 0);
            Arrays.fill(no, 0, verdicts.words(), 0);
            for (int row = 0; row < rows; row++) {
                if (open.complete(row)) {
                    open.moveTo(row);
                    long[] bits = operator.test(open) ? yes : no;
                    bits[row >>> 6] |= 1L << row;
                }
            }
        }
    }
}
