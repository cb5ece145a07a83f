package io.spillway.plan.logical;

import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * The widths of types: decimals of 38 digits, times to the nanosecond. A DECIMAL without digits is
 * DECIMAL(38, 0); a TIME or TIMESTAMP without a precision counts microseconds.
 */
final class SpillwayTypeSystem extends RelDataTypeSystemImpl {

    private static final int MAX_DECIMAL = 38;

    @Override
    public int getMaxPrecision(SqlTypeName name) {
        return switch (name) {
            case DECIMAL -> MAX_DECIMAL;
            case TIME, TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> 9;
            default -> super.getMaxPrecision(name);
        };
    }

    @Override
    public int getMaxScale(SqlTypeName name) {
        return name == SqlTypeName.DECIMAL ? MAX_DECIMAL : super.getMaxScale(name);
    }

    @Override
    public int getDefaultPrecision(SqlTypeName name) {
        return switch (name) {
            case DECIMAL -> MAX_DECIMAL;
            case TIME, TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> 6;
            default -> super.getDefaultPrecision(name);
        };
    }

    /** Texts of different lengths meet as texts, not as padded ones. */
    @Override
    public boolean shouldConvertRaggedUnionTypesToVarying() {
        return true;
    }
}
