package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.error.SpillwayException;
import java.util.List;

/** The functions of one number, POWER, ATAN2, and ROUND with digits. */
final class MathKernels {

    private MathKernels() {}

    static Value of(Expression.Call call, List<Value> arguments) {
        Value argument = arguments.getFirst();
        Function function = call.function();
        if (function == Function.SIGN && !(argument.type() instanceof ColumnType.FloatingPoint)) {
            return SignValue.of(argument, call.type());
        }
        if (call.type() instanceof ColumnType.Decimal type
                && argument.type() instanceof ColumnType.Decimal) {
            return ofDecimal(function, argument, digits(arguments), type);
        }
        if (argument.type().equals(call.type())) {
            if (call.type() instanceof ColumnType.Int type) {
                return ofInteger(function, argument, digits(arguments), type);
            }
            if (call.type() instanceof ColumnType.FloatingPoint type) {
                return ofFloat(function, arguments, type);
            }
        }
        throw unsupported(function, call.type());
    }

    private static Value digits(List<Value> arguments) {
        if (arguments.size() == 1) {
            return new ConstantValue(new ColumnType.Int(32, true), new Constant.Fixed(0, 0));
        }
        Value digits = arguments.get(1);
        if (!digits.type().equals(new ColumnType.Int(32, true))) {
            throw Failures.unsupported("ROUND to digits of type " + digits.type());
        }
        return digits;
    }

    private static Value ofDecimal(
            Function function, Value argument, Value digits, ColumnType.Decimal type) {
        DecimalMath.Operator operator =
                switch (function) {
                    case NEGATE -> DecimalMath.Operator.NEGATE;
                    case ABS -> DecimalMath.Operator.ABS;
                    case FLOOR -> DecimalMath.Operator.FLOOR;
                    case CEIL -> DecimalMath.Operator.CEIL;
                    case ROUND -> DecimalMath.Operator.ROUND;
                    default -> throw unsupported(function, type);
                };
        return new DecimalMath(operator, argument, digits, type);
    }

    private static Value ofInteger(
            Function function, Value argument, Value digits, ColumnType.Int type) {
        boolean unsigned64 = new IntegerRange(type).isUnsigned64();
        return switch (function) {
            case NEGATE ->
                    new IntegerMath("-", IntegerMath.negate(unsigned64), argument, digits, type);
            case ABS -> new IntegerMath("ABS", IntegerMath.abs(unsigned64), argument, digits, type);
            case ROUND ->
                    new IntegerMath("ROUND", IntegerMath.round(unsigned64), argument, digits, type);
            case FLOOR, CEIL -> argument;
            default -> throw unsupported(function, type);
        };
    }

    private static Value ofFloat(
            Function function, List<Value> arguments, ColumnType.FloatingPoint type) {
        Value argument = arguments.getFirst();
        return switch (function) {
            case NEGATE -> new FloatMath(x -> -x, argument, type);
            case ABS -> new FloatMath(Math::abs, argument, type);
            case FLOOR -> new FloatMath(Math::floor, argument, type);
            case CEIL -> new FloatMath(Math::ceil, argument, type);
            case SQRT -> new FloatMath(Math::sqrt, argument, type);
            // StrictMath, so that every machine gives the same digits.
            case LN -> new FloatMath(StrictMath::log, argument, type);
            case LOG10 -> new FloatMath(StrictMath::log10, argument, type);
            case LOG2 -> new FloatMath(FloatMath::log2, argument, type);
            case EXP -> new FloatMath(StrictMath::exp, argument, type);
            case CBRT -> new FloatMath(StrictMath::cbrt, argument, type);
            case SIN -> new FloatMath(StrictMath::sin, argument, type);
            case COS -> new FloatMath(StrictMath::cos, argument, type);
            case TAN -> new FloatMath(StrictMath::tan, argument, type);
            case ASIN -> new FloatMath(StrictMath::asin, argument, type);
            case ACOS -> new FloatMath(StrictMath::acos, argument, type);
            case ATAN -> new FloatMath(StrictMath::atan, argument, type);
            case SINH -> new FloatMath(StrictMath::sinh, argument, type);
            case COSH -> new FloatMath(StrictMath::cosh, argument, type);
            case TANH -> new FloatMath(StrictMath::tanh, argument, type);
            case DEGREES -> new FloatMath(StrictMath::toDegrees, argument, type);
            case RADIANS -> new FloatMath(StrictMath::toRadians, argument, type);
            case SIGN -> new FloatMath(Math::signum, argument, type);
            case ROUND ->
                    arguments.size() == 1
                            ? new FloatMath(FloatMath::round, argument, type)
                            : new FloatRound(argument, digits(arguments), type);
            case POWER, ATAN2 -> {
                if (!arguments.get(1).type().equals(type)) {
                    throw unsupported(function, arguments.get(1).type());
                }
                FloatArithmetic.Operator operator =
                        function == Function.POWER
                                ? FloatArithmetic::power
                                : FloatArithmetic::angle;
                yield new FloatArithmetic(operator, argument, arguments.get(1), type);
            }
            default -> throw unsupported(function, type);
        };
    }

    private static SpillwayException unsupported(Function function, ColumnType type) {
        return Failures.unsupported(function + " of " + type);
    }
}
