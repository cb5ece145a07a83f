package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import java.util.Locale;
import org.apache.calcite.sql.type.AbstractSqlType;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * A column type that SQL has no arithmetic for: an unsigned integer, a half-precision float, a
 * list, a struct or a map. A column of it can be passed on as it is. In an expression, numbers take
 * part as the wider type that {@link TypeMapping#inExpression} gives; values of nested types are
 * opaque, and {@link NestedUse} tells where they may stand.
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

    /** Names of fields keep their case: types that differ in it alone are two. */
    @Override
    protected void generateTypeString(StringBuilder out, boolean withDetail) {
        String name = type.toString();
        out.append(type.isNested() ? name : name.toUpperCase(Locale.ROOT));
    }
}
