package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import java.util.Locale;
import org.apache.calcite.sql.type.AbstractSqlType;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * A column type that SQL has no arithmetic for: an unsigned integer, a half-precision float. A
 * column of it can be passed on as it is; in an expression it takes part as the wider type that
 * {@link TypeMapping#inExpression} gives.
 */
final class StorageType extends AbstractSqlType {

    private final ColumnType type;

    StorageType(ColumnType type, boolean nullable) {
        super(SqlTypeName.OTHER, nullable, null);
        this.type = type;
        computeDigest();
    }

    ColumnType type() {
        return type;
    }

    StorageType withNullability(boolean nullable) {
        return nullable == isNullable() ? this : new StorageType(type, nullable);
    }

    @Override
    protected void generateTypeString(StringBuilder out, boolean withDetail) {
        out.append(type.toString().toUpperCase(Locale.ROOT));
    }
}
