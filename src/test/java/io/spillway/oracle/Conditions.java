package io.spillway.oracle;

import io.spillway.oracle.Expressions.Typed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Conditions of three-valued logic. */
final class Conditions {

    private final Choices choices;
    private final Expressions expressions;

    Conditions(Choices choices, Expressions expressions) {
        this.choices = choices;
        this.expressions = expressions;
    }

    SqlText make(int depth) {
        if (depth == 0) {
            return simple(0);
        }
        return switch (choices.below(6)) {
            case 0, 1, 2 -> simple(depth);
            case 3 -> SqlText.of("(%s AND %s)", make(depth - 1), make(depth - 1));
            case 4 -> SqlText.of("(%s OR %s)", make(depth - 1), make(depth - 1));
            default -> SqlText.of("(NOT %s)", make(depth - 1));
        };
    }

    private SqlText simple(int depth) {
        Typed value = operand(depth);
        SqlText a = value.text();
        return switch (choices.below(8)) {
            case 0, 1 -> compare(value);
            case 2 -> SqlText.of("(%s IS NULL)", a);
            case 3 -> SqlText.of("(%s IS NOT NULL)", a);
            case 4 -> SqlText.of("(%s BETWEEN %s AND %s)", a, against(value), against(value));
            case 5 -> in(value);
            case 6 -> SqlText.of("(%s IS NOT DISTINCT FROM %s)", a, against(value));
            default -> byKind(value);
        };
    }

    /** A column, or something computed; single floats as doubles, which literals are. */
    private Typed operand(int depth) {
        Typed value =
                choices.chance(25)
                        ? expressions.value(Math.max(0, depth - 1))
                        : expressions.column(choices.pick(expressions.columns()));
        return value.type() instanceof ValueType.Float32
                ? new Typed(SqlText.of("CAST(%s AS DOUBLE)", value.text()), new ValueType.Float64())
                : value;
    }

    private SqlText compare(Typed value) {
        String operator = choices.oneOf("=", "<>", "<", "<=", ">", ">=");
        return SqlText.of("(%s " + operator + " %s)", value.text(), against(value));
    }

    /** A constant, or another column of the very same type. */
    private SqlText against(Typed value) {
        List<Column> same =
                expressions.columns().stream().filter(c -> c.type().equals(value.type())).toList();
        return same.isEmpty() || !choices.chance(25)
                ? expressions.literal(value.type())
                : expressions.column(choices.pick(same)).text();
    }

    private SqlText in(Typed value) {
        List<SqlText> list = new ArrayList<>();
        list.add(value.text());
        int count = 1 + choices.below(4);
        for (int i = 0; i < count; i++) {
            list.add(expressions.literal(value.type()));
        }
        if (choices.chance(15)) {
            list.add(SqlText.same("NULL"));
        }
        String items = String.join(", ", Collections.nCopies(list.size() - 1, "%s"));
        String not = choices.chance(30) ? "NOT " : "";
        return SqlText.of("(%s " + not + "IN (" + items + "))", list.toArray(SqlText[]::new));
    }

    private SqlText byKind(Typed value) {
        return switch (value.type()) {
            case ValueType.Text t ->
                    SqlText.of(
                            "(%s LIKE %s ESCAPE '!')",
                            value.text(), SqlText.same(choices.pick(Literals.PATTERNS)));
            case ValueType.Bool b ->
                    SqlText.of(
                            "(%s IS " + choices.oneOf("TRUE", "FALSE", "NOT TRUE") + ")",
                            value.text());
            default -> compare(value);
        };
    }
}
