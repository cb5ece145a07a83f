package io.spillway.plan.logical;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.plan.document.PlanText;
import io.spillway.plan.document.Step;
import java.util.ArrayList;
import java.util.List;

/** The steps that change what rows there are, or number them. */
final class RowSteps {

    private final PlanningContext context;

    RowSteps(PlanningContext context) {
        this.context = context;
    }

    Relation explode(Step.Explode step, Relation input) {
        PlanText name = step.column();
        try {
            return switch (input.column(name.text())) {
                case Relation.Available column -> explode(input, column, step.outer());
                case Relation.Unreadable unreadable -> throw unreadable.error();
            };
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.POINTER, name.pointer());
        }
    }

    /**
     * @throws SpillwayException {@code TYPE_MISMATCH} if the column is no list
     */
    static Relation explode(Relation input, Relation.Available column, boolean outer) {
        ColumnType type = column.schema().type();
        if (!(type instanceof ColumnType.ListOf(ColumnType element, boolean nullable))) {
            throw new SpillwayException(
                            ErrorCode.TYPE_MISMATCH,
                            "Column '%s' is no list, but %s".formatted(column.name(), type))
                    .with(SpillwayException.COLUMN, column.name())
                    .with(SpillwayException.FOUND, type.toString())
                    .with(SpillwayException.EXPECTED, List.of("a list"));
        }
        ColumnSchema schema = new ColumnSchema(column.name(), element, nullable || outer);
        List<Relation.Column> columns = new ArrayList<>(input.columns());
        columns.replaceAll(
                c -> c.equals(column) ? new Relation.Available(schema, column.index()) : c);
        return new Relation(ExplodeNode.create(input.node(), column.index(), outer), columns);
    }

    Relation sample(Step.SampleFraction step, Relation input) {
        return input.over(
                SampleFractionNode.create(
                        input.node(), step.fraction(), context.seed(step.seed())));
    }

    Relation sample(Step.SampleRows step, Relation input) {
        return input.over(
                SampleRowsNode.create(input.node(), step.rows(), context.seed(step.seed())));
    }

    Relation rowIndex(Step.RowIndex step, Relation input) {
        String name = step.name().text();
        try {
            context.checkName(name);
            if (input.has(name)) {
                throw Projection.duplicate(name);
            }
            context.checkColumns(input.columns().size() + 1);
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.POINTER, step.name().pointer());
        }
        RowIndexNode node = RowIndexNode.create(input.node(), name, step.start());
        List<Relation.Column> columns = new ArrayList<>(input.columns());
        columns.add(
                new Relation.Available(
                        new ColumnSchema(name, new ColumnType.Int(64, true), false),
                        node.getRowType().getFieldCount() - 1));
        return new Relation(node, columns);
    }
}
