package io.spillway.plan.logical;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.catalog.Widening;
import io.spillway.error.ErrorCode;
import io.spillway.error.NearestName;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;

/**
 * Puts relations one after the other. The first one's columns give names and order; the others'
 * meet them by name, as those of files do, or by position, as SQL has it. Where types differ, the
 * column gets the narrowest type that holds all values unchanged ({@link Widening}), and if there
 * is none that is an error: nothing is rounded or turned into text because it met something else.
 */
final class UnionBuilder {

    private final List<Relation> inputs = new ArrayList<>();

    /** For each input, which of its columns stands at each place. */
    private final List<List<Relation.Available>> orders = new ArrayList<>();

    private final List<String> names;
    private final List<Set<ColumnType>> types = new ArrayList<>();

    /**
     * @throws SpillwayException {@code FILE_NOT_SUPPORTED} if it has a column that cannot be read
     */
    UnionBuilder(Relation first) {
        this.names = first.names();
        for (Relation.Available column : available(first)) {
            types.add(new LinkedHashSet<>(List.of(column.schema().type())));
        }
        inputs.add(first);
        orders.add(available(first));
    }

    /**
     * Adds a relation with the same names, in whatever order.
     *
     * @throws SpillwayException {@code UNKNOWN_COLUMN} for a name that only one side has, {@code
     *     TYPE_MISMATCH} for types that no type holds, {@code FILE_NOT_SUPPORTED} as above
     */
    void addByName(Relation relation) {
        for (Relation.Available column : available(relation)) {
            if (!inputs.getFirst().has(column.name())) {
                throw missing(column.name(), "the first input of the union", names);
            }
        }
        List<Relation.Available> order = new ArrayList<>();
        for (String name : names) {
            if (!(relation.find(name) instanceof Relation.Available column)) {
                throw missing(name, "an input of the union", relation.names());
            }
            order.add(column);
        }
        add(relation, order);
    }

    /**
     * Adds a relation with as many columns.
     *
     * @throws SpillwayException {@code INVALID_EXPRESSION} if they are more or fewer, and as {@link
     *     #addByName}
     */
    void addByPosition(Relation relation) {
        List<Relation.Available> order = available(relation);
        if (order.size() != names.size()) {
            throw new SpillwayException(
                            ErrorCode.INVALID_EXPRESSION,
                            "A part of the union has %d columns, the first one %d"
                                    .formatted(order.size(), names.size()))
                    .with(SpillwayException.FOUND, order.size() + " columns")
                    .with(SpillwayException.EXPECTED, List.of(names.size() + " columns"));
        }
        add(relation, order);
    }

    private static SpillwayException missing(String name, String where, List<String> there) {
        return new SpillwayException(
                        ErrorCode.UNKNOWN_COLUMN, "Column '%s' is not in %s".formatted(name, where))
                .with(SpillwayException.COLUMN, name)
                .with(SpillwayException.FOUND, name)
                .with(SpillwayException.SUGGESTION, NearestName.of(name, there));
    }

    private void add(Relation relation, List<Relation.Available> order) {
        for (int i = 0; i < names.size(); i++) {
            ColumnType type = order.get(i).schema().type();
            ColumnType before = common(i);
            if (types.get(i).add(type) && Widening.common(types.get(i)) == null) {
                throw mismatch(names.get(i), type, before);
            }
        }
        inputs.add(relation);
        orders.add(order);
    }

    /** The error for a column that is of two types which none holds. */
    static SpillwayException mismatch(String name, ColumnType type, ColumnType before) {
        return new SpillwayException(
                        ErrorCode.TYPE_MISMATCH,
                        "Column '%s' is %s here and %s before, and no type holds both; cast one"
                                .formatted(name, type, before))
                .with(SpillwayException.COLUMN, name)
                .with(SpillwayException.FOUND, type.toString())
                .with(SpillwayException.EXPECTED, List.of(before.toString()));
    }

    private ColumnType common(int column) {
        ColumnType common = Widening.common(types.get(column));
        if (common == null) {
            throw new IllegalStateException("no common type of " + types.get(column));
        }
        return common;
    }

    private static List<Relation.Available> available(Relation relation) {
        List<Relation.Available> columns = new ArrayList<>();
        for (Relation.Column column : relation.columns()) {
            switch (column) {
                case Relation.Available available -> columns.add(available);
                case Relation.Unreadable unreadable -> throw unreadable.error();
            }
        }
        return columns;
    }

    /** All of them. */
    Relation build() {
        List<ColumnType> common = IntStream.range(0, names.size()).mapToObj(this::common).toList();
        List<RelNode> nodes = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            nodes.add(converted(inputs.get(i).node(), orders.get(i), common));
        }
        List<Relation.Column> columns = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            int at = i;
            boolean nullable = orders.stream().anyMatch(o -> o.get(at).schema().nullable());
            columns.add(
                    new Relation.Available(
                            new ColumnSchema(names.get(i), common.get(i), nullable), i));
        }
        return new Relation(UnionNode.create(nodes), columns);
    }

    private RelNode converted(
            RelNode node, List<Relation.Available> order, List<ColumnType> common) {
        RexBuilder builder = node.getCluster().getRexBuilder();
        List<RexNode> values = new ArrayList<>();
        boolean same = order.size() == node.getRowType().getFieldCount();
        for (int i = 0; i < order.size(); i++) {
            ColumnSchema column = order.get(i).schema();
            RexNode value = builder.makeInputRef(node, order.get(i).index());
            boolean fits = column.type().equals(common.get(i));
            same &= fits && order.get(i).index() == i;
            values.add(
                    fits
                            ? value
                            : builder.makeAbstractCast(
                                    TypeMapping.toRel(common.get(i), column.nullable()),
                                    value,
                                    false));
        }
        return same ? node : Algebra.project(node, values, names);
    }
}
