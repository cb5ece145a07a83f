package io.spillway.sink.parquet;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.math.BigInteger;
import java.util.List;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;

/**
 * Spillway's types in Parquet's, in the forms that the format asks writers for: lists of three
 * levels, maps of required keys, decimals in as few bytes as their digits need. Parquet counts no
 * seconds: times and timestamps of them become milliseconds.
 *
 * @see <a href="https://github.com/apache/parquet-format/blob/master/LogicalTypes.md">Parquet
 *     logical types</a>
 */
final class ParquetSchemas {

    private static final String NAME = "schema";
    private static final String LIST = "list";
    private static final String ELEMENT = "element";
    private static final String ENTRIES = "key_value";
    private static final String KEY = "key";
    private static final String VALUE = "value";

    private static final int FLOAT16_BYTES = 2;
    private static final int INT32_DIGITS = 9;
    private static final int INT64_DIGITS = 18;

    private ParquetSchemas() {}

    /**
     * The schema of a file.
     *
     * @throws SpillwayException {@code NOT_SUPPORTED} if no Parquet file can hold such rows
     */
    static MessageType of(RowSchema schema) {
        if (schema.size() == 0) {
            throw new SpillwayException(
                    ErrorCode.NOT_SUPPORTED, "Rows without columns cannot be written as Parquet");
        }
        return new MessageType(
                NAME, schema.columns().stream().map(column -> of(column, column.name())).toList());
    }

    private static Type of(ColumnSchema column, String top) {
        return of(column.type(), column.nullable(), column.name(), top);
    }

    /**
     * @param top name of the column that it is a part of
     */
    private static Type of(ColumnType type, boolean nullable, String name, String top) {
        Repetition repetition = nullable ? Repetition.OPTIONAL : Repetition.REQUIRED;
        return switch (type) {
            case ColumnType.Struct(List<ColumnSchema> fields) -> {
                if (fields.isEmpty()) {
                    throw unsupported(type, top);
                }
                yield Types.buildGroup(repetition)
                        .addFields(
                                fields.stream().map(field -> of(field, top)).toArray(Type[]::new))
                        .named(name);
            }
            case ColumnType.ListOf(ColumnType element, boolean nulls) ->
                    Types.buildGroup(repetition)
                            .as(LogicalTypeAnnotation.listType())
                            .addField(
                                    Types.repeatedGroup()
                                            .addField(of(element, nulls, ELEMENT, top))
                                            .named(LIST))
                            .named(name);
            case ColumnType.MapOf(ColumnType key, ColumnType value, boolean nulls) ->
                    Types.buildGroup(repetition)
                            .as(LogicalTypeAnnotation.mapType())
                            .addField(
                                    Types.repeatedGroup()
                                            .addField(of(key, false, KEY, top))
                                            .addField(of(value, nulls, VALUE, top))
                                            .named(ENTRIES))
                            .named(name);
            case ColumnType _ -> leaf(type, repetition, name, top);
        };
    }

    private static Type leaf(ColumnType type, Repetition repetition, String name, String top) {
        return switch (type) {
            case ColumnType.Bool() ->
                    Types.primitive(PrimitiveTypeName.BOOLEAN, repetition).named(name);
            case ColumnType.Int(int bits, boolean signed) -> {
                var builder =
                        Types.primitive(
                                bits == Long.SIZE
                                        ? PrimitiveTypeName.INT64
                                        : PrimitiveTypeName.INT32,
                                repetition);
                yield signed && bits >= Integer.SIZE
                        ? builder.named(name)
                        : builder.as(LogicalTypeAnnotation.intType(bits, signed)).named(name);
            }
            case ColumnType.FloatingPoint(int bits) ->
                    switch (bits) {
                        case 16 ->
                                fixed(repetition, FLOAT16_BYTES)
                                        .as(LogicalTypeAnnotation.float16Type())
                                        .named(name);
                        case 32 -> Types.primitive(PrimitiveTypeName.FLOAT, repetition).named(name);
                        default ->
                                Types.primitive(PrimitiveTypeName.DOUBLE, repetition).named(name);
                    };
            case ColumnType.Decimal(int precision, int scale) -> {
                if (scale < 0 || scale > precision) {
                    throw unsupported(type, top);
                }
                var builder =
                        precision <= INT32_DIGITS
                                ? Types.primitive(PrimitiveTypeName.INT32, repetition)
                                : precision <= INT64_DIGITS
                                        ? Types.primitive(PrimitiveTypeName.INT64, repetition)
                                        : fixed(repetition, decimalBytes(precision));
                yield builder.as(LogicalTypeAnnotation.decimalType(scale, precision)).named(name);
            }
            case ColumnType.Utf8() ->
                    Types.primitive(PrimitiveTypeName.BINARY, repetition)
                            .as(LogicalTypeAnnotation.stringType())
                            .named(name);
            case ColumnType.Binary() ->
                    Types.primitive(PrimitiveTypeName.BINARY, repetition).named(name);
            case ColumnType.FixedBinary(int width) -> {
                if (width == 0) {
                    throw unsupported(type, top);
                }
                yield fixed(repetition, width).named(name);
            }
            case ColumnType.Date() ->
                    Types.primitive(PrimitiveTypeName.INT32, repetition)
                            .as(LogicalTypeAnnotation.dateType())
                            .named(name);
            case ColumnType.Time(ColumnType.TimeUnit unit) ->
                    Types.primitive(
                                    of(unit) == TimeUnit.MILLIS
                                            ? PrimitiveTypeName.INT32
                                            : PrimitiveTypeName.INT64,
                                    repetition)
                            .as(LogicalTypeAnnotation.timeType(false, of(unit)))
                            .named(name);
            case ColumnType.Timestamp(ColumnType.TimeUnit unit, boolean utc) ->
                    Types.primitive(PrimitiveTypeName.INT64, repetition)
                            .as(LogicalTypeAnnotation.timestampType(utc, of(unit)))
                            .named(name);
            case ColumnType.Struct _, ColumnType.ListOf _, ColumnType.MapOf _ ->
                    throw new IllegalArgumentException(type + " is no leaf");
        };
    }

    private static Types.PrimitiveBuilder<org.apache.parquet.schema.PrimitiveType> fixed(
            Repetition repetition, int width) {
        return Types.primitive(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, repetition).length(width);
    }

    private static TimeUnit of(ColumnType.TimeUnit unit) {
        return switch (unit) {
            case SECOND, MILLI -> TimeUnit.MILLIS;
            case MICRO -> TimeUnit.MICROS;
            case NANO -> TimeUnit.NANOS;
        };
    }

    /** As few bytes as hold all numbers of so many digits, in two's complement. */
    static int decimalBytes(int precision) {
        return BigInteger.TEN.pow(precision).bitLength() / Byte.SIZE + 1;
    }

    private static SpillwayException unsupported(ColumnType type, String column) {
        return new SpillwayException(
                        ErrorCode.NOT_SUPPORTED,
                        "Column '%s' cannot be written: Parquet has no type for %s"
                                .formatted(column, type))
                .with(SpillwayException.COLUMN, column);
    }
}
