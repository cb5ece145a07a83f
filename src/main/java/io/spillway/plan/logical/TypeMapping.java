package io.spillway.plan.logical;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnType.TimeUnit;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlCollation;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Column types and Calcite's types, both ways. Every column type comes back as itself.
 *
 * <table>
 * <caption>Where the names differ</caption>
 * <tr><td>{@code timestamp(u)}</td><td>TIMESTAMP(0, 3, 6 or 9)</td></tr>
 * <tr><td>{@code timestamp(u,UTC)}</td><td>TIMESTAMP(p) WITH LOCAL TIME ZONE; the zone is UTC</td></tr>
 * <tr><td>{@code utf8}</td><td>VARCHAR without a length</td></tr>
 * <tr><td>{@code binary}, {@code binary(n)}</td><td>VARBINARY, BINARY(n)</td></tr>
 * <tr><td>{@code float32}, {@code float64}</td><td>REAL, DOUBLE (and FLOAT)</td></tr>
 * <tr><td>{@code uint…}, {@code float16}, nested types</td><td>{@link StorageType}</td></tr>
 * </table>
 *
 * A fraction of a second of other lengths, as literals have, takes the next longer unit.
 */
final class TypeMapping {

    private static final RelDataTypeFactory FACTORY = SpillwayTypeFactory.INSTANCE;

    private TypeMapping() {}

    /** Calcite's type for a column. */
    static RelDataType toRel(ColumnType type, boolean nullable) {
        return FACTORY.createTypeWithNullability(toRel(type), nullable);
    }

    private static RelDataType toRel(ColumnType type) {
        return switch (type) {
            case ColumnType.Bool() -> FACTORY.createSqlType(SqlTypeName.BOOLEAN);
            case ColumnType.Int(int bits, boolean signed) ->
                    signed ? FACTORY.createSqlType(integer(bits)) : new StorageType(type, false);
            case ColumnType.FloatingPoint(int bits) ->
                    switch (bits) {
                        case 16 -> new StorageType(type, false);
                        case 32 -> FACTORY.createSqlType(SqlTypeName.REAL);
                        default -> FACTORY.createSqlType(SqlTypeName.DOUBLE);
                    };
            case ColumnType.Decimal(int precision, int scale) ->
                    FACTORY.createSqlType(SqlTypeName.DECIMAL, precision, scale);
            case ColumnType.Utf8() ->
                    FACTORY.createTypeWithCharsetAndCollation(
                            FACTORY.createSqlType(SqlTypeName.VARCHAR),
                            FACTORY.getDefaultCharset(),
                            SqlCollation.IMPLICIT);
            case ColumnType.Binary() ->
                    FACTORY.createSqlType(
                            SqlTypeName.VARBINARY, RelDataType.PRECISION_NOT_SPECIFIED);
            case ColumnType.FixedBinary(int width) ->
                    FACTORY.createSqlType(SqlTypeName.BINARY, width);
            case ColumnType.Date() -> FACTORY.createSqlType(SqlTypeName.DATE);
            case ColumnType.Time(TimeUnit unit) ->
                    FACTORY.createSqlType(SqlTypeName.TIME, unit.digits());
            case ColumnType.Timestamp(TimeUnit unit, boolean utc) ->
                    FACTORY.createSqlType(
                            utc
                                    ? SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE
                                    : SqlTypeName.TIMESTAMP,
                            unit.digits());
            case ColumnType.ListOf _, ColumnType.Struct _, ColumnType.MapOf _ ->
                    new StorageType(type, false);
        };
    }

    private static SqlTypeName integer(int bits) {
        return switch (bits) {
            case 8 -> SqlTypeName.TINYINT;
            case 16 -> SqlTypeName.SMALLINT;
            case 32 -> SqlTypeName.INTEGER;
            default -> SqlTypeName.BIGINT;
        };
    }

    /** Calcite's type for rows of a schema. */
    static RelDataType toRel(RowSchema schema) {
        RelDataTypeFactory.Builder row = FACTORY.builder();
        for (ColumnSchema column : schema.columns()) {
            row.add(column.name(), toRel(column.type(), column.nullable()));
        }
        return row.build();
    }

    /**
     * The column type for one of Calcite's.
     *
     * @throws SpillwayException {@code NOT_SUPPORTED} for a type that no column has
     */
    static ColumnType toColumn(RelDataType type) {
        if (type instanceof StorageType storage) {
            return storage.type();
        }
        SqlTypeName name = type.getSqlTypeName();
        return switch (name) {
            case BOOLEAN -> new ColumnType.Bool();
            case TINYINT -> new ColumnType.Int(8, true);
            case SMALLINT -> new ColumnType.Int(16, true);
            case INTEGER -> new ColumnType.Int(32, true);
            case BIGINT -> new ColumnType.Int(64, true);
            case REAL -> new ColumnType.FloatingPoint(32);
            case FLOAT, DOUBLE -> new ColumnType.FloatingPoint(64);
            case DECIMAL -> new ColumnType.Decimal(type.getPrecision(), type.getScale());
            case CHAR, VARCHAR -> new ColumnType.Utf8();
            case VARBINARY -> new ColumnType.Binary();
            case BINARY -> new ColumnType.FixedBinary(type.getPrecision());
            case DATE -> new ColumnType.Date();
            case TIME -> new ColumnType.Time(unit(type.getPrecision()));
            case TIMESTAMP -> new ColumnType.Timestamp(unit(type.getPrecision()), false);
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
                    new ColumnType.Timestamp(unit(type.getPrecision()), true);
            default ->
                    throw new SpillwayException(
                                    ErrorCode.NOT_SUPPORTED,
                                    "Values of type %s are not supported".formatted(type))
                            .with(SpillwayException.FOUND, type.toString());
        };
    }

    /** The columns of Calcite's row type. */
    static RowSchema toSchema(RelDataType row) {
        List<ColumnSchema> columns = new ArrayList<>();
        for (RelDataTypeField field : row.getFieldList()) {
            RelDataType type = field.getType();
            columns.add(new ColumnSchema(field.getName(), toColumn(type), type.isNullable()));
        }
        return new RowSchema(columns);
    }

    /**
     * The type with which a column takes part in an expression: its own, but unsigned integers are
     * signed ones of the next width ({@code uint64} is {@code decimal(20,0)}), and half-precision
     * floats are single ones. No value changes.
     */
    static ColumnType inExpression(ColumnType type) {
        return switch (type) {
            case ColumnType.Int(int bits, boolean signed) when !signed ->
                    bits == 64 ? new ColumnType.Decimal(20, 0) : new ColumnType.Int(bits * 2, true);
            case ColumnType.FloatingPoint(int bits) when bits == 16 ->
                    new ColumnType.FloatingPoint(32);
            default -> type;
        };
    }

    private static TimeUnit unit(int digits) {
        for (TimeUnit unit : TimeUnit.values()) {
            if (unit.digits() >= digits) {
                return unit;
            }
        }
        return TimeUnit.NANO;
    }
}
