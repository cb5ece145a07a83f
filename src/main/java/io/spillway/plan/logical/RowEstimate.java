package io.spillway.plan.logical;

import io.spillway.scan.ScanFile;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;

/**
 * About how many rows a plan has: those of its files, whatever filters leave of them. Good enough
 * to tell a large table from a small one.
 */
final class RowEstimate {

    private RowEstimate() {}

    /** Recurses as deep as the plan. */
    static long of(RelNode node) {
        return switch (node) {
            case SnapshotScan scan ->
                    scan.snapshot().files().stream()
                            .mapToLong(RowEstimate::rows)
                            .reduce(0, RowEstimate::plus);
            case LiteralRows values -> values.rows().size();
            case AggregateNode aggregate when aggregate.keys().isEmpty() -> 1;
            case Sort limit when Algebra.isLimit(limit) ->
                    Math.min(Algebra.rows(limit), of(limit.getInput()));
            case UnionNode union ->
                    union.getInputs().stream()
                            .mapToLong(RowEstimate::of)
                            .reduce(0, RowEstimate::plus);
            case JoinNode join ->
                    join.type().hasRight()
                            ? Math.max(of(join.getLeft()), of(join.getRight()))
                            : of(join.getLeft());
            default -> node.getInputs().stream().mapToLong(RowEstimate::of).max().orElse(0);
        };
    }

    private static long rows(ScanFile file) {
        return file.partitionRows().stream().mapToLong(Long::longValue).sum();
    }

    private static long plus(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }

    /** Has it exactly one row, whatever the data? */
    static boolean isOne(RelNode node) {
        return switch (node) {
            case AggregateNode aggregate -> aggregate.keys().isEmpty();
            case LiteralRows values -> values.rows().size() == 1;
            case Project project -> isOne(project.getInput());
            default -> false;
        };
    }
}
