package io.spillway.plan.logical;

import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;

/**
 * The same rows in the same order, cut into other partitions. No filter moves below one, although
 * that would change no row: the partitions are cut from the rows that stand before it.
 */
final class RepartitionNode extends SingleRel {

    private final int partitions;
    private final long rowsPerPartition;

    private RepartitionNode(
            RelOptCluster cluster,
            RelTraitSet traits,
            RelNode input,
            int partitions,
            long rowsPerPartition) {
        super(cluster, traits, input);
        this.partitions = partitions;
        this.rowsPerPartition = rowsPerPartition;
    }

    /** So many partitions. */
    static RepartitionNode into(RelNode input, int partitions) {
        return new RepartitionNode(input.getCluster(), input.getTraitSet(), input, partitions, 0);
    }

    /** Partitions of so many rows. */
    static RepartitionNode every(RelNode input, long rows) {
        return new RepartitionNode(input.getCluster(), input.getTraitSet(), input, 0, rows);
    }

    /** How many, or 0 if their rows are said. */
    int partitions() {
        return partitions;
    }

    /** Their rows, or 0 if it is said how many they are. */
    long rowsPerPartition() {
        return rowsPerPartition;
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return super.explainTerms(writer)
                .itemIf("partitions", partitions, partitions > 0)
                .itemIf("rowsPerPartition", rowsPerPartition, rowsPerPartition > 0);
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new RepartitionNode(
                getCluster(), traits, sole(inputs), partitions, rowsPerPartition);
    }
}
