package io.spillway.plan.logical;

import io.spillway.operator.aggregate.AggregateFunction;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.util.Optionality;

/**
 * An aggregate function with the result types of {@link AggregateFunction}. Calcite's own ones have
 * other types, and it rewrites some of them on the way to sums and quotients.
 */
final class AggregateOperator extends SqlAggFunction {

    private final AggregateFunction function;

    /**
     * An operator.
     *
     * @param operands what it takes
     * @param order whether it needs, or may have, an order of its own
     */
    AggregateOperator(
            AggregateFunction function, SqlOperandTypeChecker operands, Optionality order) {
        super(
                function.name(),
                null,
                kind(function),
                binding -> type(function, binding),
                null,
                operands,
                SqlFunctionCategory.NUMERIC,
                false,
                false,
                order);
        this.function = function;
    }

    /** Percentiles are known by their kind: their type is that of their order. */
    private static SqlKind kind(AggregateFunction function) {
        return switch (function) {
            case PERCENTILE_CONT -> SqlKind.PERCENTILE_CONT;
            case PERCENTILE_DISC -> SqlKind.PERCENTILE_DISC;
            default -> SqlKind.OTHER_FUNCTION;
        };
    }

    AggregateFunction function() {
        return function;
    }

    @Override
    public boolean isPercentile() {
        return function == AggregateFunction.PERCENTILE_CONT
                || function == AggregateFunction.PERCENTILE_DISC;
    }

    /** May a frame of a window go with it? */
    @Override
    public boolean allowsFraming() {
        return true;
    }

    /** That it can be null is refined later, when it is known what it is made of. */
    private static RelDataType type(AggregateFunction function, SqlOperatorBinding binding) {
        RelDataType argument =
                function == AggregateFunction.PERCENTILE_DISC
                        ? binding.getCollationType()
                        : binding.getOperandType(0);
        return switch (function) {
            case MIN,
                    MAX,
                    ANY_VALUE,
                    FIRST,
                    LAST,
                    SINGLE_VALUE,
                    PERCENTILE_DISC,
                    BOOL_AND,
                    BOOL_OR ->
                    binding.getTypeFactory().createTypeWithNullability(argument, true);
            case COUNT,
                    COUNT_ROWS,
                    SUM,
                    AVG,
                    STDDEV_SAMP,
                    STDDEV_POP,
                    VAR_SAMP,
                    VAR_POP,
                    PERCENTILE_CONT,
                    ARRAY_AGG,
                    APPROX_COUNT_DISTINCT ->
                    TypeMapping.toRel(
                            AggregateTypes.of(function, TypeMapping.toColumn(argument), true),
                            function != AggregateFunction.APPROX_COUNT_DISTINCT);
        };
    }
}
