package io.spillway.rows;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.operator.ExplodeOperator;
import io.spillway.operator.FilterOperator;
import io.spillway.operator.ProjectOperator;
import io.spillway.operator.RowNumbersOperator;
import io.spillway.operator.SampleFractionOperator;
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
            case PhysicalPlan.Scan scan -> PartitionedSource.of(parts(scan), scan.schema());
            case PhysicalPlan.Values values ->
                    PartitionedSource.of(
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
            case PhysicalPlan.Union union ->
                    UnionSource.of(
                            union.inputs().stream().map(RowSources::of).toList(), union.schema());
            case PhysicalPlan.Explode explode ->
                    of(explode.input())
                            .with(
                                    new ExplodeOperator(
                                            explode.column(),
                                            explode.outer(),
                                            explode.input().schema(),
                                            explode.schema()));
            case PhysicalPlan.SampleFraction sample ->
                    of(sample.input())
                            .with(
                                    new SampleFractionOperator(
                                            sample.fraction(), sample.seed(), sample.schema()));
            case PhysicalPlan.SampleRows sample ->
                    new SampleSource(
                            of(sample.input()), new SampleChoice(sample.rows(), sample.seed()));
            case PhysicalPlan.RowNumbers numbers ->
                    of(numbers.input())
                            .with(new RowNumbersOperator(numbers.start(), numbers.schema()));
            case PhysicalPlan.Repartition(PhysicalPlan input, int partitions, long rowsEach) ->
                    RepartitionSource.of(of(input), partitions, rowsEach);
            case PhysicalPlan.Sort _,
                    PhysicalPlan.Aggregate _,
                    PhysicalPlan.Join _,
                    PhysicalPlan.Distinct _,
                    PhysicalPlan.Window _ ->
                    throw new SpillwayException(
                            ErrorCode.NOT_SUPPORTED,
                            "Plans that sort, aggregate, join, keep distinct rows or have windows"
                                    + " cannot be run yet");
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
