package io.spillway.plan.logical;

import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;

/** Each row with a probability, decided by a seed and the row's number. */
final class SampleFractionNode extends SingleRel {

    private final double fraction;
    private final long seed;

    private SampleFractionNode(
            RelOptCluster cluster, RelTraitSet traits, RelNode input, double fraction, long seed) {
        super(cluster, traits, input);
        this.fraction = fraction;
        this.seed = seed;
    }

    static SampleFractionNode create(RelNode input, double fraction, long seed) {
        return new SampleFractionNode(
                input.getCluster(), input.getTraitSet(), input, fraction, seed);
    }

    double fraction() {
        return fraction;
    }

    long seed() {
        return seed;
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return super.explainTerms(writer).item("fraction", fraction).item("seed", seed);
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new SampleFractionNode(getCluster(), traits, sole(inputs), fraction, seed);
    }
}
