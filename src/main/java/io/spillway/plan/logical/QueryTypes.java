package io.spillway.plan.logical;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;

/**
 * The types with which Calcite sees columns while it validates a query: numbers that SQL has no
 * arithmetic for as the next wider ones, lists as arrays. {@link QueryAlgebra} puts back what they
 * are.
 */
final class QueryTypes {

    private QueryTypes() {}

    /** The type of a column as the validator sees it. */
    static RelDataType exposed(ColumnType type, boolean nullable) {
        return type instanceof ColumnType.ListOf list
                ? new ListRelType(list, nullable)
                : TypeMapping.toRel(TypeMapping.inExpression(type), nullable);
    }

    /** The row type of a table as the validator sees it. */
    static RelDataType exposed(RowSchema schema) {
        RelDataTypeFactory.Builder row = SpillwayTypeFactory.INSTANCE.builder();
        for (ColumnSchema column : schema.columns()) {
            row.add(column.name(), exposed(column.type(), column.nullable()));
        }
        return row.build();
    }

    /** The column type for one of Calcite's in a validated query. */
    static ColumnType column(RelDataType type) {
        return type instanceof ListRelType list ? list.type() : TypeMapping.toColumn(type);
    }
}
