package io.spillway.operator;

import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import java.util.BitSet;
import java.util.List;

/** Some columns of a schema, by position. They keep their order. Immutable. */
public final class ColumnSet {

    private static final ColumnSet NONE = new ColumnSet(new BitSet());

    private final BitSet columns;

    private ColumnSet(BitSet columns) {
        this.columns = columns;
    }

    public static ColumnSet none() {
        return NONE;
    }

    /** The first so many columns. */
    public static ColumnSet first(int count) {
        BitSet columns = new BitSet();
        columns.set(0, count);
        return new ColumnSet(columns);
    }

    /** The columns that an expression reads. Recurses as deep as the expression. */
    public static ColumnSet readBy(Expression expression) {
        BitSet columns = new BitSet();
        collect(expression, columns);
        return new ColumnSet(columns);
    }

    private static void collect(Expression expression, BitSet into) {
        switch (expression) {
            case Expression.Column column -> into.set(column.index());
            case Expression.Literal _ -> {}
            case Expression.Call call -> call.arguments().forEach(a -> collect(a, into));
            case Expression.Cast cast -> collect(cast.argument(), into);
            case Expression.Case choice -> {
                for (Expression.Branch branch : choice.branches()) {
                    collect(branch.when(), into);
                    collect(branch.then(), into);
                }
                collect(choice.otherwise(), into);
            }
            case Expression.In in -> collect(in.argument(), into);
        }
    }

    /** These columns and those. */
    public ColumnSet and(ColumnSet others) {
        BitSet all = (BitSet) columns.clone();
        all.or(others.columns);
        return new ColumnSet(all);
    }

    /** These and one more. */
    public ColumnSet and(int column) {
        BitSet all = (BitSet) columns.clone();
        all.set(column);
        return new ColumnSet(all);
    }

    /** These but for one. */
    public ColumnSet without(int column) {
        BitSet rest = (BitSet) columns.clone();
        rest.clear(column);
        return new ColumnSet(rest);
    }

    public int size() {
        return columns.cardinality();
    }

    public boolean contains(int column) {
        return columns.get(column);
    }

    public boolean containsAll(ColumnSet others) {
        BitSet missing = (BitSet) others.columns.clone();
        missing.andNot(columns);
        return missing.isEmpty();
    }

    /** Where a column of the set stands among the set's columns. */
    public int indexOf(int column) {
        return columns.get(0, column).cardinality();
    }

    /** The columns that stand at the positions of some of this set's, as places among them. */
    public ColumnSet within(ColumnSet all) {
        BitSet places = new BitSet();
        columns.stream().forEach(column -> places.set(all.indexOf(column)));
        return new ColumnSet(places);
    }

    /** The columns of this set that stand at some places among them: undoes {@link #within}. */
    public ColumnSet at(ColumnSet places) {
        BitSet picked = new BitSet();
        positions().stream()
                .filter(column -> places.contains(indexOf(column)))
                .forEach(picked::set);
        return new ColumnSet(picked);
    }

    /** The columns' positions, ascending. */
    public List<Integer> positions() {
        return columns.stream().boxed().toList();
    }

    /** The elements of a list that has one for each column of the whole schema. */
    public <T> List<T> of(List<T> all) {
        return columns.stream().mapToObj(all::get).toList();
    }

    /** The set's columns as a schema. */
    public RowSchema of(RowSchema all) {
        return new RowSchema(of(all.columns()));
    }

    /**
     * An expression over the whole schema as one over the set's columns, which it reads at most.
     * Recurses as deep as the expression.
     */
    public Expression translate(Expression expression) {
        return expression.withColumns(
                column -> new Expression.Column(indexOf(column.index()), column.type()));
    }

    public List<Expression> translate(List<Expression> expressions) {
        return expressions.stream().map(this::translate).toList();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ColumnSet set && columns.equals(set.columns);
    }

    @Override
    public int hashCode() {
        return columns.hashCode();
    }

    @Override
    public String toString() {
        return columns.toString();
    }
}
