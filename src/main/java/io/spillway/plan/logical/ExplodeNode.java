package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;

/** For each element of a list a row, with the element in place of the list. */
final class ExplodeNode extends SingleRel {

    private final int column;
    private final boolean outer;

    private ExplodeNode(
            RelOptCluster cluster, RelTraitSet traits, RelNode input, int column, boolean outer) {
        super(cluster, traits, input);
        this.column = column;
        this.outer = outer;
    }

    /**
     * @param column of a list type
     * @param outer does a row whose list is null or empty come out once, with a null?
     */
    static ExplodeNode create(RelNode input, int column, boolean outer) {
        return new ExplodeNode(input.getCluster(), input.getTraitSet(), input, column, outer);
    }

    int column() {
        return column;
    }

    boolean outer() {
        return outer;
    }

    @Override
    protected RelDataType deriveRowType() {
        RelDataTypeFactory.Builder row = getCluster().getTypeFactory().builder();
        for (RelDataTypeField field : input.getRowType().getFieldList()) {
            RelDataType type = field.getType();
            row.add(field.getName(), field.getIndex() == column ? element(type) : type);
        }
        return row.build();
    }

    private RelDataType element(RelDataType list) {
        if (list instanceof ListRelType validated) {
            ColumnType.ListOf type = validated.type();
            return QueryTypes.exposed(type.element(), type.nullable() || outer);
        }
        if (TypeMapping.toColumn(list) instanceof ColumnType.ListOf(var element, var nullable)) {
            return TypeMapping.toRel(element, nullable || outer);
        }
        throw new IllegalArgumentException("a column of type " + list);
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return super.explainTerms(writer).item("column", column).item("outer", outer);
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new ExplodeNode(getCluster(), traits, sole(inputs), column, outer);
    }
}
