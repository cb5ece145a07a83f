package io.spillway.scan.parquet.footer;

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
import org.jspecify.annotations.Nullable;

/**
 * Parquet's types in Spillway's. A logical type that does not fit its physical type, or that is not
 * known, is left aside: the column is read by its physical type, as the format asks for.
 *
 * <p>INT96 timestamps count nanoseconds over more than ten million years, which no 64-bit count
 * does, and no footer tells which of them a file uses. They are read as {@code timestamp(us)}: that
 * holds all that Spark, by far the most frequent writer, can write, and the years 0001 and 9999,
 * which stand for open ends everywhere. A value with digits below the microsecond is an error then,
 * never cut. Who has such values asks for {@code timestamp(ns)}, where a value outside the years
 * 1677 to 2262 is an error, or for {@code utf8}, which holds all of them, as texts in ISO form.
 * There is no zone, since the type tells none. A type of 96 bits throughout the engine would be
 * exact too, but nothing that rows go to, Arrow or JSON or Parquet itself, has one.
 *
 * @see <a href="https://github.com/apache/parquet-format/blob/master/LogicalTypes.md">Parquet
 *     logical types</a>
 */
final class ParquetTypes {

    /** What INT96 is read as, unless something else is asked for. */
    static final ColumnType INT96 = new ColumnType.Timestamp(TimeUnit.MICRO, false);

    private static final int MAX_PRECISION = 38;

    private ParquetTypes() {}

    /** Why a leaf cannot be read, or null if it can. */
    static @Nullable String unreadable(PrimitiveType type) {
        if (type.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation d
                && d.getPrecision() > MAX_PRECISION) {
            return "decimals of more than " + MAX_PRECISION + " digits are not supported";
        }
        return null;
    }

    /** The type of a leaf that can be read. */
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
            case INT96 -> INT96;
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
