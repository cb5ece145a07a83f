package io.spillway.plan.logical;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression.Literal;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.type.RelDataType;
import org.jspecify.annotations.Nullable;

/**
 * A leaf of the algebra: rows that stand in the plan. Unlike Calcite's Values it holds literals of
 * any column type, unchanged.
 */
final class LiteralRows extends AbstractRelNode {

    private final RowSchema schema;
    private final List<List<Literal>> rows;

    private LiteralRows(RelOptCluster cluster, RowSchema schema, List<List<Literal>> rows) {
        super(cluster, cluster.traitSetOf(Convention.NONE));
        this.schema = schema;
        this.rows = rows;
    }

    static LiteralRows create(RelOptCluster cluster, RowSchema schema, List<List<Literal>> rows) {
        return new LiteralRows(cluster, schema, rows);
    }

    /** The same rows, but only some of the columns, by position, in this order. */
    LiteralRows project(List<Integer> positions) {
        List<ColumnSchema> columns = positions.stream().map(schema::column).toList();
        List<List<Literal>> cells =
                rows.stream().map(row -> positions.stream().map(row::get).toList()).toList();
        return new LiteralRows(getCluster(), new RowSchema(columns), cells);
    }

    /** The columns that come out. */
    RowSchema schema() {
        return schema;
    }

    /** One list of literals a row. */
    List<List<Literal>> rows() {
        return rows;
    }

    @Override
    protected RelDataType deriveRowType() {
        return TypeMapping.toRel(schema);
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return super.explainTerms(writer).item("columns", schema.names()).item("rows", rows.size());
    }

    /** Two are one only if they hold the same rows. */
    @Override
    public boolean deepEquals(@Nullable Object other) {
        return other instanceof LiteralRows literals
                && schema.equals(literals.schema)
                && rows.equals(literals.rows);
    }

    @Override
    public int deepHashCode() {
        return Objects.hash(schema, rows);
    }
}
