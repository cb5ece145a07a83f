package io.spillway.plan.logical;

import io.spillway.operator.key.SortKey;
import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;

/**
 * The input's rows in the order of keys; ties keep their order. How many of them, for the sake of a
 * limit above, may be said.
 */
final class SortNode extends SingleRel {

    private final List<SortKey> keys;
    private final long rows;

    private SortNode(
            RelOptCluster cluster,
            RelTraitSet traits,
            RelNode input,
            List<SortKey> keys,
            long rows) {
        super(cluster, traits, input);
        this.keys = List.copyOf(keys);
        this.rows = rows;
    }

    /**
     * A sort.
     *
     * @param keys at least one
     * @param rows how many of the rows, or {@link Algebra#ALL_ROWS}
     */
    static SortNode create(RelNode input, List<SortKey> keys, long rows) {
        return new SortNode(input.getCluster(), input.getTraitSet(), input, keys, rows);
    }

    List<SortKey> keys() {
        return keys;
    }

    /** How many of the rows, or {@link Algebra#ALL_ROWS}. */
    long rows() {
        return rows;
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return super.explainTerms(writer)
                .item("keys", keys)
                .itemIf("rows", rows, rows != Algebra.ALL_ROWS);
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new SortNode(getCluster(), traits, sole(inputs), keys, rows);
    }
}
