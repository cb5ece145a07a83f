package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import org.apache.calcite.sql.type.ArraySqlType;

/**
 * A list while a query is validated: Calcite takes it for an array, so that UNNEST finds what it
 * consists of, and it remembers which list it is.
 */
final class ListRelType extends ArraySqlType {

    private final ColumnType.ListOf type;

    ListRelType(ColumnType.ListOf type, boolean nullable) {
        // The constructor above asks for the text of the type.
        this.type = type;
        super(QueryTypes.exposed(type.element(), type.nullable()), nullable);
    }

    ColumnType.ListOf type() {
        return type;
    }

    ListRelType withNullability(boolean nullable) {
        return nullable == isNullable() ? this : new ListRelType(type, nullable);
    }

    @Override
    protected void generateTypeString(StringBuilder out, boolean withDetail) {
        // Not the text of a StorageType, which is another type of the same list.
        out.append("ARRAY ").append(type);
    }
}
