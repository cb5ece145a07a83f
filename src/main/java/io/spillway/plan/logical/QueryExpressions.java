package io.spillway.plan.logical;

import io.spillway.error.ErrorCode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the expressions of a query: what its names mean is left to Calcite's validator, which
 * knows the tables that can be seen; queries in them are checked as queries.
 */
final class QueryExpressions extends GroupChecker {

    private final QueryChecker queries;

    QueryExpressions(PlanningContext context, QueryText text, QueryChecker queries) {
        super(text, QueryValues.oneRow(context), context.expressions().now());
        this.queries = queries;
    }

    @Override
    SqlNode identifier(SqlIdentifier name) {
        if (name.isStar()) {
            throw error(ErrorCode.INVALID_EXPRESSION, "'*' cannot stand in an expression", name);
        }
        if (name.isSimple() && !name.isComponentQuoted(0)) {
            BoundConstant constant = BoundConstant.find(name.getSimple());
            if (constant != null) {
                return constant(constant, name);
            }
        }
        return name;
    }

    @Override
    @Nullable SqlNode beyondRow(SqlCall call) {
        if (QueryChecker.isQuery(call)) {
            return queries.subQuery(call);
        }
        return switch (call.getKind()) {
            case EXISTS -> {
                anyRow(call.operand(0));
                yield operands(call);
            }
            case UNIQUE, CURSOR ->
                    throw notSupported(call.getOperator().getName() + " is not supported", call);
            case MULTISET_QUERY_CONSTRUCTOR, ARRAY_QUERY_CONSTRUCTOR, MAP_QUERY_CONSTRUCTOR ->
                    throw notSupported("Collections of rows are not supported", call);
            case IN, NOT_IN -> quantified(call);
            case SOME, ALL ->
                    call.getOperator() instanceof SqlQuantifyOperator
                            ? quantified(call)
                            : super.beyondRow(call);
            default -> super.beyondRow(call);
        };
    }

    /** Whether there is a row does not depend on what {@code *} is. */
    private static void anyRow(SqlNode query) {
        if (query instanceof SqlSelect select
                && select.getSelectList().size() == 1
                && select.getSelectList().get(0) instanceof SqlIdentifier name
                && name.isStar()) {
            select.setSelectList(
                    SqlNodeList.of(SqlLiteral.createBoolean(true, name.getParserPosition())));
        }
    }

    /** A value, or a row of them, beside a list or a query. */
    private SqlNode quantified(SqlCall call) {
        SqlNode left = call.operand(0);
        SqlNode right = call.operand(1);
        boolean query = right instanceof SqlCall c && QueryChecker.isQuery(c);
        call.setOperand(
                0,
                query && left instanceof SqlCall row && row.getKind() == SqlKind.ROW
                        ? operands(row)
                        : check(left));
        if (right instanceof SqlNodeList list
                && list.size() == 1
                && list.get(0) instanceof SqlCall inner
                && QueryChecker.isQuery(inner)) {
            call.setOperand(1, queries.subQuery(inner));
        } else {
            call.setOperand(1, check(right));
        }
        return call;
    }
}
