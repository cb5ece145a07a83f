package io.spillway.rows;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.operator.ColumnSet;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.spool.JobSpools;
import io.spillway.spool.Spool;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A plan some of whose steps give what must be computed once, and what is there of that. Shared by
 * all sources that are made of the plan's. Thread-safe.
 */
final class SpooledPlan {

    private static final Logger LOG = LoggerFactory.getLogger(SpooledPlan.class);

    /** A result that is lost so often is not built again. */
    private static final int MOST_LOSSES = 5;

    private final PhysicalPlan plan;
    private final List<PhysicalPlan> steps;
    private final @Nullable JobSpools spools;
    private final int partitions;

    private volatile BuildProgress progress = new BuildProgress();
    private volatile @Nullable Built built;

    // Guarded by this.
    private @Nullable String counts;
    private int losses;

    /**
     * All spools of the plan.
     *
     * @param source of the plan's rows, over them
     */
    private record Built(List<Spool> spools, RowSource source) {}

    /**
     * Nothing is there yet.
     *
     * @param steps the topmost blocking ones of the plan
     * @param spools null if nothing ever will be
     */
    SpooledPlan(PhysicalPlan plan, List<PhysicalPlan> steps, @Nullable JobSpools spools) {
        this.plan = plan;
        this.steps = List.copyOf(steps);
        this.spools = spools;
        this.partitions = steps.stream().mapToInt(SpooledPlan::partitionsBelow).sum();
    }

    private static int partitionsBelow(PhysicalPlan plan) {
        return BlockingOperators.topmost(plan).isEmpty()
                ? RowSources.of(plan).partitions()
                : plan.inputs().stream().mapToInt(SpooledPlan::partitionsBelow).sum();
    }

    PhysicalPlan plan() {
        return plan;
    }

    List<PhysicalPlan> steps() {
        return steps;
    }

    /** Partitions that are read to build all spools. */
    int partitions() {
        return partitions;
    }

    BuildProgress progress() {
        return progress;
    }

    JobSpools spools() {
        if (spools == null) {
            throw new SpillwayException(
                    ErrorCode.INTERNAL, "There is no place for what this plan computes");
        }
        return spools;
    }

    /** The plan's rows, if all spools are there. */
    @Nullable RowSource source() {
        Built there = built;
        return there == null || there.spools.stream().anyMatch(Spool::isLost) ? null : there.source;
    }

    /** All spools are there, in the order of the steps. */
    synchronized void complete(List<Spool> all) {
        if (source() != null) {
            return;
        }
        List<PartitionedSource> sources = new ArrayList<>();
        for (Spool spool : all) {
            List<SourcePart> parts = new ArrayList<>();
            for (int i = 0; i < spool.segments(); i++) {
                parts.add(
                        new SourcePart.Spooled(
                                spool,
                                i,
                                0,
                                spool.rows(i),
                                ColumnSet.first(spool.schema().size())));
            }
            sources.add(PartitionedSource.of(parts, spool.schema()));
        }
        RowSource source = RowSources.over(plan, sources.iterator());
        if (counts != null) {
            teach(source, counts);
        }
        built = new Built(List.copyOf(all), source);
    }

    /** What was learnt of the rows before: kept until it can be taken. */
    synchronized void learn(String text) {
        counts = text;
        RowSource source = source();
        if (source != null) {
            teach(source, text);
        }
    }

    private static void teach(RowSource source, String text) {
        if (text.isEmpty()) {
            return;
        }
        try {
            source.learn(text);
        } catch (SpillwayException e) {
            LOG.warn("the rows above a spool are counted again", e);
        }
    }

    /**
     * Lets spools that are lost be built again. Waits for the store.
     *
     * @throws SpillwayException {@code READ_FAILED} if that happens again and again
     */
    void discardLost() {
        Built there = built;
        if (there == null || source() != null) {
            return;
        }
        synchronized (this) {
            if (++losses > MOST_LOSSES) {
                throw new SpillwayException(
                        ErrorCode.READ_FAILED,
                        "The result was lost or damaged %d times".formatted(losses));
            }
        }
        there.spools.stream().filter(Spool::isLost).forEach(spools()::discard);
        progress = new BuildProgress();
        built = null;
    }
}
