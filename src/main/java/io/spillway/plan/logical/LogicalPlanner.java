package io.spillway.plan.logical;

import io.spillway.catalog.Catalog;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.plan.document.From;
import io.spillway.plan.document.PlanDocument;
import io.spillway.plan.document.PlanLimits;
import io.spillway.plan.document.PlanText;
import io.spillway.plan.document.Step;
import java.time.Instant;
import java.util.List;
import org.apache.calcite.rex.RexNode;

/**
 * From a plan document to validated algebra: pins the source, then applies the steps in the order
 * written, each over the columns that the one before it left. One for each plan; not thread-safe.
 */
final class LogicalPlanner {

    private final PlanningContext context;
    private final ColumnSteps columnSteps;
    private final RowSteps rowSteps;
    private final OrderSteps orderSteps;
    private final GroupSteps groupSteps;
    private final JoinSteps joinSteps;

    /**
     * A planner for one plan.
     *
     * @param now what CURRENT_TIMESTAMP and its like stand for
     */
    LogicalPlanner(Catalog catalog, PlanLimits limits, Instant now) {
        this.context = new PlanningContext(catalog, limits, now);
        this.columnSteps = new ColumnSteps(context);
        this.rowSteps = new RowSteps(context);
        this.orderSteps = new OrderSteps(context);
        this.groupSteps = new GroupSteps(context);
        this.joinSteps = new JoinSteps(context);
    }

    /**
     * The algebra for a plan.
     *
     * @throws SpillwayException with the pointer of what is wrong; what the catalog says of the
     *     source gets the pointer of {@code from}
     */
    LogicalPlan plan(PlanDocument document) {
        return new LogicalPlan(relation(document).node());
    }

    /** Recurses as deep as plans stand in each other. */
    private Relation relation(PlanDocument document) {
        Relation relation = from(document.from());
        for (Step step : document.steps()) {
            try {
                relation = apply(step, relation);
            } catch (SpillwayException e) {
                throw e.with(SpillwayException.POINTER, step.pointer());
            }
        }
        for (Relation.Column column : relation.columns()) {
            if (column instanceof Relation.Unreadable unreadable) {
                throw unreadable
                        .error()
                        .with(SpillwayException.POINTER, document.from().pointer())
                        .with(
                                SpillwayException.EXPECTED,
                                List.of("a step that drops the column or selects others"));
            }
        }
        return relation;
    }

    private Relation from(From from) {
        try {
            return switch (from) {
                case From.Dataset(PlanText name) -> context.dataset(name.text());
                case From.Files files -> context.files(files);
                case From.Sql(PlanText query) -> QueryPlanner.plan(query, context);
                case From.Values values ->
                        Relation.of(
                                LiteralRows.create(
                                        context.cluster(), values.schema(), values.rows()),
                                values.schema(),
                                List.of());
            };
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.POINTER, from.pointer());
        }
    }

    private Relation apply(Step step, Relation input) {
        return switch (step) {
            case Step.Filter filter -> filter(filter, input);
            case Step.Select select -> columnSteps.select(select, input);
            case Step.WithColumns with -> columnSteps.withColumns(with, input);
            case Step.Rename rename -> columnSteps.rename(rename, input);
            case Step.Drop drop -> columnSteps.drop(drop, input);
            case Step.Limit limit -> input.over(Algebra.limit(input.node(), 0, limit.rows()));
            case Step.Offset offset ->
                    input.over(Algebra.limit(input.node(), offset.rows(), Algebra.ALL_ROWS));
            case Step.Union union -> union(union, input);
            case Step.Explode explode -> rowSteps.explode(explode, input);
            case Step.SampleFraction sample -> rowSteps.sample(sample, input);
            case Step.SampleRows sample -> rowSteps.sample(sample, input);
            case Step.RowIndex index -> rowSteps.rowIndex(index, input);
            case Step.Sort sort -> orderSteps.sort(sort, input);
            case Step.Distinct distinct -> orderSteps.distinct(distinct, input);
            case Step.Aggregate aggregate -> groupSteps.aggregate(aggregate, input);
            case Step.Join join -> joinSteps.join(join, input, relation(join.with()));
            case Step.Window window -> groupSteps.window(window, input);
            case Step.RepartitionInto into ->
                    input.over(RepartitionNode.into(input.node(), into.partitions()));
            case Step.RepartitionEvery every ->
                    input.over(RepartitionNode.every(input.node(), every.rows()));
        };
    }

    private Relation filter(Step.Filter step, Relation input) {
        RexNode predicate = context.expressions().resolve(step.where(), input);
        try {
            return filtered(input, predicate);
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.POINTER, step.where().pointer())
                    .with(SpillwayException.POSITION, 0);
        }
    }

    /**
     * The rows for which a predicate is true.
     *
     * @throws SpillwayException {@code TYPE_MISMATCH} if it is neither true nor false
     */
    static Relation filtered(Relation input, RexNode predicate) {
        return switch (predicate.getType().getSqlTypeName()) {
            case BOOLEAN -> input.over(Algebra.filter(input.node(), predicate));
            case NULL ->
                    input.over(
                            Algebra.filter(
                                    input.node(), Algebra.unknown(input.node().getCluster())));
            default -> throw notTruth("A filter", predicate);
        };
    }

    /** The error for something that must be a truth value and is none. */
    static SpillwayException notTruth(String what, RexNode value) {
        String type = TypeMapping.toColumn(value.getType()).toString();
        return new SpillwayException(
                        ErrorCode.TYPE_MISMATCH,
                        "%s must be true or false, not of type %s".formatted(what, type))
                .with(SpillwayException.FOUND, type)
                .with(SpillwayException.EXPECTED, List.of("bool"));
    }

    private Relation union(Step.Union step, Relation first) {
        UnionBuilder union = new UnionBuilder(first);
        for (Step.Union.Input input : step.with()) {
            try {
                union.addByName(relation(input.plan()));
            } catch (SpillwayException e) {
                throw e.with(SpillwayException.POINTER, input.pointer());
            }
        }
        return union.build();
    }
}
