package io.spillway.expression;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.spillway.batch.ColumnType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scalar expression with everything resolved: columns by position, functions by {@link Function},
 * types told. What a physical plan holds, what is stored with a job, and what {@link
 * ExpressionCompiler} compiles. All coercions are explicit {@link Cast}s: operands of a call have
 * exactly the types that its function asks for.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Expression.Column.class, name = "column"),
    @JsonSubTypes.Type(value = Expression.Literal.class, name = "literal"),
    @JsonSubTypes.Type(value = Expression.Call.class, name = "call"),
    @JsonSubTypes.Type(value = Expression.Cast.class, name = "cast"),
    @JsonSubTypes.Type(value = Expression.Case.class, name = "case"),
    @JsonSubTypes.Type(value = Expression.In.class, name = "in")
})
public sealed interface Expression {

    ColumnType type();

    /**
     * This expression with others in place of its columns. Recurses as deep as the expression.
     *
     * @param replacements what stands for a column; of the column's type
     */
    default Expression withColumns(java.util.function.Function<Column, Expression> replacements) {
        return switch (this) {
            case Column column -> replacements.apply(column);
            case Literal literal -> literal;
            case Call(var function, var arguments, var type) ->
                    new Call(
                            function,
                            arguments.stream().map(a -> a.withColumns(replacements)).toList(),
                            type);
            case Cast(var argument, var type, boolean safe) ->
                    new Cast(argument.withColumns(replacements), type, safe);
            case Case(var branches, var otherwise, var type) ->
                    new Case(
                            branches.stream()
                                    .map(
                                            b ->
                                                    new Branch(
                                                            b.when().withColumns(replacements),
                                                            b.then().withColumns(replacements)))
                                    .toList(),
                            otherwise.withColumns(replacements),
                            type);
            case In(var argument, var values) -> new In(argument.withColumns(replacements), values);
        };
    }

    /** The input column at a position. */
    record Column(int index, ColumnType type) implements Expression {}

    /**
     * A constant.
     *
     * @param value its text, or null for NULL: {@code true}/{@code false}; decimal digits for
     *     integers and decimals; what {@code Double.parseDouble} reads, {@code NaN} and {@code
     *     Infinity} included, for floats; the text itself for utf8; hex digits for binary; days, or
     *     units of the type since the epoch or midnight, as a decimal integer for date, timestamp
     *     and time. Nested types have no literal but NULL.
     */
    record Literal(ColumnType type, @Nullable String value) implements Expression {}

    /** A function of its arguments. */
    record Call(Function function, List<Expression> arguments, ColumnType type)
            implements Expression {

        public Call {
            arguments = List.copyOf(arguments);
        }
    }

    /**
     * A conversion. A value that has no counterpart is INVALID_CAST. Floats round half to even on
     * the way to integers, decimals half away from zero; coarser units of time round down; UTC and
     * local timestamps convert without any shift. Text is read in SQL's and ISO 8601's forms, with
     * spaces around it ignored. Bytes and text do not convert into each other, nor do numbers and
     * times.
     *
     * <p>Lists are converted element by element, maps by keys and by values, structs field by
     * field: by name, in any order, with nulls for fields that the argument does not have, and
     * without those that the type does not have. Where the type says that there is never a null,
     * the argument's type must say so, too. Nested types do not convert to those of another shape.
     *
     * @param safe a value that cannot be converted becomes null (TRY_CAST) rather than an error
     */
    record Cast(Expression argument, ColumnType type, boolean safe) implements Expression {}

    /**
     * The value of the first branch whose condition is true, else {@code otherwise}. Only the taken
     * branch is computed for a row.
     */
    record Case(List<Branch> branches, Expression otherwise, ColumnType type)
            implements Expression {

        public Case {
            branches = List.copyOf(branches);
        }
    }

    /** One WHEN … THEN … of a {@link Case}. */
    record Branch(Expression when, Expression then) {}

    /**
     * Is the argument one of the values (all non-null literals of the argument's type)? Null for a
     * null argument. A list with a NULL in it is written as an OR with that NULL.
     */
    record In(Expression argument, List<Literal> values) implements Expression {

        public In {
            values = List.copyOf(values);
        }

        @Override
        public ColumnType type() {
            return new ColumnType.Bool();
        }
    }
}
