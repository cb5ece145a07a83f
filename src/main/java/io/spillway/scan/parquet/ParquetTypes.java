package io.spillway.scan.parquet;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnType.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.EnumLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.Float16LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.JsonLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * Parquet's types in Spillway's. A logical type that does not fit its physical type, or that is not
 * known, is left aside: the column is read by its physical type, as the format asks for.
 *
 * @see <a href="https://github.com/apache/parquet-format/blob/master/LogicalTypes.md">Parquet
 *     logical types</a>
 */
final class ParquetTypes {

    private static final int MAX_PRECISION = 38;
    private static final int DECIMAL_BYTES = 16;

    private ParquetTypes() {}

    /** Why a column cannot be read, or null if it can. */
    static @Nullable String unreadable(Type type) {
        if (type.isRepetition(Type.Repetition.REPEATED)) {
            return "repeated columns are not supported yet";
        }
        if (!type.isPrimitive()) {
            return "nested columns are not supported yet";
        }
        PrimitiveType p = type.asPrimitiveType();
        if (p.getPrimitiveTypeName() == PrimitiveType.PrimitiveTypeName.INT96) {
            return "INT96 timestamps are not supported yet";
        }
        if (p.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation d) {
            if (d.getPrecision() > MAX_PRECISION) {
                return "decimals of more than " + MAX_PRECISION + " digits are not supported";
            }
            if (p.getPrimitiveTypeName() == PrimitiveType.PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY
                    && p.getTypeLength() > DECIMAL_BYTES) {
                return "decimals of more than " + DECIMAL_BYTES + " bytes are not supported";
            }
        }
        return null;
    }

    /** The type of a column that can be read. */
    static ColumnType columnType(PrimitiveType type) {
        LogicalTypeAnnotation logical = type.getLogicalTypeAnnotation();
        return switch (type.getPrimitiveTypeName()) {
            case BOOLEAN -> new ColumnType.Bool();
            case INT32 -> int32(logical);
            case INT64 -> int64(logical);
            case FLOAT -> new ColumnType.FloatingPoint(32);
            case DOUBLE -> new ColumnType.FloatingPoint(64);
            case BINARY -> binary(logical);
            case FIXED_LEN_BYTE_ARRAY -> fixed(logical, type.getTypeLength());
            case INT96 -> throw new IllegalArgumentException("INT96");
        };
    }

    private static ColumnType int32(@Nullable LogicalTypeAnnotation logical) {
        return switch (logical) {
            case IntLogicalTypeAnnotation i when i.getBitWidth() <= 32 ->
                    new ColumnType.Int(i.getBitWidth(), i.isSigned());
            case DateLogicalTypeAnnotation _ -> new ColumnType.Date();
            case TimeLogicalTypeAnnotation t
                    when t.getUnit() == LogicalTypeAnnotation.TimeUnit.MILLIS ->
                    new ColumnType.Time(TimeUnit.MILLI);
            case DecimalLogicalTypeAnnotation d -> decimal(d);
            case null, default -> new ColumnType.Int(32, true);
        };
    }

    private static ColumnType int64(@Nullable LogicalTypeAnnotation logical) {
        return switch (logical) {
            case IntLogicalTypeAnnotation i when i.getBitWidth() == 64 ->
                    new ColumnType.Int(64, i.isSigned());
            case TimestampLogicalTypeAnnotation t ->
                    new ColumnType.Timestamp(unit(t.getUnit()), t.isAdjustedToUTC());
            case TimeLogicalTypeAnnotation t
                    when t.getUnit() != LogicalTypeAnnotation.TimeUnit.MILLIS ->
                    new ColumnType.Time(unit(t.getUnit()));
            case DecimalLogicalTypeAnnotation d -> decimal(d);
            case null, default -> new ColumnType.Int(64, true);
        };
    }

    private static ColumnType binary(@Nullable LogicalTypeAnnotation logical) {
        return switch (logical) {
            case StringLogicalTypeAnnotation _ -> new ColumnType.Utf8();
            case EnumLogicalTypeAnnotation _ -> new ColumnType.Utf8();
            case JsonLogicalTypeAnnotation _ -> new ColumnType.Utf8();
            case DecimalLogicalTypeAnnotation d -> decimal(d);
            case null, default -> new ColumnType.Binary();
        };
    }

    private static ColumnType fixed(@Nullable LogicalTypeAnnotation logical, int length) {
        return switch (logical) {
            case DecimalLogicalTypeAnnotation d -> decimal(d);
            case Float16LogicalTypeAnnotation _ when length == 2 ->
                    new ColumnType.FloatingPoint(16);
            case null, default -> new ColumnType.FixedBinary(length);
        };
    }

    private static ColumnType decimal(DecimalLogicalTypeAnnotation d) {
        return new ColumnType.Decimal(d.getPrecision(), d.getScale());
    }

    private static TimeUnit unit(LogicalTypeAnnotation.TimeUnit unit) {
        return switch (unit) {
            case MILLIS -> TimeUnit.MILLI;
            case MICROS -> TimeUnit.MICRO;
            case NANOS -> TimeUnit.NANO;
        };
    }
}
