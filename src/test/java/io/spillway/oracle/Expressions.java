package io.spillway.oracle;

import java.util.List;

/**
 * Makes expressions over some columns whose meaning does not depend on the dialect, and which
 * compute without error whatever the values: integers stay within 64 bits because bounds are
 * tracked, divisors are never zero, nothing is cast to a type that cannot hold it.
 */
final class Expressions {

    /** An expression and its type. */
    record Typed(SqlText text, ValueType type) {}

    private final Choices choices;
    private final List<Column> columns;
    private final Conditions conditions;
    private final Numbers numbers;

    Expressions(Choices choices, List<Column> columns) {
        this.choices = choices;
        this.columns = columns.stream().filter(c -> c.type().isPlain()).toList();
        conditions = new Conditions(choices, this);
        numbers = new Numbers(choices, this);
    }

    /** A value of any type. */
    Typed value(int depth) {
        if (depth == 0) {
            return column(choices.pick(columns));
        }
        return switch (choices.below(10)) {
            case 0, 1 -> column(choices.pick(columns));
            case 2 -> numbers.integer(depth);
            case 3 -> numbers.floating(depth);
            case 4 -> numbers.decimal(depth);
            case 5 -> text(depth);
            case 6 -> new Typed(condition(depth), new ValueType.Bool());
            case 7 -> caseOf(depth);
            case 8 -> coalesce();
            default -> cast();
        };
    }

    /** A condition, perhaps null. */
    SqlText condition(int depth) {
        return conditions.make(depth);
    }

    /** Columns of a kind of type. */
    <T extends ValueType> List<Column> columns(Class<T> kind) {
        return columns.stream().filter(c -> kind.isInstance(c.type())).toList();
    }

    /** The columns that an expression may name: all plain ones. */
    List<Column> columns() {
        return columns;
    }

    /** A column of it, or a small expression. */
    Typed operand(int percentComputed) {
        return choices.chance(percentComputed) ? value(1) : column(choices.pick(columns));
    }

    /** A BIGINT of at most 10 bits. */
    SqlText small() {
        Typed value = numbers.integer(1);
        return SqlText.of("MOD(%s, 1000)", value.text());
    }

    /** A BIGINT of which 2^20 can be added without error. */
    Typed addend() {
        Typed value = numbers.integer(1);
        return value.type() instanceof ValueType.Int(int _, int magnitude) && magnitude <= 33
                ? value
                : new Typed(SqlText.of("MOD(%s, 1000000)", value.text()), new ValueType.Int(64, 20));
    }

    /** A DOUBLE. */
    Typed floating(int depth) {
        return numbers.floating(depth);
    }

    /** A key of an order. */
    QueryStep.Key key() {
        return new QueryStep.Key(operand(25).text(), direction());
    }

    /** Which way an order goes, and where nulls are. */
    String direction() {
        return choices.oneOf(
                "",
                " DESC",
                " ASC",
                " NULLS FIRST",
                " DESC NULLS FIRST",
                " ASC NULLS LAST",
                " DESC NULLS LAST");
    }

    Typed column(Column column) {
        return new Typed(SqlText.same(column.quoted()), column.type());
    }

    /** A constant to set against a value of a type. */
    SqlText literal(ValueType type) {
        return SqlText.same(choices.pick(Literals.of(type)));
    }

    /** A text, for certain of VARCHAR type. */
    Typed text(int depth) {
        ValueType text = new ValueType.Text();
        List<Column> present = columns(ValueType.Text.class);
        if (present.isEmpty()) {
            return new Typed(SqlText.of("CAST(%s AS VARCHAR)", literal(text)), text);
        }
        SqlText leaf = SqlText.same(choices.pick(present).quoted());
        if (depth == 0) {
            return new Typed(leaf, text);
        }
        SqlText inner = text(depth - 1).text();
        return new Typed(
                switch (choices.below(9)) {
                    case 0 -> leaf;
                    case 1 -> SqlText.of("UPPER(%s)", inner);
                    case 2 -> SqlText.of("LOWER(%s)", inner);
                    case 3 -> SqlText.of("(%s || %s)", inner, literal(text));
                    case 4 -> SqlText.of("(%s || %s)", inner, leaf);
                    case 5 ->
                            SqlText.of(
                                    "SUBSTRING(%s, %s, %s)",
                                    inner, number(1 + choices.below(4)), number(choices.below(5)));
                    case 6 -> SqlText.of("SUBSTRING(%s, %s)", inner, number(1 + choices.below(4)));
                    case 7 -> SqlText.of("TRIM(%s)", inner);
                    default -> SqlText.of("REPLACE(%s, 'a', %s)", inner, literal(text));
                },
                text);
    }

    private static SqlText number(int value) {
        return SqlText.same(Integer.toString(value));
    }

    private Typed caseOf(int depth) {
        Column column = choices.pick(columns);
        SqlText value = exact(column(column));
        SqlText other =
                choices.chance(50)
                        ? exact(new Typed(literalOf(column.type()), column.type()))
                        : SqlText.same("NULL");
        return new Typed(
                SqlText.of("CASE WHEN %s THEN %s ELSE %s END", condition(depth - 1), value, other),
                widened(column.type()));
    }

    private Typed coalesce() {
        Column column = choices.pick(columns);
        return new Typed(
                SqlText.of(
                        "COALESCE(%s, %s)",
                        exact(column(column)),
                        exact(new Typed(literalOf(column.type()), column.type()))),
                widened(column.type()));
    }

    /** A constant that fits into the type. */
    private SqlText literalOf(ValueType type) {
        return switch (type) {
            case ValueType.Decimal d -> SqlText.same("0");
            case ValueType.Float32 s -> SqlText.same("1.5E0");
            default -> literal(type);
        };
    }

    /** Brings alternatives of one CASE or COALESCE to one type, where dialects would choose. */
    private static SqlText exact(Typed value) {
        return switch (value.type()) {
            case ValueType.Text t -> value.text();
            case ValueType.Bool b -> value.text();
            default -> SqlText.of("CAST(%s AS " + widened(value.type()).sql() + ")", value.text());
        };
    }

    private static ValueType widened(ValueType type) {
        return type instanceof ValueType.Int ? ValueType.Int.full(64) : type;
    }

    private Typed cast() {
        Column column = choices.pick(columns);
        ValueType target =
                switch (column.type()) {
                    case ValueType.Bool b -> b;
                    case ValueType.Int i ->
                            choices.oneOf(
                                    ValueType.Int.full(64),
                                    new ValueType.Float64(),
                                    new ValueType.Text());
                    case ValueType.Float32 s -> new ValueType.Float64();
                    case ValueType.Float64 d -> d;
                    // Up to 15 digits a double holds the number; beyond, who divides how would
                    // show.
                    case ValueType.Decimal d -> d.precision() <= 15 ? new ValueType.Float64() : d;
                    case ValueType.Text t -> t;
                    case ValueType.Date d ->
                            choices.oneOf(new ValueType.Text(), new ValueType.Micros());
                    case ValueType.Micros m -> new ValueType.Date();
                    case ValueType.Nanos n -> n;
                    case ValueType.Inexact _, ValueType.ListOf _ ->
                            throw ValueType.notPlain(column.type());
                };
        return new Typed(
                SqlText.of("CAST(%s AS " + target.sql() + ")", column(column).text()), target);
    }
}
