package io.spillway.plan.logical;

import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlCase;

/**
 * How large an expression becomes and how deep it is.
 *
 * @param nodes nodes after Calcite has rewritten what repeats an operand: COALESCE, NULLIF,
 *     BETWEEN, IN and the simple CASE; nested in each other they double with every level
 * @param depth levels of calls; a chain of AND or of OR is one level
 */
record ExpressionShape(long nodes, int depth) {

    private static final ExpressionShape LEAF = new ExpressionShape(1, 1);

    /** Recurses as deep as the tree, which {@link BoundedExpression} has bounded. */
    static ExpressionShape of(SqlNode node) {
        return switch (node) {
            case SqlCase call -> ofCase(call);
            case SqlNodeList list -> sum(list);
            case SqlCall call -> ofCall(call);
            default -> LEAF;
        };
    }

    private static ExpressionShape ofCall(SqlCall call) {
        List<SqlNode> operands = call.getOperandList();
        ExpressionShape all = sum(operands);
        long nodes =
                switch (call.getKind()) {
                    case COALESCE -> 3 * all.nodes;
                    case NULLIF -> 2 * all.nodes + 2;
                    case BETWEEN -> 4 * all.nodes + 4;
                    case IN, NOT_IN -> times(operands) + all.nodes;
                    default -> all.nodes;
                };
        boolean chain =
                switch (call.getKind()) {
                    case AND, OR -> operands.stream().anyMatch(o -> o.getKind() == call.getKind());
                    default -> false;
                };
        return new ExpressionShape(saturated(nodes) + 1, all.depth + (chain ? 0 : 1));
    }

    /** Each item of an IN list is compared with a copy of the left side. */
    private static long times(List<SqlNode> operands) {
        long left = of(operands.get(0)).nodes;
        return operands.get(1) instanceof SqlNodeList list
                ? saturated(left) * (list.size() + 1L)
                : left;
    }

    private static ExpressionShape ofCase(SqlCase call) {
        ExpressionShape when = sum(call.getWhenOperands());
        ExpressionShape then = sum(call.getThenOperands());
        SqlNode value = call.getValueOperand();
        SqlNode otherwise = call.getElseOperand();
        ExpressionShape repeated = value == null ? new ExpressionShape(0, 0) : of(value);
        ExpressionShape last = otherwise == null ? LEAF : of(otherwise);
        long nodes =
                when.nodes
                        + then.nodes
                        + last.nodes
                        + repeated.nodes * (call.getWhenOperands().size() + 1L);
        int depth =
                Math.max(Math.max(when.depth, then.depth), Math.max(last.depth, repeated.depth));
        return new ExpressionShape(saturated(nodes) + 1, depth + 1);
    }

    private static ExpressionShape sum(Iterable<? extends SqlNode> nodes) {
        long count = 0;
        int depth = 0;
        for (SqlNode node : nodes) {
            if (node != null) {
                ExpressionShape shape = of(node);
                count = saturated(count + shape.nodes);
                depth = Math.max(depth, shape.depth);
            }
        }
        return new ExpressionShape(count, depth);
    }

    /** Keeps sums and products of a few of these from overflowing. */
    private static long saturated(long nodes) {
        return Math.min(nodes, Integer.MAX_VALUE);
    }
}
