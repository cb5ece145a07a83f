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
    private static final long MOST_ROWS = 40_000;

    /** The largest product of the rows of two joined sides. */
    private static final long MOST_PAIRS = 60_000;

    /** What a plan may hold. */
    enum Menu {
        /** What each row, or its number, decides. */
        ROW_STEPS,
        /** What depends on all rows, too. */
        ALL_STEPS
    }

    private final Choices choices;
    private final Menu menu;
    private final List<Column> base;
    private final long baseRows;
    private int names;

    private Plans(Choices choices, Menu menu, List<Column> base, long baseRows) {
        this.choices = choices;
        this.menu = menu;
        this.base = base;
        this.baseRows = baseRows;
    }

    /**
     * Makes a plan.
     *
     * @param base the files' columns
     * @param baseRows their rows
     */
    static List<QueryStep> make(Choices choices, Menu menu, List<Column> base, long baseRows) {
        return new Plans(choices, menu, base, baseRows).steps(menu, MOST_STEPS);
    }

    private List<QueryStep> steps(Menu of, int most) {
        List<QueryStep> steps = new ArrayList<>();
        int count = choices.below(most + 1);
        for (int i = 0; i < count; i++) {
            List<Column> present = Schemas.after(steps, base);
            if (of == Menu.ALL_STEPS && choices.chance(60)) {
                steps.addAll(wideStep(steps, present));
            } else {
                steps.add(step(steps, present));
            }
        }
        return steps;
    }

    /** A step that looks at many rows; and those before it that it needs. */
    private List<QueryStep> wideStep(List<QueryStep> before, List<Column> present) {
        Expressions expressions = new Expressions(choices, present);
        for (Column column : present) {
            if (column.type() instanceof ValueType.ListOf && choices.chance(60)) {
                return List.of(new QueryStep.Explode(column, choices.chance(50)));
            }
        }
        boolean lists = present.stream().anyMatch(c -> c.type() instanceof ValueType.ListOf);
        return switch (choices.below(6)) {
            case 0 -> List.of(sort(expressions));
            case 1 -> List.of(distinct(expressions, present));
            case 2, 3 -> List.of(aggregate(expressions));
            case 4 -> List.of(new Windows(choices, expressions).make(this::fresh));
            // What is joined is repeated, and so would be the elements of its lists.
            default -> lists ? List.of(sort(expressions)) : join(before, present);
        };
    }

    private QueryStep sort(Expressions expressions) {
        List<QueryStep.Key> keys = new ArrayList<>();
        int count = 1 + choices.below(3);
        for (int i = 0; i < count; i++) {
            keys.add(expressions.key());
        }
        return new QueryStep.Sort(keys);
    }

    private QueryStep distinct(Expressions expressions, List<Column> present) {
        boolean plain = present.stream().allMatch(c -> c.type().isPlain());
        List<Column> on = new ArrayList<>();
        int count = choices.below(3);
        for (int i = plain ? 0 : -1; i < count; i++) {
            Column column = choices.pick(expressions.columns());
            if (!on.contains(column)) {
                on.add(column);
            }
        }
        return new QueryStep.Distinct(on);
    }

    private QueryStep aggregate(Expressions expressions) {
        List<Named> by = new ArrayList<>();
        int keys = choices.oneOf(1, 1, 2, 0, 3);
        for (int i = 0; i < keys; i++) {
            by.add(fresh(expressions.operand(25)));
        }
        List<Named> measures = new ArrayList<>();
        measures.add(fresh(new Typed(SqlText.same("COUNT(*)"), new ValueType.Int(64, 20))));
        int count = choices.below(4);
        Aggregates aggregates = new Aggregates(choices, expressions);
        for (int i = 0; i < count; i++) {
            measures.add(fresh(aggregates.make()));
        }
        return new QueryStep.Aggregate(by, measures);
    }

    /** Sides whose pairs could be too many are cut, or numbered and joined by number. */
    private List<QueryStep> join(List<QueryStep> before, List<Column> present) {
        long rows = PlanSize.rows(before, baseRows);
        List<QueryStep> with = steps(choices.oneOf(menu, Menu.ROW_STEPS), 2);
        long right = PlanSize.rows(with, baseRows);
        if (rows > MOST_ROWS || present.size() >= WIDEST) {
            return List.of(sort(new Expressions(choices, present)));
        }
        List<Column> columns = Schemas.after(with, base);
        if (rows * right > MOST_PAIRS && right <= MOST_ROWS && choices.chance(60)) {
            QueryStep.RowIndex number =
                    new QueryStep.RowIndex(new Column(freshName(), new ValueType.Int(64, 40)), 0);
            List<Column> left = Schemas.after(number, present, base);
            return List.of(
                    number,
                    new Joins(choices, left, this::freshName)
                            .byNumber(number.column(), with, columns));
        }
        if (rows * right > MOST_PAIRS) {
            with.add(new QueryStep.Limit(Math.max(1, MOST_PAIRS / rows)));
        }
        return List.of(new Joins(choices, present, this::freshName).make(with, columns));
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

    /** A plan needs a plain column that is left. */
    private QueryStep drop(List<Column> present) {
        Column column = choices.pick(present);
        return present.stream().anyMatch(c -> c.type().isPlain() && !c.equals(column))
                ? new QueryStep.Drop(List.of(column.name()))
                : rename(present);
    }
}
