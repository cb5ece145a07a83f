package io.spillway.plan.logical;

import io.spillway.operator.join.JoinType;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.BiRel;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexNode;

/**
 * Rows of two inputs that belong together. Unlike Calcite's node it gives each column a name of its
 * own and never derives anything from the condition.
 */
final class JoinNode extends BiRel {

    private final JoinType type;
    private final RexNode condition;
    private final boolean ofQuery;

    private JoinNode(
            RelOptCluster cluster,
            RelTraitSet traits,
            RelNode left,
            RelNode right,
            JoinType type,
            RexNode condition,
            boolean ofQuery) {
        super(cluster, traits, left, right);
        this.type = type;
        this.condition = condition;
        this.ofQuery = ofQuery;
    }

    /**
     * A join whose rows come in the order of its inputs.
     *
     * @param condition over left columns followed by right ones; TRUE for all pairs
     */
    static JoinNode create(RelNode left, RelNode right, JoinType type, RexNode condition) {
        return new JoinNode(
                left.getCluster(), left.getTraitSet(), left, right, type, condition, false);
    }

    /** A join of a query, which says nothing of the order of its rows. */
    static JoinNode ofQuery(RelNode left, RelNode right, JoinType type, RexNode condition) {
        return new JoinNode(
                left.getCluster(), left.getTraitSet(), left, right, type, condition, true);
    }

    /** May {@link JoinOrder} choose an order of rows? */
    boolean isOfQuery() {
        return ofQuery;
    }

    JoinType type() {
        return type;
    }

    RexNode condition() {
        return condition;
    }

    /** How many columns the left input has. */
    int leftColumns() {
        return left.getRowType().getFieldCount();
    }

    /** The columns that the condition is about: nulls as the inputs have them. */
    RelDataType pairs() {
        return row(true, false, false);
    }

    @Override
    protected RelDataType deriveRowType() {
        return row(type.hasRight(), type.keepsRight(), type.keepsLeft());
    }

    private RelDataType row(boolean withRight, boolean leftNulls, boolean rightNulls) {
        RelDataTypeFactory.Builder row = getCluster().getTypeFactory().builder();
        Set<String> names = new HashSet<>();
        add(row, left.getRowType().getFieldList(), leftNulls, names);
        if (withRight) {
            add(row, right.getRowType().getFieldList(), rightNulls, names);
        }
        return row.build();
    }

    private void add(
            RelDataTypeFactory.Builder row,
            List<RelDataTypeField> fields,
            boolean nulls,
            Set<String> names) {
        for (RelDataTypeField field : fields) {
            RelDataType type = field.getType();
            row.add(
                    Algebra.unique(field.getName(), names),
                    nulls
                            ? getCluster().getTypeFactory().createTypeWithNullability(type, true)
                            : type);
        }
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return super.explainTerms(writer)
                .item("type", type)
                .item("condition", condition)
                .itemIf("order", "any", ofQuery);
    }

    /** The same join of another type. */
    JoinNode withType(JoinType other) {
        return new JoinNode(getCluster(), getTraitSet(), left, right, other, condition, ofQuery);
    }

    /** The same join of inputs with the same columns. */
    JoinNode over(RelNode leftInput, RelNode rightInput, RexNode other) {
        return new JoinNode(
                getCluster(), getTraitSet(), leftInput, rightInput, type, other, ofQuery);
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new JoinNode(
                getCluster(), traits, inputs.get(0), inputs.get(1), type, condition, ofQuery);
    }
}
