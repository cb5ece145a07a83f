package io.spillway.plan.logical;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.RowSchema;
import io.spillway.catalog.Catalog;
import io.spillway.expression.Expression;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.plan.physical.ScanFilter;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.jspecify.annotations.Nullable;

/**
 * From algebra to what is executed, operator by operator; all that is decided here is what scans
 * need not look at.
 */
final class PhysicalPlanner {

    private final Catalog catalog;

    /**
     * @param catalog asked which partitions of files cannot match a filter
     */
    PhysicalPlanner(Catalog catalog) {
        this.catalog = catalog;
    }

    /** Recurses as deep as the plan. */
    PhysicalPlan plan(RelNode node) {
        return switch (node) {
            case SnapshotScan scan -> scan(scan, null);
            case LiteralRows values -> new PhysicalPlan.Values(values.schema(), values.rows());
            case Filter filter -> filter(filter);
            case Project project -> project(project);
            case Sort limit ->
                    new PhysicalPlan.Limit(
                            plan(limit.getInput()), Algebra.offset(limit), Algebra.rows(limit));
            case UnionNode union ->
                    new PhysicalPlan.Union(
                            union.getInputs().stream().map(this::plan).toList(), schema(union));
            case ExplodeNode explode ->
                    new PhysicalPlan.Explode(
                            plan(explode.getInput()),
                            explode.column(),
                            explode.outer(),
                            schema(explode));
            case SampleFractionNode sample ->
                    new PhysicalPlan.SampleFraction(
                            plan(sample.getInput()), sample.fraction(), sample.seed());
            case SampleRowsNode sample ->
                    new PhysicalPlan.SampleRows(
                            plan(sample.getInput()), sample.rows(), sample.seed());
            case RowIndexNode index ->
                    new PhysicalPlan.RowNumbers(
                            plan(index.getInput()), index.start(), schema(index));
            case RepartitionNode partitions ->
                    new PhysicalPlan.Repartition(
                            plan(partitions.getInput()),
                            partitions.partitions(),
                            partitions.rowsPerPartition());
            case SortNode sort ->
                    new PhysicalPlan.Sort(plan(sort.getInput()), sort.keys(), sort.rows());
            case DistinctNode distinct ->
                    new PhysicalPlan.Distinct(plan(distinct.getInput()), distinct.keys());
            case AggregateNode aggregate ->
                    new PhysicalPlan.Aggregate(
                            plan(aggregate.getInput()),
                            aggregate.keys(),
                            aggregate.calls(),
                            schema(aggregate));
            case JoinNode join ->
                    JoinPlanner.plan(join, plan(join.getLeft()), plan(join.getRight()));
            case WindowNode window ->
                    new PhysicalPlan.Window(
                            plan(window.getInput()),
                            window.partition(),
                            window.order(),
                            window.calls(),
                            schema(window));
            default -> throw new IllegalStateException("Unexpected " + node.getRelTypeName());
        };
    }

    private static RowSchema schema(RelNode node) {
        return TypeMapping.toSchema(node.getRowType());
    }

    private static PhysicalPlan.Scan scan(SnapshotScan scan, @Nullable ScanFilter filter) {
        return new PhysicalPlan.Scan(
                scan.snapshot().format(),
                scan.snapshot().options(),
                scan.snapshot().files(),
                scan.schema(),
                filter,
                scan.snapshot().skipped());
    }

    /** A filter directly above a scan tells it what it may leave out. */
    private PhysicalPlan filter(Filter filter) {
        Expression condition = RexTranslator.translate(filter.getCondition());
        PhysicalPlan input =
                filter.getInput() instanceof SnapshotScan scan
                        ? scan(scan, ScanPruning.filter(scan, condition, catalog))
                        : plan(filter.getInput());
        return new PhysicalPlan.Filter(input, condition);
    }

    private PhysicalPlan project(Project project) {
        RowSchema schema = schema(project);
        PhysicalPlan input = plan(project.getInput());
        List<Expression> expressions = new ArrayList<>();
        for (int i = 0; i < schema.size(); i++) {
            ColumnSchema column = schema.column(i);
            expressions.add(
                    Coercions.cast(
                            RexTranslator.translate(project.getProjects().get(i)), column.type()));
        }
        return input instanceof PhysicalPlan.Project below && isPick(below)
                ? new PhysicalPlan.Project(
                        below.input(),
                        expressions.stream()
                                .map(e -> e.withColumns(c -> below.expressions().get(c.index())))
                                .toList(),
                        schema)
                : new PhysicalPlan.Project(input, expressions, schema);
    }

    /** Does it choose columns only, as the one that drops the computed keys of a join? */
    private static boolean isPick(PhysicalPlan.Project project) {
        return project.expressions().stream().allMatch(Expression.Column.class::isInstance);
    }
}
