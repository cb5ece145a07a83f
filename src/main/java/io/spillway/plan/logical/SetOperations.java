package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import io.spillway.operator.join.JoinType;
import io.spillway.operator.window.WindowCall;
import io.spillway.operator.window.WindowFrame;
import io.spillway.operator.window.WindowFunction;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * UNION, INTERSECT and EXCEPT. The rows of an INTERSECT or EXCEPT are those of its first input, in
 * its order, that do or do not have an equal in the others; with ALL each row meets at most one
 * equal, so that rows are numbered among their equals first.
 */
final class SetOperations {

    private SetOperations() {}

    static RelNode node(SetOp operation, QueryAlgebra algebra) {
        List<RelNode> inputs = new ArrayList<>();
        collect(operation, operation, algebra, inputs);
        UnionBuilder builder = new UnionBuilder(relation(inputs.getFirst()));
        inputs.subList(1, inputs.size()).forEach(i -> builder.addByPosition(relation(i)));
        RelNode union = builder.build().node();
        return switch (operation.kind) {
            case UNION -> operation.all ? union : DistinctNode.ofRows(union);
            case INTERSECT -> joined(union.getInputs(), JoinType.SEMI, operation.all);
            case EXCEPT -> joined(union.getInputs(), JoinType.ANTI, operation.all);
            default -> throw RexTranslator.notSupported(operation.kind.sql);
        };
    }

    /** A union of unions is one. */
    private static void collect(
            SetOp operation, RelNode node, QueryAlgebra algebra, List<RelNode> inputs) {
        for (RelNode input : node.getInputs()) {
            if (operation instanceof Union
                    && operation.all
                    && input instanceof Union inner
                    && inner.all) {
                collect(operation, inner, algebra, inputs);
            } else {
                inputs.add(algebra.of(input));
            }
        }
    }

    private static Relation relation(RelNode node) {
        return Relation.of(node, TypeMapping.toSchema(node.getRowType()), List.of());
    }

    private static RelNode joined(List<RelNode> inputs, JoinType type, boolean all) {
        RelNode first = inputs.getFirst();
        int width = first.getRowType().getFieldCount();
        RelNode left = all ? first : DistinctNode.ofRows(first);
        for (RelNode right : inputs.subList(1, inputs.size())) {
            left = equals(all ? numbered(left) : left, all ? numbered(right) : right, type);
            left = Algebra.pick(left, Algebra.allColumns(left).subList(0, width));
        }
        return left;
    }

    private static RelNode equals(RelNode left, RelNode right, JoinType type) {
        RexBuilder builder = left.getCluster().getRexBuilder();
        RelDataType pairs = JoinNode.create(left, right, type, builder.makeLiteral(true)).pairs();
        int width = left.getRowType().getFieldCount();
        List<RexNode> conditions = new ArrayList<>();
        for (int i = 0; i < width; i++) {
            conditions.add(
                    builder.makeCall(
                            SqlStdOperatorTable.IS_NOT_DISTINCT_FROM,
                            RexInputRef.of(i, pairs),
                            RexInputRef.of(width + i, pairs)));
        }
        return JoinNode.create(left, right, type, Algebra.and(left.getCluster(), conditions));
    }

    /** The rows with their numbers among their equals. */
    private static RelNode numbered(RelNode input) {
        return WindowNode.create(
                input,
                Algebra.allColumns(input),
                List.of(),
                List.of(
                        new WindowCall(
                                WindowFunction.ROW_NUMBER,
                                List.of(),
                                WindowFrame.PARTITION,
                                List.of(),
                                new ColumnType.Int(64, true))),
                List.of("number"));
    }
}
