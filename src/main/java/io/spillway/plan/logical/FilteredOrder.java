package io.spillway.plan.logical;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFilterOperator;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/**
 * FILTER behind WITHIN GROUP. Calcite's own FILTER asks the function alone for its type; that of
 * PERCENTILE_DISC is the type of what it is ordered by.
 */
final class FilteredOrder extends SqlFilterOperator {

    private static final FilteredOrder INSTANCE = new FilteredOrder();

    private FilteredOrder() {}

    static SqlCall of(SqlNode withinGroup, SqlNode condition, SqlParserPos place) {
        return INSTANCE.createCall(place, withinGroup, condition);
    }

    @Override
    public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
        validateOperands(validator, scope, call);
        RelDataType type =
                validator
                        .getTypeFactory()
                        .createTypeWithNullability(
                                validator.deriveType(scope, call.operand(0)), true);
        validator.setValidatedNodeType(call, type);
        return type;
    }
}
