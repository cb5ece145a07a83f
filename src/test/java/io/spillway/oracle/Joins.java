package io.spillway.oracle;

import io.spillway.oracle.QueryStep.Named;
import io.spillway.plan.document.Step.JoinKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Makes joins of some columns with a right side. */
final class Joins {

    /** A column of each side, of one type. */
    private record Pair(Column left, Column right) {}

    private final Choices choices;
    private final List<Column> left;
    private final Supplier<String> freshName;

    /**
     * @param left the columns of the left side
     * @param freshName names that no column has
     */
    Joins(Choices choices, List<Column> left, Supplier<String> freshName) {
        this.choices = choices;
        this.left = left;
        this.freshName = freshName;
    }

    /**
     * A join.
     *
     * @param steps the right side's, without names of its own
     * @param present the columns that they leave
     */
    QueryStep.Join make(List<QueryStep> steps, List<Column> present) {
        List<Named> named = some(present);
        List<QueryStep> with = new ArrayList<>(steps);
        with.add(new QueryStep.Select(false, named));
        List<Column> right = named.stream().map(Named::column).toList();
        JoinKind kind =
                choices.oneOf(
                        JoinKind.INNER,
                        JoinKind.LEFT,
                        JoinKind.RIGHT,
                        JoinKind.FULL,
                        JoinKind.SEMI,
                        JoinKind.ANTI,
                        JoinKind.CROSS);
        if (kind == JoinKind.CROSS) {
            return new QueryStep.Join(with, kind, null, List.of());
        }
        List<Pair> pairs = pairs(right);
        if (!pairs.isEmpty() && choices.chance(15)) {
            return using(with, kind, choices.pick(pairs));
        }
        List<SqlText> conditions = new ArrayList<>();
        int keys = pairs.isEmpty() ? 0 : choices.oneOf(1, 2);
        for (int i = 0; i < keys; i++) {
            conditions.add(equality(choices.pick(pairs)));
        }
        if (keys == 0 || choices.chance(30)) {
            conditions.add(residual(right));
        }
        return new QueryStep.Join(with, kind, all(conditions), List.of());
    }

    /**
     * A join of sides whose pairs would be too many but for what their numbers allow: a pair each,
     * some, or one number that many rows have.
     *
     * @param number the left side's numbers, from 0
     */
    QueryStep.Join byNumber(Column number, List<QueryStep> steps, List<Column> present) {
        Column other = new Column(freshName.get(), number.type());
        List<Named> named = some(present);
        named.add(new Named(SqlText.same(other.quoted()), other));
        List<QueryStep> with = new ArrayList<>(steps);
        with.add(new QueryStep.RowIndex(other, choices.oneOf(0L, 1000L)));
        with.add(new QueryStep.Select(false, named));
        SqlText n = SqlText.same(number.quoted());
        SqlText m = SqlText.same(other.quoted());
        List<SqlText> conditions = new ArrayList<>();
        conditions.add(
                switch (choices.below(4)) {
                    case 0 -> SqlText.of("%s = %s", n, m);
                    case 2 -> SqlText.of("%s + 1 = 3 - %s * -2", n, m);
                    case 1 ->
                            SqlText.of("MOD(%s, 10000) = %s / 2", "MOD(%s, 10000) = %s // 2", n, m);
                    default ->
                            SqlText.of("CASE WHEN MOD(%s, 3) = 0 THEN 0 ELSE %s END = %s", n, n, m);
                });
        if (choices.chance(30)) {
            conditions.add(residual(named.stream().map(Named::column).toList()));
        }
        JoinKind kind =
                choices.oneOf(
                        JoinKind.INNER,
                        JoinKind.LEFT,
                        JoinKind.RIGHT,
                        JoinKind.FULL,
                        JoinKind.SEMI,
                        JoinKind.ANTI);
        return new QueryStep.Join(with, kind, all(conditions), List.of());
    }

    private List<Named> some(List<Column> present) {
        Expressions expressions = new Expressions(choices, present);
        List<Named> named = new ArrayList<>();
        int count = 1 + choices.below(3);
        for (int i = 0; i < count; i++) {
            Expressions.Typed value = expressions.operand(20);
            named.add(new Named(value.text(), new Column(freshName.get(), value.type())));
        }
        return named;
    }

    private static SqlText all(List<SqlText> conditions) {
        SqlText all = conditions.getFirst();
        for (SqlText condition : conditions.subList(1, conditions.size())) {
            all = SqlText.of("%s AND %s", all, condition);
        }
        return all;
    }

    private SqlText residual(List<Column> right) {
        List<Column> both = new ArrayList<>(left);
        both.addAll(right);
        return new Expressions(choices, both).condition(1);
    }

    private SqlText equality(Pair pair) {
        String operator = choices.chance(20) ? "IS NOT DISTINCT FROM" : "=";
        return SqlText.same(
                "(%s %s %s)".formatted(pair.left().quoted(), operator, pair.right().quoted()));
    }

    /** The right side's column gets the name of the left side's. */
    private QueryStep.Join using(List<QueryStep> with, JoinKind kind, Pair pair) {
        List<QueryStep> renamed = new ArrayList<>(with);
        renamed.add(new QueryStep.Rename(Map.of(pair.right().name(), pair.left().name())));
        return new QueryStep.Join(renamed, kind, null, List.of(pair.left()));
    }

    private List<Pair> pairs(List<Column> right) {
        List<Pair> pairs = new ArrayList<>();
        for (Column l : left) {
            for (Column r : right) {
                if (l.type().isPlain() && l.type().equals(r.type())) {
                    pairs.add(new Pair(l, r));
                }
            }
        }
        return pairs;
    }
}
