package io.spillway.expression;

import io.spillway.batch.ColumnType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Expressions of a type, over columns of given types, that are well typed but otherwise wild. */
final class RandomExpressions {

    static final ColumnType BOOL = new ColumnType.Bool();
    static final ColumnType BYTE = new ColumnType.Int(8, true);
    static final ColumnType INT = new ColumnType.Int(32, true);
    static final ColumnType LONG = new ColumnType.Int(64, true);
    static final ColumnType ULONG = new ColumnType.Int(64, false);
    static final ColumnType FLOAT = new ColumnType.FloatingPoint(32);
    static final ColumnType DOUBLE = new ColumnType.FloatingPoint(64);
    static final ColumnType MONEY = new ColumnType.Decimal(10, 2);
    static final ColumnType WIDE = new ColumnType.Decimal(38, 5);
    static final ColumnType TEXT = new ColumnType.Utf8();
    static final ColumnType BINARY = new ColumnType.Binary();
    static final ColumnType DATE = new ColumnType.Date();
    static final ColumnType TIMESTAMP = new ColumnType.Timestamp(ColumnType.TimeUnit.MICRO, false);

    static final List<ColumnType> TYPES =
            List.of(
                    BOOL, BYTE, INT, LONG, ULONG, FLOAT, DOUBLE, MONEY, WIDE, TEXT, BINARY, DATE,
                    TIMESTAMP);

    /** Those, and some that are only handed on and tested for null. */
    static final List<ColumnType> COLUMNS =
            Stream.concat(
                            TYPES.stream(),
                            Stream.of("list<int32>", "map<utf8,struct<a list<bool>,b date>>")
                                    .map(ColumnType::parse))
                    .toList();

    private static final Function[] COMPARISONS = {
        Function.EQUAL,
        Function.NOT_EQUAL,
        Function.LESS,
        Function.LESS_OR_EQUAL,
        Function.GREATER,
        Function.GREATER_OR_EQUAL,
        Function.IS_DISTINCT_FROM,
        Function.IS_NOT_DISTINCT_FROM
    };
    private static final Function[] ARITHMETIC = {
        Function.ADD, Function.SUBTRACT, Function.MULTIPLY, Function.DIVIDE, Function.REMAINDER
    };
    private static final Function[] PARTS = {
        Function.EXTRACT_YEAR, Function.EXTRACT_QUARTER, Function.EXTRACT_MONTH,
        Function.EXTRACT_DAY, Function.EXTRACT_DAY_OF_WEEK, Function.EXTRACT_DAY_OF_YEAR,
        Function.EXTRACT_HOUR, Function.EXTRACT_MINUTE, Function.EXTRACT_SECOND
    };
    private static final String[] PATTERNS = {
        "", "%", "a%", "%b", "%a%", "_", "a_c", "%_b%", "__%", "%é", "!%%", "a%b", "%a%b%", "_😀%"
    };

    private final Random random;
    private final List<ColumnType> columns;

    RandomExpressions(Random random, List<ColumnType> columns) {
        this.random = random;
        this.columns = columns;
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private <T> T any(T[] array) {
        return array[random.nextInt(array.length)];
    }

    Expression of(ColumnType type, int depth) {
        if (depth == 0 || random.nextInt(8) == 0) {
            return leaf(type);
        }
        if (random.nextInt(8) == 0) {
            List<Expression.Branch> branches = new ArrayList<>();
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                branches.add(new Expression.Branch(of(BOOL, depth - 1), of(type, depth - 1)));
            }
            return new Expression.Case(branches, of(type, depth - 1), type);
        }
        return switch (type) {
            case ColumnType.Bool _ -> bool(depth - 1);
            case ColumnType.Int _ -> integer(type, depth - 1);
            case ColumnType.FloatingPoint _ -> number(type, depth - 1);
            case ColumnType.Decimal _ -> decimal(type, depth - 1);
            case ColumnType.Utf8 _ -> text(depth - 1);
            case ColumnType.Binary _,
                    ColumnType.FixedBinary _,
                    ColumnType.Date _,
                    ColumnType.Time _,
                    ColumnType.Timestamp _,
                    ColumnType.ListOf _,
                    ColumnType.Struct _,
                    ColumnType.MapOf _ ->
                    leaf(type);
        };
    }

    private Expression leaf(ColumnType type) {
        List<Integer> matching = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).equals(type)) {
                matching.add(i);
            }
        }
        if (!matching.isEmpty() && random.nextInt(3) != 0) {
            return new Expression.Column(any(matching), type);
        }
        return type.isNested() || random.nextInt(10) == 0
                ? TestValues.literal(type, null)
                : TestValues.literal(type, RandomValues.value(type, random));
    }

    private Expression.Literal literal(ColumnType type) {
        return TestValues.literal(type, RandomValues.value(type, random));
    }

    private static Expression call(Function function, ColumnType type, Expression... arguments) {
        return new Expression.Call(function, List.of(arguments), type);
    }

    private Expression bool(int depth) {
        return switch (random.nextInt(9)) {
            case 0, 1 -> {
                List<Expression> operands = new ArrayList<>();
                for (int i = random.nextInt(2, 5); i > 0; i--) {
                    operands.add(of(BOOL, depth));
                }
                yield new Expression.Call(
                        random.nextBoolean() ? Function.AND : Function.OR, operands, BOOL);
            }
            case 2 ->
                    call(
                            any(
                                    new Function[] {
                                        Function.NOT,
                                        Function.IS_TRUE,
                                        Function.IS_FALSE,
                                        Function.IS_NOT_TRUE,
                                        Function.IS_NOT_FALSE
                                    }),
                            BOOL,
                            of(BOOL, depth));
            case 3 ->
                    call(
                            random.nextBoolean() ? Function.IS_NULL : Function.IS_NOT_NULL,
                            BOOL,
                            of(any(COLUMNS), depth));
            case 4 -> {
                ColumnType type = any(TYPES);
                List<Expression.Literal> values = new ArrayList<>();
                for (int i = random.nextInt(6); i > 0; i--) {
                    values.add(literal(type));
                }
                yield new Expression.In(of(type, depth), values);
            }
            case 5 ->
                    call(
                            Function.LIKE,
                            BOOL,
                            of(TEXT, depth),
                            TestValues.literal(TEXT, any(PATTERNS)),
                            TestValues.literal(TEXT, "!"));
            case 6 -> call(any(COMPARISONS), BOOL, of(MONEY, depth), of(WIDE, depth));
            case 7 ->
                    new Expression.Cast(
                            of(any(List.of(LONG, DOUBLE, MONEY)), depth),
                            BOOL,
                            random.nextBoolean());
            default -> {
                ColumnType type = any(TYPES);
                yield call(any(COMPARISONS), BOOL, of(type, depth), of(type, depth));
            }
        };
    }

    private Expression integer(ColumnType type, int depth) {
        return switch (random.nextInt(6)) {
            case 0 ->
                    new Expression.Cast(
                            of(
                                    any(
                                            List.of(
                                                    BOOL, BYTE, INT, LONG, ULONG, DOUBLE, MONEY,
                                                    WIDE, TEXT)),
                                    depth),
                            type,
                            random.nextInt(3) != 0);
            case 1 ->
                    call(
                            random.nextBoolean() ? Function.NEGATE : Function.ABS,
                            type,
                            of(type, depth));
            case 2 ->
                    call(
                            Function.ROUND,
                            type,
                            of(type, depth),
                            TestValues.literal(INT, random.nextInt(-21, 2)));
            case 3 ->
                    type.equals(LONG)
                            ? call(
                                    any(PARTS),
                                    LONG,
                                    of(random.nextBoolean() ? DATE : TIMESTAMP, depth))
                            : call(Function.CHAR_LENGTH, type, of(TEXT, depth));
            default -> call(any(ARITHMETIC), type, of(type, depth), of(type, depth));
        };
    }

    private Expression number(ColumnType type, int depth) {
        return switch (random.nextInt(5)) {
            case 0 ->
                    type.equals(DOUBLE)
                            ? new Expression.Cast(
                                    of(any(List.of(BOOL, LONG, ULONG, MONEY, WIDE)), depth),
                                    DOUBLE,
                                    random.nextBoolean())
                            : leaf(type);
            case 1 ->
                    call(
                            any(
                                    new Function[] {
                                        Function.NEGATE, Function.ABS, Function.FLOOR, Function.CEIL
                                    }),
                            type,
                            of(type, depth));
            default -> call(any(ARITHMETIC), type, of(type, depth), of(type, depth));
        };
    }

    private Expression decimal(ColumnType type, int depth) {
        return switch (random.nextInt(6)) {
            case 0 ->
                    new Expression.Cast(
                            of(any(List.of(INT, LONG, ULONG, DOUBLE, MONEY, WIDE, TEXT)), depth),
                            type,
                            random.nextInt(3) != 0);
            case 1 ->
                    call(
                            any(
                                    new Function[] {
                                        Function.NEGATE, Function.ABS, Function.FLOOR, Function.CEIL
                                    }),
                            type,
                            of(any(List.of(MONEY, WIDE)), depth));
            case 2 ->
                    call(
                            Function.ROUND,
                            type,
                            of(any(List.of(MONEY, WIDE)), depth),
                            TestValues.literal(INT, random.nextInt(-12, 8)));
            default ->
                    call(
                            any(ARITHMETIC),
                            type,
                            of(any(List.of(MONEY, WIDE)), depth),
                            of(any(List.of(MONEY, WIDE)), depth));
        };
    }

    private Expression text(int depth) {
        return switch (random.nextInt(7)) {
            case 0 ->
                    new Expression.Cast(
                            of(any(List.of(BOOL, INT, ULONG, MONEY, WIDE)), depth),
                            TEXT,
                            random.nextBoolean());
            case 1 ->
                    call(
                            any(
                                    new Function[] {
                                        Function.UPPER,
                                        Function.LOWER,
                                        Function.TRIM,
                                        Function.LTRIM,
                                        Function.RTRIM
                                    }),
                            TEXT,
                            of(TEXT, depth));
            case 2 -> call(Function.SUBSTRING, TEXT, of(TEXT, depth), of(INT, depth));
            case 3 ->
                    call(
                            Function.SUBSTRING,
                            TEXT,
                            of(TEXT, depth),
                            TestValues.literal(INT, random.nextInt(-3, 5)),
                            of(INT, depth));
            case 4 -> call(Function.REPLACE, TEXT, of(TEXT, depth), literal(TEXT), of(TEXT, depth));
            default -> call(Function.CONCAT, TEXT, of(TEXT, depth), of(TEXT, depth), leaf(TEXT));
        };
    }
}
