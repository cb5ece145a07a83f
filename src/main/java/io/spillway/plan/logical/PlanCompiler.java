package io.spillway.plan.logical;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.catalog.Catalog;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression.Literal;
import io.spillway.plan.document.From;
import io.spillway.plan.document.PlanDocument;
import io.spillway.plan.document.PlanLimits;
import io.spillway.plan.document.PlanOptions;
import io.spillway.plan.document.PlanRequest;
import io.spillway.plan.document.PlanText;
import io.spillway.plan.document.Step;
import io.spillway.plan.physical.CompiledPlan;
import io.spillway.plan.physical.DeepStack;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * From a plan as written to what is executed: validated algebra, optimised algebra, physical plan.
 * Thread-safe; each call works on a thread of its own, whose stack is made for the deepest plan
 * that the limits allow ({@link DeepStack}), and waits for it.
 */
public final class PlanCompiler {

    private final Catalog catalog;
    private final PlanLimits limits;
    private final Clock clock;
    private final Optimizer optimizer;

    /**
     * @param catalog what plans can scan
     * @param limits how large the expressions of a plan may be
     * @param clock what CURRENT_TIMESTAMP and its like are bound to
     */
    public PlanCompiler(Catalog catalog, PlanLimits limits, Clock clock) {
        this(catalog, limits, clock, EnumSet.allOf(OptimizerRule.class));
    }

    /** A compiler that optimises by some of the rules only, to compare plans with and without. */
    public PlanCompiler(Catalog catalog, PlanLimits limits, Clock clock, Set<OptimizerRule> rules) {
        this.catalog = catalog;
        this.limits = limits;
        this.clock = clock;
        this.optimizer = new Optimizer(rules, limits.expressionDepth());
    }

    /**
     * Compiles a plan. Reads metadata of its files, and waits for that.
     *
     * @throws SpillwayException with the pointer of what is wrong, and for texts with {@code
     *     position}, {@code found}, {@code expected} and {@code suggestion} as far as they make
     *     sense: {@code INVALID_EXPRESSION}, {@code UNKNOWN_COLUMN}, {@code DUPLICATE_COLUMN},
     *     {@code TYPE_MISMATCH}, {@code NOT_SUPPORTED}, {@code FILE_NOT_SUPPORTED} for a column
     *     that cannot be read, {@code PLAN_TOO_LARGE}, {@code PLAN_TOO_DEEP}; and whatever the
     *     catalog says of the source, with its pointer
     */
    public CompiledPlan compile(PlanRequest request) {
        return compile(request, catalog);
    }

    /** As {@link #compile(PlanRequest)}, for a caller who may have datasets of its own. */
    public CompiledPlan compile(String owner, PlanRequest request) {
        return compile(request, catalog.of(owner));
    }

    private CompiledPlan compile(PlanRequest request, Catalog sources) {
        try {
            return DeepStack.call(() -> compile(request.plan(), sources));
        } catch (SpillwayException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new SpillwayException(ErrorCode.INTERNAL, "The plan could not be compiled", e);
        }
    }

    private CompiledPlan compile(PlanDocument document, Catalog sources) {
        LogicalPlan logical = new LogicalPlanner(sources, limits, clock.instant()).plan(document);
        LogicalPlan optimized = optimizer.optimize(logical);
        return new CompiledPlan(
                logical.text(),
                optimized.text(),
                new PhysicalPlanner(sources).plan(optimized.root()));
    }

    /**
     * Compiles a small plan and forgets it. The first plan of a process costs about a second, most
     * of it for loading Calcite's classes; so a service does this at start.
     */
    public void warmUp() {
        RowSchema schema =
                new RowSchema(
                        List.of(
                                new ColumnSchema("id", new ColumnType.Int(64, true), false),
                                new ColumnSchema("name", new ColumnType.Utf8(), true)));
        PlanText predicate =
                new PlanText(
                        "id IN (1, 2) AND (name LIKE 'a%' OR COALESCE(name, '') = UPPER('b'))", "");
        PlanText item =
                new PlanText("CASE WHEN id % 2 = 1 THEN CAST(id AS DOUBLE) / 3 END AS x", "");
        From values =
                new From.Values(
                        schema,
                        List.of(
                                List.of(
                                        new Literal(new ColumnType.Int(64, true), "1"),
                                        new Literal(new ColumnType.Utf8(), null))),
                        "");
        PlanDocument query =
                new PlanDocument(
                        new From.Sql(new PlanText("SELECT 1 AS id, 'a' AS name LIMIT 1", "")),
                        List.of());
        compile(
                new PlanRequest(
                        new PlanDocument(
                                values,
                                List.of(
                                        new Step.Union(
                                                List.of(new Step.Union.Input(query, "")), ""),
                                        new Step.Select(List.of(item, new PlanText("*", "")), ""),
                                        new Step.Filter(predicate, ""),
                                        new Step.Limit(1, ""))),
                        PlanOptions.none()));
    }
}
