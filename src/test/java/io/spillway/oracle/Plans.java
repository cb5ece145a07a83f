package io.spillway.oracle;

import io.spillway.oracle.Expressions.Typed;
import io.spillway.oracle.QueryStep.Named;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes plans of some steps, each over the columns that the one before it leaves. */
final class Plans {

    private static final int MOST_STEPS = 5;
    private static final int DEPTH = 3;
    private static final int WIDEST = 12;

    private final Choices choices;
    private int names;

    private Plans(Choices choices) {
        this.choices = choices;
    }

    static List<QueryStep> make(Choices choices, List<Column> columns) {
        return new Plans(choices).steps(columns);
    }

    private List<QueryStep> steps(List<Column> columns) {
        List<QueryStep> steps = new ArrayList<>();
        List<Column> present = columns;
        int count = choices.below(MOST_STEPS + 1);
        for (int i = 0; i < count; i++) {
            QueryStep step = step(steps, present);
            steps.add(step);
            present = Schemas.after(step, present);
        }
        return steps;
    }

    private QueryStep step(List<QueryStep> before, List<Column> present) {
        Expressions expressions = new Expressions(choices, present);
        return switch (choices.below(11)) {
            case 0, 1 -> new QueryStep.Filter(expressions.condition(DEPTH));
            case 2 -> select(expressions, present);
            case 3 -> withColumns(expressions, present);
            case 4 -> rename(present);
            case 5 -> drop(present);
            case 6 ->
                    new QueryStep.Limit(
                            choices.oneOf(
                                    100L, 0L, 1L, 5L, 2048L, 3000L, 4294967298L, Long.MAX_VALUE));
            case 7 ->
                    new QueryStep.Offset(
                            choices.oneOf(
                                    0L, 1L, 7L, 2047L, 2048L, 2500L, 4294967298L, Long.MAX_VALUE));
            case 8 -> union(before, expressions);
            case 9 -> rowIndex(expressions, present);
            default -> new QueryStep.Repartition(choices.oneOf(1000L, 100L, 2048L, Long.MAX_VALUE));
        };
    }

    /** With what there is, made once more and perhaps cut: so it has the same columns. */
    private QueryStep union(List<QueryStep> before, Expressions expressions) {
        List<QueryStep> with = new ArrayList<>(before);
        if (before.stream().anyMatch(s -> s instanceof QueryStep.Union)) {
            return new QueryStep.Limit(3000);
        }
        switch (choices.below(3)) {
            case 0 -> with.add(new QueryStep.Filter(expressions.condition(DEPTH)));
            case 1 -> with.add(new QueryStep.Limit(choices.oneOf(0L, 1L, 2048L)));
            default -> {}
        }
        return new QueryStep.Union(with);
    }

    private QueryStep rowIndex(Expressions expressions, List<Column> present) {
        return present.size() >= WIDEST
                ? new QueryStep.Filter(expressions.condition(DEPTH))
                : new QueryStep.RowIndex(
                        new Column(freshName(), new ValueType.Int(64, 40)),
                        choices.oneOf(0L, 1L, -5L, 1L << 39));
    }

    private QueryStep select(Expressions expressions, List<Column> present) {
        List<Named> named = new ArrayList<>();
        int count = 1 + choices.below(4);
        for (int i = 0; i < count; i++) {
            named.add(fresh(expressions.value(DEPTH)));
        }
        return new QueryStep.Select(present.size() < WIDEST && choices.chance(30), named);
    }

    private QueryStep withColumns(Expressions expressions, List<Column> present) {
        Typed value = expressions.value(DEPTH);
        if (present.size() >= WIDEST || choices.chance(50)) {
            Column replaced = new Column(choices.pick(present).name(), value.type());
            return new QueryStep.WithColumns(List.of(new Named(value.text(), replaced)));
        }
        return new QueryStep.WithColumns(List.of(fresh(value), fresh(expressions.value(1))));
    }

    private Named fresh(Typed value) {
        return new Named(value.text(), new Column(freshName(), value.type()));
    }

    private String freshName() {
        return "x" + names++;
    }

    private QueryStep rename(List<Column> present) {
        Map<String, String> renamed = new LinkedHashMap<>();
        renamed.put(choices.pick(present).name(), freshName());
        // Two names that trade places are one rename, not two in a row.
        if (present.size() >= 2 && choices.chance(30)) {
            renamed.clear();
            renamed.put(present.get(0).name(), present.get(1).name());
            renamed.put(present.get(1).name(), present.get(0).name());
        }
        return new QueryStep.Rename(renamed);
    }

    /** A plan needs a column that is left. */
    private QueryStep drop(List<Column> present) {
        return present.size() == 1
                ? rename(present)
                : new QueryStep.Drop(List.of(choices.pick(present).name()));
    }
}
