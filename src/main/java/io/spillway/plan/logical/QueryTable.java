package io.spillway.plan.logical;

import io.spillway.batch.RowSchema;
import java.util.List;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.TranslatableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.jspecify.annotations.Nullable;

/** A relation that a query may name. */
final class QueryTable extends AbstractTable implements TranslatableTable {

    private final Relation relation;
    private final RelDataType row;

    QueryTable(Relation relation) {
        this.relation = relation;
        this.row = QueryTypes.exposed(visible(relation));
    }

    private static RowSchema visible(Relation relation) {
        return new RowSchema(
                relation.columns().stream()
                        .filter(Relation.Available.class::isInstance)
                        .map(c -> ((Relation.Available) c).schema())
                        .toList());
    }

    Relation relation() {
        return relation;
    }

    @Override
    public RelDataType getRowType(RelDataTypeFactory factory) {
        return row;
    }

    @Override
    public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable table) {
        return new Leaf(context.getCluster(), relation, row);
    }

    /** The relation as a leaf of the algebra that Calcite makes of a query. */
    static final class Leaf extends AbstractRelNode {

        private final Relation relation;
        private final RelDataType row;

        private Leaf(RelOptCluster cluster, Relation relation, RelDataType row) {
            super(cluster, cluster.traitSetOf(Convention.NONE));
            this.relation = relation;
            this.row = row;
        }

        /** The relation's own algebra, with the columns that the query sees, in their order. */
        RelNode algebra() {
            List<Integer> columns =
                    relation.columns().stream()
                            .filter(Relation.Available.class::isInstance)
                            .map(c -> ((Relation.Available) c).index())
                            .toList();
            return Algebra.pick(relation.node(), columns);
        }

        @Override
        protected RelDataType deriveRowType() {
            return row;
        }

        @Override
        public RelWriter explainTerms(RelWriter writer) {
            return super.explainTerms(writer).item("relation", System.identityHashCode(relation));
        }

        @Override
        public boolean deepEquals(@Nullable Object other) {
            return other instanceof Leaf leaf && leaf.relation == relation;
        }

        @Override
        public int deepHashCode() {
            return System.identityHashCode(relation);
        }
    }
}
