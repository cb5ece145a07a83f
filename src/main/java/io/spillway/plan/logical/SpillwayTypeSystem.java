package io.spillway.plan.logical;

import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * The widths of types: decimals of 38 digits, times to the nanosecond. A DECIMAL without digits is
 * DECIMAL(38, 0); a TIME or TIMESTAMP without a precision counts microseconds; an interval has as
 * many digits as it shows.
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
            case INTERVAL_YEAR,
                    INTERVAL_YEAR_MONTH,
                    INTERVAL_MONTH,
                    INTERVAL_DAY,
                    INTERVAL_DAY_HOUR,
                    INTERVAL_DAY_MINUTE,
                    INTERVAL_DAY_SECOND,
                    INTERVAL_HOUR,
                    INTERVAL_HOUR_MINUTE,
                    INTERVAL_HOUR_SECOND,
                    INTERVAL_MINUTE,
                    INTERVAL_MINUTE_SECOND,
                    INTERVAL_SECOND ->
                    SqlTypeName.MAX_INTERVAL_START_PRECISION;
            default -> super.getDefaultPrecision(name);
        };
    }

    /** Texts of different lengths meet as texts, not as padded ones. */
    @Override
    public boolean shouldConvertRaggedUnionTypesToVarying() {
        return true;
    }
}
