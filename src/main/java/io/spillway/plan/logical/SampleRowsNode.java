package io.spillway.plan.logical;

import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;

/** So many rows, chosen by a seed and the number of rows. */
final class SampleRowsNode extends SingleRel {

    private final long rows;
    private final long seed;

    private SampleRowsNode(
            RelOptCluster cluster, RelTraitSet traits, RelNode input, long rows, long seed) {
        super(cluster, traits, input);
        this.rows = rows;
        this.seed = seed;
    }

    static SampleRowsNode create(RelNode input, long rows, long seed) {
        return new SampleRowsNode(input.getCluster(), input.getTraitSet(), input, rows, seed);
    }

    long rows() {
        return rows;
    }

    long seed() {
        return seed;
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return super.explainTerms(writer).item("rows", rows).item("seed", seed);
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new SampleRowsNode(getCluster(), traits, sole(inputs), rows, seed);
    }
}
