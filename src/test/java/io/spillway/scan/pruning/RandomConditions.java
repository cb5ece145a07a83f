package io.spillway.scan.pruning;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.expression.Expression.Call;
import io.spillway.expression.Expression.Cast;
import io.spillway.expression.Expression.Column;
import io.spillway.expression.Expression.Literal;
import io.spillway.expression.Function;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Conditions over a few columns of small domains, and rows for them. */
public final class RandomConditions {

    private static final ColumnType INT = new ColumnType.Int(32, true);
    private static final ColumnType LONG = new ColumnType.Int(64, true);
    private static final ColumnType DOUBLE = new ColumnType.FloatingPoint(64);
    private static final ColumnType TEXT = new ColumnType.Utf8();
    private static final ColumnType DECIMAL = new ColumnType.Decimal(9, 2);
    private static final ColumnType BOOL = new ColumnType.Bool();

    /** The columns: all may be null. */
    public static final RowSchema COLUMNS =
            new RowSchema(
                    List.of(
                            new ColumnSchema("i", INT, true),
                            new ColumnSchema("d", DOUBLE, true),
                            new ColumnSchema("s", TEXT, true),
                            new ColumnSchema("n", DECIMAL, true),
                            new ColumnSchema("b", BOOL, true)));

    private static final List<List<String>> DOMAINS =
            List.of(
                    List.of("-2", "-1", "0", "1", "2", "3", "2147483647", "-2147483648"),
                    List.of("-1.5", "-0.0", "0.0", "7.25", "1000.0", "NaN", "Infinity"),
                    List.of(
                            "",
                            "a",
                            "ab",
                            "ab%",
                            "abc",
                            "b",
                            "common-prefix-x",
                            "common-prefix-y",
                            "\u00e9",
                            "\ud83d\ude00"),
                    List.of("-1.50", "0.00", "0.01", "2.00", "10.25", "9999999.99"),
                    List.of("false", "true"));

    private static final List<Function> COMPARISONS =
            List.of(
                    Function.EQUAL,
                    Function.NOT_EQUAL,
                    Function.LESS,
                    Function.LESS_OR_EQUAL,
                    Function.GREATER,
                    Function.GREATER_OR_EQUAL,
                    Function.IS_DISTINCT_FROM,
                    Function.IS_NOT_DISTINCT_FROM);

    private static final List<Function> TESTS =
            List.of(
                    Function.NOT,
                    Function.IS_TRUE,
                    Function.IS_FALSE,
                    Function.IS_NOT_TRUE,
                    Function.IS_NOT_FALSE,
                    Function.IS_NULL,
                    Function.IS_NOT_NULL);

    private static final List<String> PATTERNS =
            List.of("a%", "ab%", "abc", "%", "_b%", "ab!%", "common-prefix-%", "common-%-x", "");

    private final Random random;

    public RandomConditions(Random random) {
        this.random = random;
    }

    /** A row's values: one literal a column, some of them null. */
    public List<Literal> row() {
        List<Literal> row = new ArrayList<>();
        for (int c = 0; c < COLUMNS.size(); c++) {
            row.add(random.nextInt(6) == 0 ? literal(c, null) : literal(c, value(c)));
        }
        return row;
    }

    private static Literal literal(int column, @Nullable String value) {
        return new Literal(COLUMNS.column(column).type(), value);
    }

    private String value(int column) {
        return pick(DOMAINS.get(column));
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /** A condition of a few levels. */
    public Expression condition(int depth) {
        if (depth == 0) {
            return leaf();
        }
        return switch (random.nextInt(8)) {
            case 0, 1 -> junction(Function.AND, depth);
            case 2, 3 -> junction(Function.OR, depth);
            case 4 -> new Call(pick(TESTS), List.of(condition(depth - 1)), BOOL);
            case 5 ->
                    new Expression.Case(
                            List.of(
                                    new Expression.Branch(
                                            condition(depth - 1), condition(depth - 1))),
                            condition(depth - 1),
                            BOOL);
            default -> leaf();
        };
    }

    private Expression junction(Function function, int depth) {
        List<Expression> operands = new ArrayList<>();
        for (int i = random.nextInt(2) + 2; i > 0; i--) {
            operands.add(condition(depth - 1));
        }
        return new Call(function, operands, BOOL);
    }

    private Expression leaf() {
        int c = random.nextInt(COLUMNS.size());
        Expression column = new Column(c, COLUMNS.column(c).type());
        return switch (random.nextInt(10)) {
            case 0 ->
                    new Call(
                            random.nextBoolean() ? Function.IS_NULL : Function.IS_NOT_NULL,
                            List.of(column),
                            BOOL);
            case 1 -> in(c);
            case 2 -> like();
            case 3 -> widened();
            case 4 -> arithmetic();
            case 5 -> new Call(pick(COMPARISONS), List.of(column, column), BOOL);
            case 6 ->
                    new Call(
                            pick(COMPARISONS),
                            List.of(literal(c, value(c)), literal(c, value(c))),
                            BOOL);
            default -> {
                Expression constant =
                        random.nextInt(20) == 0 ? literal(c, null) : literal(c, value(c));
                yield new Call(
                        pick(COMPARISONS),
                        random.nextBoolean()
                                ? List.of(column, constant)
                                : List.of(constant, column),
                        BOOL);
            }
        };
    }

    private Expression in(int c) {
        List<Literal> values = new ArrayList<>();
        for (int i = random.nextInt(3) + 1; i > 0; i--) {
            values.add(literal(c, value(c)));
        }
        return new Expression.In(new Column(c, COLUMNS.column(c).type()), values);
    }

    private Expression like() {
        return new Call(
                Function.LIKE,
                List.of(
                        new Column(2, TEXT),
                        new Literal(TEXT, pick(PATTERNS)),
                        new Literal(TEXT, "!")),
                BOOL);
    }

    /** A comparison of a converted column, which may fail. */
    private Expression widened() {
        Expression column = new Column(0, INT);
        return switch (random.nextInt(4)) {
            case 0 ->
                    compare(new Cast(column, LONG, false), new Literal(LONG, pick(DOMAINS.get(0))));
            case 1 -> {
                ColumnType small = new ColumnType.Int(8, true);
                yield compare(
                        new Cast(column, small, random.nextBoolean()), new Literal(small, "1"));
            }
            case 2 -> {
                ColumnType wider = new ColumnType.Decimal(12, 3);
                yield compare(
                        new Cast(new Column(3, DECIMAL), wider, false),
                        new Literal(wider, pick(DOMAINS.get(3)) + "0"));
            }
            default ->
                    compare(
                            new Cast(column, DOUBLE, false),
                            new Literal(DOUBLE, pick(DOMAINS.get(1))));
        };
    }

    private Expression compare(Expression a, Expression b) {
        return new Call(pick(COMPARISONS), List.of(a, b), BOOL);
    }

    /** A comparison whose computation may fail. */
    private Expression arithmetic() {
        Function function = random.nextBoolean() ? Function.DIVIDE : Function.ADD;
        Expression ten = new Literal(INT, "10");
        return compare(
                new Call(function, List.of(ten, new Column(0, INT)), INT),
                new Literal(INT, pick(DOMAINS.get(0))));
    }
}
