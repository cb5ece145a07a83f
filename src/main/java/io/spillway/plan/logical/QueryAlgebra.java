package io.spillway.plan.logical;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.expression.Expression.Literal;
import io.spillway.expression.ExpressionCompiler;
import io.spillway.operator.join.JoinType;
import io.spillway.operator.key.SortKey;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sample;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.jspecify.annotations.Nullable;

/**
 * From the algebra that Calcite makes of a query to ours: nodes that keep rows and order as we
 * promise them, columns with the types that they have, values that are known to be executable.
 * Recurses as deep as the query.
 */
final class QueryAlgebra {

    private final PlanningContext context;
    private final QueryText text;

    /**
     * @param text for the places of errors
     */
    QueryAlgebra(PlanningContext context, QueryText text) {
        this.context = context;
        this.text = text;
    }

    /** The same rows with the same columns. */
    RelNode of(RelNode node) {
        return switch (node) {
            case QueryTable.Leaf leaf -> leaf.algebra();
            case Values values -> values(values);
            case Filter filter -> filter(filter);
            case Project project -> project(project);
            case Sort sort -> sort(sort);
            case Aggregate aggregate ->
                    new AggregateTranslation(aggregate, of(aggregate.getInput()), text).node();
            case Join join -> join(join);
            case SetOp setOp -> SetOperations.node(setOp, this);
            case Sample sample ->
                    SampleFractionNode.create(
                            of(sample.getInput()),
                            sample.getSamplingParameters().sampleRate.doubleValue(),
                            context.seed(
                                    sample.getSamplingParameters().isRepeatable()
                                            ? (long)
                                                    sample.getSamplingParameters()
                                                            .getRepeatableSeed()
                                            : null));
            case ExplodeNode explode ->
                    ExplodeNode.create(of(explode.getInput()), explode.column(), explode.outer());
            default ->
                    throw RexTranslator.notSupported(
                            "A sub-query that depends on the rows around it in this way");
        };
    }

    private RelNode values(Values values) {
        List<ColumnSchema> columns = new ArrayList<>();
        for (RelDataTypeField field : values.getRowType().getFieldList()) {
            columns.add(
                    new ColumnSchema(
                            field.getName(),
                            QueryTypes.column(field.getType()),
                            field.getType().isNullable()));
        }
        List<List<Literal>> rows = new ArrayList<>();
        for (List<RexLiteral> tuple : values.getTuples()) {
            List<Literal> row = new ArrayList<>();
            for (int i = 0; i < tuple.size(); i++) {
                Expression value = RexTranslator.translate(tuple.get(i));
                row.add(ExpressionCompiler.constant(Coercions.cast(value, columns.get(i).type())));
            }
            rows.add(row);
        }
        return LiteralRows.create(context.cluster(), new RowSchema(columns), rows);
    }

    private RelNode filter(Filter filter) {
        WindowTranslation windows =
                new WindowTranslation(of(filter.getInput()), List.of(filter.getCondition()), text);
        RelNode input = windows.node();
        RexNode condition = executable(windows.values().getFirst(), schema(input));
        List<Integer> columns =
                Algebra.allColumns(input)
                        .subList(0, filter.getInput().getRowType().getFieldCount());
        List<RexNode> conjuncts = new ArrayList<>();
        for (RexNode conjunct : Algebra.conjuncts(condition)) {
            RexInputRef same = equalToItself(conjunct);
            if (same == null) {
                conjuncts.add(conjunct);
            } else if (same.getType().isNullable()) {
                conjuncts.add(
                        context.cluster()
                                .getRexBuilder()
                                .makeCall(SqlStdOperatorTable.IS_NOT_NULL, same));
            }
        }
        return Algebra.pick(
                conjuncts.isEmpty()
                        ? input
                        : Algebra.filter(input, Algebra.and(context.cluster(), conjuncts)),
                columns);
    }

    /**
     * The column that a condition finds equal to itself, as what is left of a correlation is; null
     * if it is no such condition.
     */
    private static @Nullable RexInputRef equalToItself(RexNode condition) {
        return condition.isA(SqlKind.EQUALS)
                        && condition instanceof RexCall call
                        && call.getOperands().get(0) instanceof RexInputRef column
                        && call.getOperands().get(1) instanceof RexInputRef other
                        && column.getIndex() == other.getIndex()
                ? column
                : null;
    }

    private RelNode project(Project project) {
        RelNode below = of(project.getInput());
        WindowTranslation windows = new WindowTranslation(below, project.getProjects(), text);
        RelNode input = windows.node();
        RowSchema schema = schema(input);
        List<RexNode> values = new ArrayList<>();
        for (RexNode value : windows.values()) {
            values.add(executable(value, schema));
        }
        return Algebra.project(input, values, project.getRowType().getFieldNames());
    }

    /** A value that can be executed, or an error where it stands. */
    private RexNode executable(RexNode value, RowSchema input) {
        return value instanceof RexInputRef
                ? value
                : Places.within(value, text, v -> context.expressions().executable(v, input));
    }

    private static RowSchema schema(RelNode node) {
        return TypeMapping.toSchema(node.getRowType());
    }

    private RelNode sort(Sort sort) {
        RelNode input = of(sort.getInput());
        List<SortKey> keys = keys(sort.getCollation());
        RelNode sorted = keys.isEmpty() ? input : SortNode.create(input, keys, Algebra.ALL_ROWS);
        return Algebra.limit(sorted, Algebra.offset(sort), Algebra.rows(sort));
    }

    /** Keys of an order. */
    static List<SortKey> keys(RelCollation collation) {
        return collation.getFieldCollations().stream()
                .map(
                        key ->
                                new SortKey(
                                        key.getFieldIndex(),
                                        key.getDirection().isDescending(),
                                        key.nullDirection == RelFieldCollation.NullDirection.FIRST))
                .toList();
    }

    private RelNode join(Join join) {
        RelNode left = of(join.getLeft());
        RelNode right = of(join.getRight());
        JoinType type =
                switch (join.getJoinType()) {
                    case INNER -> JoinType.INNER;
                    case LEFT -> JoinType.LEFT;
                    case RIGHT -> JoinType.RIGHT;
                    case FULL -> JoinType.FULL;
                    case SEMI -> JoinType.SEMI;
                    case ANTI -> JoinType.ANTI;
                    default ->
                            throw RexTranslator.notSupported(
                                    "A join of type " + join.getJoinType());
                };
        JoinNode pairs =
                JoinNode.create(
                        left, right, type, context.cluster().getRexBuilder().makeLiteral(true));
        RexNode condition = join.getCondition().accept(new Retyping(pairs.pairs()));
        if (!condition.isAlwaysTrue()) {
            RowSchema columns = TypeMapping.toSchema(pairs.pairs());
            Places.within(condition, text, c -> context.expressions().executable(c, columns));
        }
        return JoinNode.ofQuery(left, right, type, condition);
    }
}
