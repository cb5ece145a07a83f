package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.operator.BlockingOperator;
import io.spillway.operator.ColumnSet;
import io.spillway.operator.Operator;
import io.spillway.operator.ProjectOperator;
import io.spillway.operator.WorkContext;
import io.spillway.plan.physical.PhysicalPlan;
import java.util.ArrayList;
import java.util.List;

/**
 * All rows of a plan as one stream, once, for somebody who keeps what comes of them. What does not
 * block is a {@link RowSource}, read in parallel; over it stand operators, each of which feeds the
 * next one, and nothing is kept between them.
 */
final class PipelinedRows {

    private final ReadContext context;
    private final WorkContext work;
    private final BuildProgress progress;

    /**
     * Opens nothing yet.
     *
     * @param progress told what is read
     */
    PipelinedRows(ReadContext context, BuildProgress progress) {
        this.context = context.withEnding(Ending.STOP);
        this.work =
                new WorkContext(
                        context.pool(),
                        context.group(),
                        context.parallelism(),
                        context.batchRows(),
                        context.spill());
        this.progress = progress;
    }

    /** The rows of a plan. Nothing runs before the first pull. */
    BatchStream open(PhysicalPlan plan) {
        BlockingOperator blocking = BlockingOperators.of(plan);
        if (blocking != null) {
            return new StepStream(
                    BlockingOperators.name(plan), blocking.over(openAll(plan.inputs()), work));
        }
        if (BlockingOperators.topmost(plan).isEmpty()) {
            RowSource source = RowSources.of(plan);
            return progress.watch(source, source.open(0, Long.MAX_VALUE, context));
        }
        return switch (plan) {
            case PhysicalPlan.Filter filter -> over(filter.input(), RowOperators.of(filter));
            case PhysicalPlan.Project project -> over(project.input(), RowOperators.of(project));
            case PhysicalPlan.Explode explode -> over(explode.input(), RowOperators.of(explode));
            case PhysicalPlan.SampleFraction sample ->
                    over(sample.input(), RowOperators.of(sample));
            case PhysicalPlan.RowNumbers numbers -> over(numbers.input(), RowOperators.of(numbers));
            case PhysicalPlan.Limit limit ->
                    new LimitStream(open(limit.input()), limit.offset(), limit.rows());
            case PhysicalPlan.Repartition(PhysicalPlan input, int _, long _) -> open(input);
            case PhysicalPlan.SampleRows sample ->
                    new SpilledSample(
                            open(sample.input()),
                            new SampleChoice(sample.rows(), sample.seed()),
                            context);
            case PhysicalPlan.Union union -> new ConcatStream(union.schema(), renamed(union));
            case PhysicalPlan.Scan _,
                    PhysicalPlan.Values _,
                    PhysicalPlan.Sort _,
                    PhysicalPlan.Aggregate _,
                    PhysicalPlan.Join _,
                    PhysicalPlan.Distinct _,
                    PhysicalPlan.Window _ ->
                    throw new IllegalStateException("opened above: " + plan.getClass());
        };
    }

    private BatchStream over(PhysicalPlan input, Operator operator) {
        return over(open(input), operator);
    }

    private BatchStream over(BatchStream input, Operator operator) {
        try {
            return operator.over(input, 0, context.pool().allocator());
        } catch (Throwable t) {
            input.close();
            throw t;
        }
    }

    private List<BatchStream> renamed(PhysicalPlan.Union union) {
        return openAll(union.inputs()).stream()
                .map(
                        input ->
                                input.schema().equals(union.schema())
                                        ? input
                                        : over(
                                                input,
                                                ProjectOperator.renamed(
                                                        ColumnSet.first(union.schema().size()),
                                                        input.schema(),
                                                        union.schema())))
                .toList();
    }

    private List<BatchStream> openAll(List<PhysicalPlan> plans) {
        List<BatchStream> streams = new ArrayList<>(plans.size());
        try {
            plans.forEach(plan -> streams.add(open(plan)));
            return streams;
        } catch (Throwable t) {
            streams.forEach(BatchStream::close);
            throw t;
        }
    }
}
