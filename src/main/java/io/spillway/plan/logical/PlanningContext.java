package io.spillway.plan.logical;

import io.spillway.catalog.Catalog;
import io.spillway.catalog.Snapshot;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.plan.document.From;
import io.spillway.plan.document.PlanLimits;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.apache.calcite.plan.RelOptCluster;
import org.jspecify.annotations.Nullable;

/**
 * What the planning of one plan shares: its limits, what they have counted so far, and its sources.
 * A source that is named several times is pinned once, so that all of the plan sees one state of
 * it. Not thread-safe.
 */
final class PlanningContext {

    /** Seeds that are drawn can be read by any JSON parser. */
    private static final long SEEDS = 1L << 53;

    private final Catalog catalog;
    private final PlanLimits limits;
    private final RelOptCluster cluster;
    private final ExpressionResolver expressions;
    private final Map<Object, Relation> sources = new HashMap<>();
    private int operators;

    /**
     * @param now what CURRENT_TIMESTAMP and its like stand for
     */
    PlanningContext(Catalog catalog, PlanLimits limits, Instant now) {
        this.catalog = catalog;
        this.limits = limits;
        this.cluster = Algebra.newCluster();
        this.expressions = new ExpressionResolver(cluster, limits, now);
    }

    PlanLimits limits() {
        return limits;
    }

    RelOptCluster cluster() {
        return cluster;
    }

    ExpressionResolver expressions() {
        return expressions;
    }

    List<String> datasetNames() {
        return catalog.datasetNames();
    }

    Relation dataset(String name) {
        return source(name, () -> catalog.dataset(name));
    }

    Relation files(From.Files files) {
        return source(
                List.of(files.format(), files.paths(), files.options()),
                () -> catalog.files(files.format(), files.paths(), files.options()));
    }

    private Relation source(Object key, Supplier<Snapshot> pin) {
        Relation known = sources.get(key);
        if (known != null) {
            return known;
        }
        Snapshot snapshot = pin.get();
        checkColumns(snapshot.schema().size());
        Relation relation =
                Relation.of(
                        SnapshotScan.create(cluster, snapshot),
                        snapshot.schema(),
                        snapshot.unreadable());
        sources.put(key, relation);
        return relation;
    }

    /** A seed as written, or one that is drawn now and stays with the plan. */
    long seed(@Nullable Long written) {
        return written == null ? ThreadLocalRandom.current().nextLong(SEEDS) : written;
    }

    /**
     * Counts the operators that queries become, those of a common table again each time it is used.
     *
     * @throws SpillwayException {@code PLAN_TOO_LARGE}
     */
    void countOperators(int more) {
        operators += more;
        if (operators > limits.steps()) {
            throw PlanLimits.tooLarge("steps", limits.steps(), "The query has too many parts");
        }
    }

    /** Operators counted so far. */
    int operators() {
        return operators;
    }

    /**
     * Is this a name that a column can have?
     *
     * @throws SpillwayException {@code INVALID_PLAN}, {@code PLAN_TOO_LARGE}
     */
    void checkName(String name) {
        if (name.isEmpty()) {
            throw new SpillwayException(ErrorCode.INVALID_PLAN, "A column's name cannot be empty");
        }
        if (name.length() > limits.nameLength()) {
            throw PlanLimits.tooLarge(
                    "nameLength", limits.nameLength(), "A column's name is too long");
        }
    }

    /**
     * @throws SpillwayException {@code PLAN_TOO_LARGE}
     */
    void checkColumns(int count) {
        if (count > limits.columns()) {
            throw PlanLimits.tooLarge(
                    "columns", limits.columns(), "There are %d columns".formatted(count));
        }
    }
}
