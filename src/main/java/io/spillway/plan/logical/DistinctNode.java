package io.spillway.plan.logical;

import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;

/** The first row of each combination of keys. */
final class DistinctNode extends SingleRel {

    private final List<Integer> keys;

    private DistinctNode(
            RelOptCluster cluster, RelTraitSet traits, RelNode input, List<Integer> keys) {
        super(cluster, traits, input);
        this.keys = List.copyOf(keys);
    }

    /**
     * @param keys positions of columns, without repeats
     */
    static DistinctNode create(RelNode input, List<Integer> keys) {
        return new DistinctNode(input.getCluster(), input.getTraitSet(), input, keys);
    }

    /** The first of rows that are equal in all columns. */
    static DistinctNode ofRows(RelNode input) {
        return create(input, Algebra.allColumns(input));
    }

    List<Integer> keys() {
        return keys;
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return super.explainTerms(writer).item("keys", keys);
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new DistinctNode(getCluster(), traits, sole(inputs), keys);
    }
}
