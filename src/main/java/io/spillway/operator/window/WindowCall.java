package io.spillway.operator.window;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.batch.ColumnType;
import io.spillway.expression.Expression;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One value of each row, computed from its partition. Part of stored plans.
 *
 * @param arguments positions of input columns, of the types that the function takes
 * @param frame the rows that the function sees; {@link WindowFrame#PARTITION} if it looks at none
 * @param parameters constants that the function asks for
 * @param type the result's
 */
public record WindowCall(
        WindowFunction function,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Integer> arguments,
        WindowFrame frame,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Expression.Literal> parameters,
        ColumnType type) {

    public WindowCall(
            WindowFunction function,
            @Nullable List<Integer> arguments,
            WindowFrame frame,
            @Nullable List<Expression.Literal> parameters,
            ColumnType type) {
        this.function = function;
        this.arguments = arguments == null ? List.of() : List.copyOf(arguments);
        this.frame = frame;
        this.parameters = parameters == null ? List.of() : List.copyOf(parameters);
        this.type = type;
    }
}
