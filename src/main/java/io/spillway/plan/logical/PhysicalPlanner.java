package io.spillway.plan.logical;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.plan.physical.PhysicalPlan;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;

/** From algebra to what is executed, operator by operator; nothing is decided here. */
final class PhysicalPlanner {

    private PhysicalPlanner() {}

    /** Recurses as deep as the plan. */
    static PhysicalPlan plan(RelNode node) {
        return switch (node) {
            case SnapshotScan scan ->
                    new PhysicalPlan.Scan(
                            scan.snapshot().format(), scan.snapshot().files(), scan.schema());
            case LiteralRows values -> new PhysicalPlan.Values(values.schema(), values.rows());
            case Filter filter ->
                    new PhysicalPlan.Filter(
                            plan(filter.getInput()),
                            RexTranslator.translate(filter.getCondition()));
            case Project project -> project(project);
            case Sort limit ->
                    new PhysicalPlan.Limit(
                            plan(limit.getInput()), Algebra.offset(limit), Algebra.rows(limit));
            default -> throw new IllegalStateException("Unexpected " + node.getRelTypeName());
        };
    }

    private static PhysicalPlan project(Project project) {
        RowSchema schema = TypeMapping.toSchema(project.getRowType());
        List<Expression> expressions = new ArrayList<>();
        for (int i = 0; i < schema.size(); i++) {
            ColumnSchema column = schema.column(i);
            expressions.add(
                    Coercions.cast(
                            RexTranslator.translate(project.getProjects().get(i)), column.type()));
        }
        return new PhysicalPlan.Project(plan(project.getInput()), expressions, schema);
    }
}
