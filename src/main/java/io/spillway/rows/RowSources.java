package io.spillway.rows;

import io.spillway.expression.Expression;
import io.spillway.operator.FilterOperator;
import io.spillway.operator.ProjectOperator;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.plan.physical.ScanFilter;
import io.spillway.scan.ScanFile;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Physical plans as row sources. */
public final class RowSources {

    private RowSources() {}

    public static RowSource of(PhysicalPlan plan) {
        return switch (plan) {
            case PhysicalPlan.Scan scan -> new PartitionedSource(parts(scan), scan.schema());
            case PhysicalPlan.Values values ->
                    new PartitionedSource(
                            List.of(new SourcePart.Values(values, 0, values.rows().size())),
                            values.schema());
            case PhysicalPlan.Filter filter ->
                    of(filter.input())
                            .with(new FilterOperator(filter.predicate(), filter.schema()));
            case PhysicalPlan.Project project ->
                    of(project.input())
                            .with(
                                    new ProjectOperator(
                                            project.expressions(),
                                            project.input().schema(),
                                            project.schema()));
            case PhysicalPlan.Limit limit -> of(limit.input()).slice(limit.offset(), limit.rows());
        };
    }

    private static List<SourcePart> parts(PhysicalPlan.Scan scan) {
        List<SourcePart> parts = new ArrayList<>();
        ScanFilter filter = scan.filter();
        Expression condition = filter == null ? null : filter.condition();
        BitSet pruned = filter == null ? new BitSet() : filter.prunedPartitions();
        int number = 0;
        for (ScanFile file : scan.files()) {
            for (int i = 0; i < file.partitionRows().size(); i++) {
                long rows = file.partitionRows().get(i);
                if (rows > 0 && !pruned.get(number)) {
                    parts.add(
                            new SourcePart.Scan(
                                    scan.format(),
                                    scan.options(),
                                    file,
                                    i,
                                    0,
                                    rows,
                                    scan.schema(),
                                    condition));
                }
                number++;
            }
        }
        return parts;
    }
}
