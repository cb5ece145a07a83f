package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The functions of dates and times that a constant unit or pattern belongs to. */
final class TemporalKernels {

    private TemporalKernels() {}

    static Value of(Expression.Call call, KernelBuilder builder) {
        Function function = call.function();
        List<Expression> arguments = call.arguments();
        return switch (function) {
            case DATE_TRUNC -> {
                TemporalUnit unit = unit(function, arguments.get(0));
                Value value = builder.value(arguments.get(1));
                yield unit == null
                        ? nothing(call)
                        : new TemporalTruncation(function, unit, 1, value);
            }
            case DATE_BUCKET -> {
                TemporalUnit unit = unit(function, arguments.get(0));
                Constant count = count(arguments.get(1));
                Value value = builder.value(arguments.get(2));
                yield unit != null && count instanceof Constant.Fixed(long units, long _)
                        ? new TemporalTruncation(function, unit, units, value)
                        : nothing(call);
            }
            case DATE_DIFF -> {
                TemporalUnit unit = unit(function, arguments.get(0));
                Value from = builder.value(arguments.get(1));
                Value to = builder.value(arguments.get(2));
                yield unit == null ? nothing(call) : new TemporalDifference(unit, from, to);
            }
            case STRFTIME -> {
                DatePattern pattern = pattern(function, arguments.get(1));
                Value value = builder.value(arguments.get(0));
                yield pattern == null ? nothing(call) : new DateFormat(value, pattern);
            }
            default -> {
                DatePattern pattern = pattern(function, arguments.get(1));
                Value text = builder.value(arguments.get(0));
                if (!(text.type() instanceof ColumnType.Utf8)) {
                    throw Failures.unsupported(function + " of " + text.type());
                }
                yield pattern == null
                        ? nothing(call)
                        : TextParseCast.of(
                                text,
                                call.type(),
                                function == Function.TRY_STRPTIME,
                                new PatternParser(readable(pattern)));
            }
        };
    }

    private static Value nothing(Expression.Call call) {
        return new ConstantValue(call.type(), new Constant.Null());
    }

    private static @Nullable TemporalUnit unit(Function function, Expression expression) {
        String name = ConstantText.of(expression, "The unit of " + function);
        if (name == null) {
            return null;
        }
        TemporalUnit unit = TemporalUnit.find(name);
        if (unit == null) {
            throw new SpillwayException(
                            ErrorCode.INVALID_EXPRESSION, "'%s' is no unit of time".formatted(name))
                    .with(SpillwayException.FOUND, name)
                    .with(
                            SpillwayException.EXPECTED,
                            Stream.of(TemporalUnit.values())
                                    .map(u -> u.name().toLowerCase(Locale.ROOT))
                                    .toList());
        }
        return unit;
    }

    /** How many units a bucket has. */
    private static Constant count(Expression expression) {
        if (!(ColumnUse.of(expression) instanceof ColumnUse.None)) {
            throw Failures.unsupported("The units of a bucket must be a constant number");
        }
        Constant count = Literals.parse(ExpressionCompiler.constant(expression));
        if (count instanceof Constant.Fixed(long units, long _) && units < 1) {
            throw new SpillwayException(
                            ErrorCode.INVALID_EXPRESSION,
                            "A bucket has 1 unit or more, not %,d".formatted(units))
                    .with(SpillwayException.FOUND, Long.toString(units));
        }
        return count;
    }

    private static @Nullable DatePattern pattern(Function function, Expression expression) {
        String pattern = ConstantText.of(expression, "The pattern of " + function);
        return pattern == null ? null : DatePattern.of(pattern);
    }

    private static DatePattern readable(DatePattern pattern) {
        for (DatePattern.Part part : pattern.parts()) {
            if (part instanceof DatePattern.Field(char letter, boolean _)
                    && !PatternParser.reads(letter)) {
                throw new SpillwayException(
                        ErrorCode.NOT_SUPPORTED,
                        "Reading dates by the field %%%s is not supported".formatted(letter));
            }
        }
        return pattern;
    }
}
