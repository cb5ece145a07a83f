package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.error.SpillwayException;

/**
 * Which kernel converts what. Conversions follow DuckDB where it is not told otherwise: floats
 * round half to even on the way to integers, decimals half away from zero everywhere, a value out
 * of range is an error. Between local and UTC timestamps nothing is shifted: the local ones are
 * taken as UTC.
 */
final class CastKernels {

    private CastKernels() {}

    /**
     * A conversion.
     *
     * @throws SpillwayException {@code TYPE_MISMATCH} if there is none between the types
     */
    static Value of(Value argument, ColumnType to, boolean safe) {
        ColumnType from = argument.type();
        if (from.equals(to)) {
            return argument;
        }
        return switch (from) {
            case ColumnType.Bool() -> fromBool(argument, to, safe);
            case ColumnType.Int type -> fromInteger(argument, type, to, safe);
            case ColumnType.FloatingPoint(int bits) -> fromFloat(argument, bits, to, safe);
            case ColumnType.Decimal(int _, int scale) -> fromDecimal(argument, scale, to, safe);
            case ColumnType.Utf8() -> TextParseCast.of(argument, to, safe);
            case ColumnType.Binary() -> {
                if (to instanceof ColumnType.FixedBinary) {
                    yield new BytesCast(argument, to, safe);
                }
                throw unsupported(from, to);
            }
            case ColumnType.FixedBinary _ -> {
                if (to instanceof ColumnType.Binary) {
                    yield new BytesCast(argument, to, safe);
                }
                throw unsupported(from, to);
            }
            case ColumnType.Date _, ColumnType.Time _, ColumnType.Timestamp _ ->
                    fromTemporal(argument, from, to, safe);
            case ColumnType.ListOf _, ColumnType.Struct _, ColumnType.MapOf _ ->
                    new NestedCast(argument, to, safe);
        };
    }

    static SpillwayException unsupported(ColumnType from, ColumnType to) {
        return Failures.unsupported("There is no conversion from " + from + " to " + to);
    }

    private static Value fromBool(Value argument, ColumnType to, boolean safe) {
        return switch (to) {
            case ColumnType.Int type -> IntegerConversions.fromBool(argument, type, safe);
            case ColumnType.FloatingPoint type ->
                    FloatConversions.fromInteger(argument, type, safe);
            case ColumnType.Decimal type -> DecimalCast.fromInteger(argument, type, safe);
            case ColumnType.Utf8() -> new TextFormatCast(argument, safe);
            case ColumnType.Bool _,
                    ColumnType.Binary _,
                    ColumnType.FixedBinary _,
                    ColumnType.Date _,
                    ColumnType.Time _,
                    ColumnType.Timestamp _,
                    ColumnType.ListOf _,
                    ColumnType.Struct _,
                    ColumnType.MapOf _ ->
                    throw unsupported(argument.type(), to);
        };
    }

    private static Value fromInteger(
            Value argument, ColumnType.Int from, ColumnType to, boolean safe) {
        return switch (to) {
            case ColumnType.Bool() -> IntegerConversions.toBool(argument, safe);
            case ColumnType.Int type -> IntegerConversions.integers(argument, from, type, safe);
            case ColumnType.FloatingPoint type ->
                    FloatConversions.fromInteger(argument, type, safe);
            case ColumnType.Decimal type -> DecimalCast.fromInteger(argument, type, safe);
            case ColumnType.Utf8() -> new TextFormatCast(argument, safe);
            case ColumnType.Binary _,
                    ColumnType.FixedBinary _,
                    ColumnType.Date _,
                    ColumnType.Time _,
                    ColumnType.Timestamp _,
                    ColumnType.ListOf _,
                    ColumnType.Struct _,
                    ColumnType.MapOf _ ->
                    throw unsupported(from, to);
        };
    }

    private static Value fromFloat(Value argument, int bits, ColumnType to, boolean safe) {
        return switch (to) {
            case ColumnType.Bool() -> FloatConversions.toBool(argument, bits, safe);
            case ColumnType.Int type -> FloatConversions.toInteger(argument, bits, type, safe);
            case ColumnType.FloatingPoint type ->
                    FloatConversions.floats(argument, bits, type, safe);
            case ColumnType.Decimal type -> DecimalCast.fromFloat(argument, bits, type, safe);
            case ColumnType.Utf8() -> new TextFormatCast(argument, safe);
            case ColumnType.Binary _,
                    ColumnType.FixedBinary _,
                    ColumnType.Date _,
                    ColumnType.Time _,
                    ColumnType.Timestamp _,
                    ColumnType.ListOf _,
                    ColumnType.Struct _,
                    ColumnType.MapOf _ ->
                    throw unsupported(argument.type(), to);
        };
    }

    private static Value fromDecimal(Value argument, int scale, ColumnType to, boolean safe) {
        return switch (to) {
            case ColumnType.Bool() -> DecimalConversions.toBool(argument, safe);
            case ColumnType.Int type -> DecimalConversions.toInteger(argument, scale, type, safe);
            case ColumnType.FloatingPoint type ->
                    FloatConversions.fromDecimal(argument, scale, type, safe);
            case ColumnType.Decimal type -> DecimalCast.fromDecimal(argument, scale, type, safe);
            case ColumnType.Utf8() -> new TextFormatCast(argument, safe);
            case ColumnType.Binary _,
                    ColumnType.FixedBinary _,
                    ColumnType.Date _,
                    ColumnType.Time _,
                    ColumnType.Timestamp _,
                    ColumnType.ListOf _,
                    ColumnType.Struct _,
                    ColumnType.MapOf _ ->
                    throw unsupported(argument.type(), to);
        };
    }

    private static Value fromTemporal(
            Value argument, ColumnType from, ColumnType to, boolean safe) {
        if (to instanceof ColumnType.Utf8) {
            return new TextFormatCast(argument, safe);
        }
        if (from instanceof ColumnType.Date && to instanceof ColumnType.Timestamp type) {
            return IntegerConversions.dateToTimestamp(argument, type, safe);
        }
        if (from instanceof ColumnType.Time(var unit) && to instanceof ColumnType.Time(var other)) {
            return IntegerConversions.units(argument, unit, other, to, safe);
        }
        if (from instanceof ColumnType.Timestamp timestamp) {
            return switch (to) {
                case ColumnType.Date type ->
                        IntegerConversions.timestampToDate(argument, timestamp, type, safe);
                case ColumnType.Time type ->
                        IntegerConversions.timestampToTime(argument, timestamp, type, safe);
                case ColumnType.Timestamp(var unit, boolean _) ->
                        IntegerConversions.units(argument, timestamp.unit(), unit, to, safe);
                case ColumnType.Bool _,
                        ColumnType.Int _,
                        ColumnType.FloatingPoint _,
                        ColumnType.Decimal _,
                        ColumnType.Utf8 _,
                        ColumnType.Binary _,
                        ColumnType.FixedBinary _,
                        ColumnType.ListOf _,
                        ColumnType.Struct _,
                        ColumnType.MapOf _ ->
                        throw unsupported(from, to);
            };
        }
        throw unsupported(from, to);
    }
}
