package io.spillway.plan.logical;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Uncollect;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.jspecify.annotations.Nullable;

/**
 * Lists of a row taken apart beside it, which Calcite has as a correlated UNNEST, as an explode of
 * the row with its list at the end.
 */
final class Unnesting extends RelHomogeneousShuttle {

    private Unnesting() {}

    static RelNode of(RelNode root) {
        return root.accept(new Unnesting());
    }

    @Override
    public RelNode visit(RelNode node) {
        RelNode visited = super.visit(node);
        if (visited instanceof Correlate correlate) {
            RelNode exploded = exploded(correlate);
            return exploded == null ? visited : exploded;
        }
        return visited;
    }

    private static @Nullable RelNode exploded(Correlate correlate) {
        RexNode list = list(correlate.getRight());
        if (list == null) {
            return null;
        }
        RelNode left = correlate.getLeft();
        List<RexNode> values = new ArrayList<>();
        for (int column : Algebra.allColumns(left)) {
            values.add(RexInputRef.of(column, left.getRowType()));
        }
        values.add(list.accept(new OfLeft(correlate)));
        RelNode with = Algebra.project(left, values, correlate.getRowType().getFieldNames());
        return ExplodeNode.create(
                with, values.size() - 1, correlate.getJoinType() == JoinRelType.LEFT);
    }

    /** What is taken apart: over a row's columns, which are those of the correlation. */
    private static @Nullable RexNode list(RelNode right) {
        RelNode node = right;
        while (node instanceof Project project && isIdentity(project)) {
            node = project.getInput();
        }
        return node instanceof Uncollect uncollect
                        && !uncollect.withOrdinality
                        && uncollect.getInput() instanceof Project project
                        && project.getProjects().size() == 1
                        && project.getInput() instanceof Values
                ? project.getProjects().getFirst()
                : null;
    }

    private static boolean isIdentity(Project project) {
        return project.getProjects().size() == 1
                && project.getProjects().getFirst() instanceof RexInputRef;
    }

    private static final class OfLeft extends RexShuttle {

        private final Correlate correlate;

        OfLeft(Correlate correlate) {
            this.correlate = correlate;
        }

        @Override
        public RexNode visitFieldAccess(RexFieldAccess access) {
            return access.getReferenceExpr() instanceof RexCorrelVariable variable
                            && variable.id.equals(correlate.getCorrelationId())
                    ? RexInputRef.of(access.getField().getIndex(), correlate.getLeft().getRowType())
                    : super.visitFieldAccess(access);
        }
    }
}
