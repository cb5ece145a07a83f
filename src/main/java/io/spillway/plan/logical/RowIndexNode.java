package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.validate.SqlValidatorUtil;

/** The input's rows with their numbers as a last column. */
final class RowIndexNode extends SingleRel {

    private final String name;
    private final long start;

    private RowIndexNode(
            RelOptCluster cluster, RelTraitSet traits, RelNode input, String name, long start) {
        super(cluster, traits, input);
        this.name = name;
        this.start = start;
    }

    static RowIndexNode create(RelNode input, String name, long start) {
        return new RowIndexNode(input.getCluster(), input.getTraitSet(), input, name, start);
    }

    long start() {
        return start;
    }

    /**
     * The optimiser may have put an input of other names in place of the first one, the new
     * column's among them; then that gets another here. {@link Optimizer} puts the right names back
     * at the top.
     */
    @Override
    protected RelDataType deriveRowType() {
        List<RelDataType> types = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (RelDataTypeField field : input.getRowType().getFieldList()) {
            types.add(field.getType());
            names.add(field.getName());
        }
        types.add(TypeMapping.toRel(new ColumnType.Int(64, true), false));
        names.add(name);
        return getCluster()
                .getTypeFactory()
                .createStructType(types, SqlValidatorUtil.uniquify(names, true));
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return super.explainTerms(writer).item("name", name).item("start", start);
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new RowIndexNode(getCluster(), traits, sole(inputs), name, start);
    }
}
