package io.spillway.rows;

import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.plan.physical.ScanFilter;
import io.spillway.scan.ScanFile;
import io.spillway.spool.JobSpools;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Physical plans as row sources. */
public final class RowSources {

    private RowSources() {}

    /**
     * The rows of a plan, for somebody who does not read those that must be computed once before
     * they can be.
     */
    public static RowSource of(PhysicalPlan plan) {
        return of(plan, null);
    }

    /**
     * The rows of a plan. What steps give that must see their whole input is computed once, when it
     * is {@linkplain RowSource#count counted}.
     *
     * @param spools where that is kept; null if it is not to be computed
     */
    public static RowSource of(PhysicalPlan plan, @Nullable JobSpools spools) {
        List<PhysicalPlan> blocking = BlockingOperators.topmost(plan);
        return blocking.isEmpty()
                ? over(plan, Collections.emptyIterator())
                : new SpooledSource(new SpooledPlan(plan, blocking, spools));
    }

    /** The rows of sources of one schema, one source after the other. */
    public static RowSource union(List<RowSource> sources, RowSchema schema) {
        return UnionSource.of(sources, schema);
    }

    /**
     * The rows of a plan over what its topmost blocking steps give.
     *
     * @param spooled a source for each of these, in the order of {@link BlockingOperators#topmost}
     */
    static RowSource over(PhysicalPlan plan, Iterator<? extends RowSource> spooled) {
        return switch (plan) {
            case PhysicalPlan.Scan scan -> PartitionedSource.of(parts(scan), scan.schema());
            case PhysicalPlan.Values values ->
                    PartitionedSource.of(
                            List.of(new SourcePart.Values(values, 0, values.rows().size())),
                            values.schema());
            case PhysicalPlan.Filter filter ->
                    over(filter.input(), spooled).with(RowOperators.of(filter));
            case PhysicalPlan.Project project ->
                    over(project.input(), spooled).with(RowOperators.of(project));
            case PhysicalPlan.Limit limit ->
                    over(limit.input(), spooled).slice(limit.offset(), limit.rows());
            case PhysicalPlan.Union union -> {
                List<RowSource> inputs = new ArrayList<>();
                union.inputs().forEach(input -> inputs.add(over(input, spooled)));
                yield UnionSource.of(inputs, union.schema());
            }
            case PhysicalPlan.Explode explode ->
                    over(explode.input(), spooled).with(RowOperators.of(explode));
            case PhysicalPlan.SampleFraction sample ->
                    over(sample.input(), spooled).with(RowOperators.of(sample));
            case PhysicalPlan.SampleRows sample ->
                    new SampleSource(
                            over(sample.input(), spooled),
                            new SampleChoice(sample.rows(), sample.seed()));
            case PhysicalPlan.RowNumbers numbers ->
                    over(numbers.input(), spooled).with(RowOperators.of(numbers));
            case PhysicalPlan.Repartition(PhysicalPlan input, int partitions, long rowsEach) ->
                    RepartitionSource.of(over(input, spooled), partitions, rowsEach);
            case PhysicalPlan.Sort _,
                    PhysicalPlan.Aggregate _,
                    PhysicalPlan.Join _,
                    PhysicalPlan.Distinct _,
                    PhysicalPlan.Window _ ->
                    spooled.next();
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
