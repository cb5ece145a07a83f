package io.spillway.operator.aggregate;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.batch.ColumnType;
import io.spillway.expression.Expression;
import io.spillway.operator.key.SortKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One value of each group. Part of stored plans.
 *
 * @param arguments positions of input columns, of the types that the function takes
 * @param distinct only the first of the group's rows with each combination of arguments counts
 * @param filter position of a column of truth values: only rows for which it is true count; null
 *     for all rows
 * @param order in which the function takes the rows, over input columns; none for the input's order
 * @param parameters constants that the function asks for
 * @param type the result's
 */
public record AggregateCall(
        AggregateFunction function,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Integer> arguments,
        boolean distinct,
        @Nullable Integer filter,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<SortKey> order,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Expression.Literal> parameters,
        ColumnType type) {

    public AggregateCall(
            AggregateFunction function,
            @Nullable List<Integer> arguments,
            boolean distinct,
            @Nullable Integer filter,
            @Nullable List<SortKey> order,
            @Nullable List<Expression.Literal> parameters,
            ColumnType type) {
        this.function = function;
        this.arguments = arguments == null ? List.of() : List.copyOf(arguments);
        this.distinct = distinct;
        this.filter = filter;
        this.order = order == null ? List.of() : List.copyOf(order);
        this.parameters = parameters == null ? List.of() : List.copyOf(parameters);
        this.type = type;
    }
}
