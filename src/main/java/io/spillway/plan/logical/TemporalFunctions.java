package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.NearestName;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.expression.Expression.Literal;
import io.spillway.expression.Function;
import io.spillway.expression.TemporalUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rex.RexCall;
import org.jspecify.annotations.Nullable;

/** Functions of dates and times with a unit of time, a literal, as calls of {@link Function}s. */
final class TemporalFunctions {

    private static final ColumnType INT64 = new ColumnType.Int(64, true);

    /** Parts under the names that they have beside those of {@link TemporalUnit}s. */
    private static final Map<String, Function> PARTS =
            Map.of(
                    "DOW", Function.EXTRACT_DAY_OF_WEEK,
                    "DAYOFWEEK", Function.EXTRACT_DAY_OF_WEEK,
                    "ISODOW", Function.EXTRACT_ISO_DAY_OF_WEEK,
                    "DOY", Function.EXTRACT_DAY_OF_YEAR,
                    "DAYOFYEAR", Function.EXTRACT_DAY_OF_YEAR,
                    "ISOYEAR", Function.EXTRACT_ISO_YEAR,
                    "EPOCH", Function.EXTRACT_EPOCH);

    private TemporalFunctions() {}

    /** DATE_TRUNC(unit, moment). */
    static Expression truncation(RexCall call) {
        List<Expression> operands = RexTranslator.operands(call);
        return new Expression.Call(
                Function.DATE_TRUNC,
                List.of(FunctionTranslator.text(operands.get(0)), operands.get(1)),
                operands.get(1).type());
    }

    /** DATE_BUCKET(unit, count, moment). */
    static Expression bucket(RexCall call) {
        List<Expression> operands = RexTranslator.operands(call);
        return new Expression.Call(
                Function.DATE_BUCKET,
                List.of(
                        FunctionTranslator.text(operands.get(0)),
                        Coercions.cast(operands.get(1), INT64),
                        operands.get(2)),
                operands.get(2).type());
    }

    /** DATE_DIFF(unit, from, to). */
    static Expression difference(RexCall call) {
        List<Expression> operands = RexTranslator.operands(call);
        ColumnType common = Coercions.common(operands.get(1), operands.get(2));
        return new Expression.Call(
                Function.DATE_DIFF,
                List.of(
                        FunctionTranslator.text(operands.get(0)),
                        Coercions.cast(operands.get(1), common),
                        Coercions.cast(operands.get(2), common)),
                INT64);
    }

    /** DATE_ADD(unit, count, moment): months, or the moment's own units. */
    static Expression sum(RexCall call) {
        List<Expression> operands = RexTranslator.operands(call);
        String name = name(operands.get(0), "DATE_ADD");
        TemporalUnit unit = TemporalUnit.find(name);
        if (unit == null) {
            throw unknown(
                    name,
                    Stream.of(TemporalUnit.values())
                            .map(u -> u.name().toLowerCase(Locale.ROOT))
                            .toList());
        }
        Expression moment = operands.get(2);
        long months = months(unit);
        long factor = months == 0 ? units(unit, moment.type()) : months;
        Expression count = Coercions.cast(operands.get(1), INT64);
        Expression by =
                factor == 1
                        ? count
                        : new Expression.Call(
                                Function.MULTIPLY,
                                List.of(count, new Literal(INT64, Long.toString(factor))),
                                INT64);
        return new Expression.Call(
                months == 0 ? Function.ADD_UNITS : Function.ADD_MONTHS,
                List.of(moment, by),
                moment.type());
    }

    /** Months that a unit consists of, or 0. */
    private static long months(TemporalUnit unit) {
        return switch (unit) {
            case MILLENNIUM -> 12_000;
            case CENTURY -> 1_200;
            case DECADE -> 120;
            case YEAR -> 12;
            case QUARTER -> 3;
            case MONTH -> 1;
            case WEEK, DAY, HOUR, MINUTE, SECOND, MILLISECOND, MICROSECOND, NANOSECOND -> 0;
        };
    }

    /** How many of a type's own units a unit of weeks and less is. */
    private static long units(TemporalUnit unit, ColumnType type) {
        long perSecond =
                switch (type) {
                    case ColumnType.Timestamp(ColumnType.TimeUnit own, boolean _) ->
                            own.perSecond();
                    case ColumnType.Time(ColumnType.TimeUnit own) -> own.perSecond();
                    default -> 0;
                };
        long days = unit == TemporalUnit.WEEK ? 7 : 1;
        long units =
                unit.ofDays()
                        ? days * (perSecond == 0 ? 1 : TemporalUnit.HOUR.width(perSecond) * 24)
                        : perSecond == 0 ? 0 : unit.width(perSecond);
        if (units == 0) {
            throw new SpillwayException(
                            ErrorCode.TYPE_MISMATCH,
                            "A %s cannot be added to a %s, which counts no such parts"
                                    .formatted(unit.name().toLowerCase(Locale.ROOT), type))
                    .with(SpillwayException.FOUND, type.toString())
                    .with(SpillwayException.EXPECTED, List.of("a cast to a finer type"));
        }
        return units;
    }

    /** DATE_PART(part, moment). */
    static Expression part(RexCall call) {
        List<Expression> operands = RexTranslator.operands(call);
        String name = name(operands.get(0), "DATE_PART").toUpperCase(Locale.ROOT);
        TemporalUnit unit = TemporalUnit.find(name);
        Function function =
                unit == null ? PARTS.get(name) : extraction(TimeUnitRange.valueOf(unit.name()));
        if (function == null) {
            throw unknown(name, List.copyOf(PARTS.keySet()));
        }
        return new Expression.Call(function, operands.subList(1, 2), INT64);
    }

    /** EXTRACT of a unit. */
    static Function extraction(@Nullable TimeUnitRange unit) {
        return switch (unit) {
            case MILLENNIUM -> Function.EXTRACT_MILLENNIUM;
            case CENTURY -> Function.EXTRACT_CENTURY;
            case DECADE -> Function.EXTRACT_DECADE;
            case YEAR -> Function.EXTRACT_YEAR;
            case ISOYEAR -> Function.EXTRACT_ISO_YEAR;
            case QUARTER -> Function.EXTRACT_QUARTER;
            case MONTH -> Function.EXTRACT_MONTH;
            case WEEK -> Function.EXTRACT_WEEK;
            case DAY -> Function.EXTRACT_DAY;
            case DOW -> Function.EXTRACT_DAY_OF_WEEK;
            case ISODOW -> Function.EXTRACT_ISO_DAY_OF_WEEK;
            case DOY -> Function.EXTRACT_DAY_OF_YEAR;
            case HOUR -> Function.EXTRACT_HOUR;
            case MINUTE -> Function.EXTRACT_MINUTE;
            case SECOND -> Function.EXTRACT_SECOND;
            case MILLISECOND -> Function.EXTRACT_MILLISECOND;
            case MICROSECOND -> Function.EXTRACT_MICROSECOND;
            case NANOSECOND -> Function.EXTRACT_NANOSECOND;
            case EPOCH -> Function.EXTRACT_EPOCH;
            case null, default -> throw RexTranslator.notSupported("EXTRACT of " + unit);
        };
    }

    private static String name(Expression unit, String function) {
        if (unit instanceof Literal(ColumnType.Utf8 _, @Nullable String value) && value != null) {
            return value;
        }
        throw RexTranslator.notSupported(function + " of a unit that is no literal");
    }

    private static SpillwayException unknown(String name, List<String> names) {
        return new SpillwayException(
                        ErrorCode.INVALID_EXPRESSION, "'%s' is no unit of time".formatted(name))
                .with(SpillwayException.FOUND, name)
                .with(SpillwayException.EXPECTED, names)
                .with(SpillwayException.SUGGESTION, NearestName.of(name, names));
    }
}
