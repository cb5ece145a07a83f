package io.spillway.plan.logical;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;

/**
 * May expressions be put in place of the references to them? Only if the result stays about as
 * large as the parts: a column that is used twice would be computed twice, a chain of such steps
 * doubles with each, and merely building the result could take forever. So this is judged
 * beforehand, by counting.
 */
final class Inlining {

    /** Nodes that the result may have more than its parts. */
    private static final int BLOAT = 20;

    private final int maxDepth;

    Inlining(int maxDepth) {
        this.maxDepth = maxDepth;
    }

    /** May the expressions over a projection be rewritten to ones over its input? */
    boolean affordable(List<RexNode> expressions, Project below) {
        List<RexNode> values = below.getProjects();
        long before = 0;
        for (RexNode value : values) {
            before += value.nodeCount();
        }
        long after = 0;
        int deepest = 0;
        Deque<Visit> open = new ArrayDeque<>();
        for (RexNode expression : expressions) {
            before += expression.nodeCount();
            open.push(new Visit(expression, 0));
            while (!open.isEmpty()) {
                Visit visit = open.pop();
                switch (visit.node) {
                    case RexInputRef reference -> {
                        RexNode value = values.get(reference.getIndex());
                        after += value.nodeCount();
                        if (value instanceof RexCall) {
                            deepest = Math.max(deepest, visit.depth + depth(value));
                        }
                    }
                    case RexCall call -> {
                        after++;
                        deepest = Math.max(deepest, visit.depth + 1);
                        call.getOperands().forEach(o -> open.push(new Visit(o, visit.depth + 1)));
                    }
                    default -> after++;
                }
            }
        }
        return after <= before + BLOAT && deepest <= maxDepth;
    }

    private record Visit(RexNode node, int depth) {}

    private static int depth(RexNode expression) {
        int deepest = 0;
        Deque<Visit> open = new ArrayDeque<>();
        open.push(new Visit(expression, 1));
        while (!open.isEmpty()) {
            Visit visit = open.pop();
            deepest = Math.max(deepest, visit.depth);
            if (visit.node instanceof RexCall call) {
                call.getOperands().forEach(o -> open.push(new Visit(o, visit.depth + 1)));
            }
        }
        return deepest;
    }
}
