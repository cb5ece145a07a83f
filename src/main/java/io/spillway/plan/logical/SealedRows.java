package io.spillway.plan.logical;

import java.util.List;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;

/**
 * Rows of which nothing is to be concluded but their types: stands for a tree while what is above
 * that is rewritten.
 */
final class SealedRows extends AbstractRelNode {

    private final RelNode tree;

    SealedRows(RelNode tree) {
        super(tree.getCluster(), tree.getTraitSet());
        this.tree = tree;
        this.rowType = tree.getRowType();
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return this;
    }

    /** The tree with all that was sealed in its place. */
    static RelNode opened(RelNode root) {
        return root.accept(
                new RelHomogeneousShuttle() {
                    @Override
                    public RelNode visit(RelNode node) {
                        return node instanceof SealedRows sealed ? sealed.tree : super.visit(node);
                    }
                });
    }
}
