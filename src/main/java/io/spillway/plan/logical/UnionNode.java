package io.spillway.plan.logical;

import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;

/**
 * The rows of all inputs, one input after the other. Columns meet by position and have one type
 * already, but for nulls: Calcite's own way to find a common type is never asked.
 */
final class UnionNode extends Union {

    private UnionNode(RelOptCluster cluster, RelTraitSet traits, List<RelNode> inputs) {
        super(cluster, traits, inputs, true);
    }

    /**
     * A union.
     *
     * @param inputs at least one; of the same types, if perhaps by other names
     */
    static UnionNode create(List<? extends RelNode> inputs) {
        RelNode first = inputs.getFirst();
        return new UnionNode(first.getCluster(), first.getTraitSet(), List.copyOf(inputs));
    }

    @Override
    protected RelDataType deriveRowType() {
        RelDataTypeFactory factory = getCluster().getTypeFactory();
        RelDataTypeFactory.Builder row = factory.builder();
        for (RelDataTypeField field : inputs.getFirst().getRowType().getFieldList()) {
            boolean nullable = false;
            for (RelNode input : inputs) {
                nullable |=
                        input.getRowType()
                                .getFieldList()
                                .get(field.getIndex())
                                .getType()
                                .isNullable();
            }
            row.add(field.getName(), factory.createTypeWithNullability(field.getType(), nullable));
        }
        return row.build();
    }

    @Override
    public SetOp copy(RelTraitSet traits, List<RelNode> newInputs, boolean all) {
        if (!all) {
            throw new IllegalArgumentException("a union that drops rows");
        }
        return new UnionNode(getCluster(), traits, newInputs);
    }
}
