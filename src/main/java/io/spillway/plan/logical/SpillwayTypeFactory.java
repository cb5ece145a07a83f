package io.spillway.plan.logical;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.type.SqlTypeFactoryImpl;
import org.apache.calcite.sql.type.SqlTypeMappingRule;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * Makes types for Calcite. All text is UTF-8 VARCHAR without a length, the types of literals
 * included, so that nothing is ever padded or cut. Thread-safe.
 */
final class SpillwayTypeFactory extends SqlTypeFactoryImpl {

    static final SpillwayTypeFactory INSTANCE = new SpillwayTypeFactory();

    private SpillwayTypeFactory() {
        super(new SpillwayTypeSystem());
    }

    @Override
    public Charset getDefaultCharset() {
        return StandardCharsets.UTF_8;
    }

    @Override
    public RelDataType createSqlType(SqlTypeName name) {
        return name == SqlTypeName.CHAR
                ? super.createSqlType(SqlTypeName.VARCHAR)
                : super.createSqlType(name);
    }

    @Override
    public RelDataType createSqlType(SqlTypeName name, int precision) {
        return name == SqlTypeName.CHAR || name == SqlTypeName.VARCHAR
                ? super.createSqlType(SqlTypeName.VARCHAR, RelDataType.PRECISION_NOT_SPECIFIED)
                : super.createSqlType(name, precision);
    }

    @Override
    public RelDataType createTypeWithNullability(RelDataType type, boolean nullable) {
        return switch (type) {
            case StorageType storage -> canonize(storage.withNullability(nullable));
            case ListRelType list -> canonize(list.withNullability(nullable));
            case RelDataType _ -> super.createTypeWithNullability(type, nullable);
        };
    }

    /** Where one value is of a type that is passed on as it is, all are of that type. */
    @Override
    public @Nullable RelDataType leastRestrictive(
            List<RelDataType> types, SqlTypeMappingRule mappingRule) {
        StorageType common = null;
        for (RelDataType type : types) {
            common = type instanceof StorageType storage ? storage : common;
        }
        if (common == null) {
            return super.leastRestrictive(types, mappingRule);
        }
        boolean nullable = false;
        for (RelDataType type : types) {
            boolean isNull = type.getSqlTypeName() == SqlTypeName.NULL;
            if (!isNull
                    && !(type instanceof StorageType storage
                            && storage.type().equals(common.type()))) {
                return null;
            }
            nullable |= isNull || type.isNullable();
        }
        return createTypeWithNullability(common, nullable);
    }

    @Override
    public RelDataType enforceTypeWithNullability(RelDataType type, boolean nullable) {
        return type instanceof StorageType
                ? createTypeWithNullability(type, nullable)
                : super.enforceTypeWithNullability(type, nullable);
    }
}
