package io.spillway.expression;

import io.spillway.batch.ColumnType;
import java.util.List;

/** Calls of functions to kernels, by the family of the function and the type it works on. */
final class FunctionKernels {

    private FunctionKernels() {}

    static Value value(Expression.Call call, KernelBuilder builder) {
        return switch (call.function()) {
            case AND,
                    OR,
                    NOT,
                    IS_NULL,
                    IS_NOT_NULL,
                    IS_TRUE,
                    IS_FALSE,
                    IS_NOT_TRUE,
                    IS_NOT_FALSE,
                    IS_NOT_DISTINCT_FROM,
                    IS_DISTINCT_FROM,
                    EQUAL,
                    NOT_EQUAL,
                    LESS,
                    LESS_OR_EQUAL,
                    GREATER,
                    GREATER_OR_EQUAL,
                    LIKE,
                    REGEXP_LIKE,
                    ARRAY_CONTAINS,
                    STARTS_WITH,
                    ENDS_WITH,
                    CONTAINS ->
                    new ConditionValue(ConditionKernels.of(call, builder));
            case ADD -> arithmetic(ArithmeticOperator.ADD, call, builder);
            case SUBTRACT -> arithmetic(ArithmeticOperator.SUBTRACT, call, builder);
            case MULTIPLY -> arithmetic(ArithmeticOperator.MULTIPLY, call, builder);
            case DIVIDE -> arithmetic(ArithmeticOperator.DIVIDE, call, builder);
            case REMAINDER -> arithmetic(ArithmeticOperator.REMAINDER, call, builder);
            case NEGATE,
                    ABS,
                    FLOOR,
                    CEIL,
                    ROUND,
                    SIGN,
                    SQRT,
                    CBRT,
                    POWER,
                    LN,
                    LOG10,
                    LOG2,
                    EXP,
                    SIN,
                    COS,
                    TAN,
                    ASIN,
                    ACOS,
                    ATAN,
                    ATAN2,
                    SINH,
                    COSH,
                    TANH,
                    DEGREES,
                    RADIANS ->
                    MathKernels.of(call, arguments(call, builder));
            case GREATEST, LEAST -> ExtremeValue.of(call, arguments(call, builder));
            case UPPER,
                    LOWER,
                    TRIM,
                    LTRIM,
                    RTRIM,
                    CHAR_LENGTH,
                    SUBSTRING,
                    CONCAT,
                    OCTET_LENGTH,
                    LEFT,
                    RIGHT,
                    LPAD,
                    RPAD,
                    REPEAT,
                    REVERSE,
                    SPLIT_PART,
                    MD5,
                    SHA256,
                    XXHASH64,
                    POSITION,
                    REPLACE ->
                    TextKernels.of(call, arguments(call, builder));
            case REGEXP_EXTRACT, REGEXP_REPLACE ->
                    RegexKernels.of(call, builder.value(call.arguments().getFirst()));
            case JSON_VALUE -> JsonPath.value(call, builder);
            case CARDINALITY, ELEMENT_AT, STRUCT_EXTRACT -> NestedKernels.of(call, builder);
            case NAMED_STRUCT -> NestedKernels.struct(call, builder);
            case EXTRACT_YEAR,
                    EXTRACT_QUARTER,
                    EXTRACT_MONTH,
                    EXTRACT_DAY,
                    EXTRACT_DAY_OF_WEEK,
                    EXTRACT_DAY_OF_YEAR,
                    EXTRACT_HOUR,
                    EXTRACT_MINUTE,
                    EXTRACT_SECOND,
                    EXTRACT_MILLENNIUM,
                    EXTRACT_CENTURY,
                    EXTRACT_DECADE,
                    EXTRACT_WEEK,
                    EXTRACT_ISO_YEAR,
                    EXTRACT_ISO_DAY_OF_WEEK,
                    EXTRACT_MILLISECOND,
                    EXTRACT_MICROSECOND,
                    EXTRACT_NANOSECOND,
                    EXTRACT_EPOCH ->
                    new ExtractValue(
                            call.function(), arguments(call, builder).getFirst(), call.type());
            case DATE_TRUNC, DATE_BUCKET, DATE_DIFF, STRFTIME, STRPTIME, TRY_STRPTIME ->
                    TemporalKernels.of(call, builder);
            case ADD_MONTHS, ADD_UNITS -> {
                List<Value> arguments = arguments(call, builder);
                yield new TemporalShift(call.function(), arguments.get(0), arguments.get(1));
            }
        };
    }

    private static List<Value> arguments(Expression.Call call, KernelBuilder builder) {
        return call.arguments().stream().map(builder::value).toList();
    }

    private static Value arithmetic(
            ArithmeticOperator operator, Expression.Call call, KernelBuilder builder) {
        Value left = builder.value(call.arguments().get(0));
        Value right = builder.value(call.arguments().get(1));
        boolean decimals =
                left.type() instanceof ColumnType.Decimal
                        && right.type() instanceof ColumnType.Decimal;
        if (call.type() instanceof ColumnType.Decimal type && decimals) {
            return new DecimalArithmetic(operator, left, right, type);
        }
        if (left.type().equals(call.type()) && right.type().equals(call.type())) {
            if (call.type() instanceof ColumnType.Int type) {
                return new IntegerArithmetic(operator, left, right, type);
            }
            if (call.type() instanceof ColumnType.FloatingPoint type) {
                return new FloatArithmetic(FloatArithmetic.operator(operator), left, right, type);
            }
        }
        throw Failures.unsupported(
                "%s of %s and %s to %s"
                        .formatted(call.function(), left.type(), right.type(), call.type()));
    }
}
