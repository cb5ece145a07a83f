package io.spillway.plan.logical;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.Optionality;
import org.jspecify.annotations.Nullable;

/**
 * Looks at expressions that may have functions over groups and windows. Some ways to write one and
 * the same thing become one: {@code MEDIAN(x)} and {@code PERCENTILE_CONT(x, 0.5)} are {@code
 * PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x)}, {@code ARRAY_AGG(x ORDER BY y)} is {@code
 * ARRAY_AGG(x) WITHIN GROUP (ORDER BY y)}.
 */
class GroupChecker extends ExpressionChecker {

    /** What is written as a percentile. */
    private static final String MEDIAN = "MEDIAN";

    /** A fraction, as a query would write it. */
    private static final String HALF = "0.5";

    private final Instant now;

    /** The call that an order stands behind. */
    private @Nullable SqlNode ordered;

    /**
     * @param now what CURRENT_TIMESTAMP and its like stand for
     */
    GroupChecker(QueryText text, Relation relation, Instant now) {
        super(text, relation);
        this.now = now;
    }

    @Override
    SqlNode constant(BoundConstant constant, SqlIdentifier name) {
        return constant.literal(now, name.getParserPosition());
    }

    @Override
    @Nullable SqlNode beyondRow(SqlCall call) {
        return switch (call.getKind()) {
            case OVER -> over(call);
            case FILTER -> filter(call);
            case WITHIN_GROUP -> withinGroup(call);
            case IGNORE_NULLS -> throw notSupported("IGNORE NULLS is not supported", call);
            case RESPECT_NULLS -> check(call.operand(0));
            case WITHIN_DISTINCT -> throw notSupported("WITHIN DISTINCT is not supported", call);
            default -> function(call);
        };
    }

    private SqlNode withinGroup(SqlCall call) {
        ordered = call.operand(0);
        call.setOperand(0, check(call.operand(0)));
        SqlNodeList order = call.operand(1);
        if (call.operand(0).getKind() == SqlKind.PERCENTILE_DISC && order.size() != 1) {
            throw error(
                    ErrorCode.INVALID_EXPRESSION, "PERCENTILE_DISC is ordered by one value", order);
        }
        orders(order);
        return call;
    }

    private SqlNode filter(SqlCall call) {
        operands(call);
        return call.operand(0).getKind() == SqlKind.WITHIN_GROUP
                ? FilteredOrder.of(call.operand(0), call.operand(1), call.getParserPosition())
                : call;
    }

    private @Nullable SqlNode function(SqlCall call) {
        String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
        if (!(call.getOperator() instanceof SqlFunction) || ScalarFunctions.find(name) != null) {
            return super.beyondRow(call);
        }
        List<SqlNode> operands = new ArrayList<>(call.getOperandList());
        SqlParserPos pos = call.getParserPosition();
        if (name.equals(MEDIAN) && operands.size() == 1) {
            SqlNode half = SqlLiteral.createExactNumeric(HALF, pos);
            return percentile("PERCENTILE_CONT", half, operands.getFirst(), pos);
        }
        if (name.startsWith("PERCENTILE_") && operands.size() == 2) {
            return percentile(name.replaceFirst("\\d$", ""), operands.get(1), operands.get(0), pos);
        }
        SqlAggFunction function = GroupFunctions.find(name);
        if (function == null) {
            return super.beyondRow(call);
        }
        return alone(function, aggregate(function, call, operands));
    }

    /** What becomes of a checked call that stands in no window. */
    SqlNode alone(SqlAggFunction function, SqlNode call) {
        if (GroupFunctions.needsWindow(function)) {
            throw error(
                    ErrorCode.INVALID_EXPRESSION,
                    "%s needs a window: write %s(…) OVER (…)"
                            .formatted(function.getName(), function.getName()),
                    call);
        }
        return call;
    }

    private SqlNode percentile(String name, SqlNode fraction, SqlNode value, SqlParserPos pos) {
        SqlAggFunction function = GroupFunctions.find(name);
        if (function == null) {
            throw GroupFunctions.unknown(name);
        }
        SqlNodeList order = SqlNodeList.of(value);
        orders(order);
        return SqlStdOperatorTable.WITHIN_GROUP.createCall(
                pos, function.createCall(pos, check(fraction)), order);
    }

    private SqlNode aggregate(SqlAggFunction function, SqlCall call, List<SqlNode> operands) {
        SqlParserPos pos = call.getParserPosition();
        SqlNodeList order = null;
        if (!operands.isEmpty() && operands.getLast() instanceof SqlNodeList list) {
            order = list;
            operands.removeLast();
        }
        List<SqlNode> checked = new ArrayList<>();
        for (SqlNode operand : operands) {
            boolean star = operand instanceof SqlIdentifier name && name.isStar();
            checked.add(star && function.getKind() == SqlKind.COUNT ? operand : check(operand));
        }
        SqlNode result =
                function.createCall(
                        call.getFunctionQuantifier(), pos, checked.toArray(SqlNode[]::new));
        if (order == null) {
            needsNoOrder(function, call);
            return result;
        }
        orders(order);
        return SqlStdOperatorTable.WITHIN_GROUP.createCall(pos, result, order);
    }

    @SuppressWarnings("ReferenceEquality") // a call is known by where it stands
    private void needsNoOrder(SqlAggFunction function, SqlCall call) {
        if (function.requiresGroupOrder() == Optionality.MANDATORY && call != ordered) {
            throw error(
                    ErrorCode.INVALID_EXPRESSION,
                    "%s needs an order: write %s(…) WITHIN GROUP (ORDER BY …)"
                            .formatted(function.getName(), function.getName()),
                    call);
        }
    }

    private SqlNode over(SqlCall call) {
        SqlCall function = call.operand(0);
        if (function.getKind() == SqlKind.IGNORE_NULLS) {
            throw notSupported("IGNORE NULLS is not supported", function);
        }
        if (function.getKind() == SqlKind.RESPECT_NULLS) {
            function = function.operand(0);
        }
        SqlAggFunction found =
                function.getOperator() instanceof SqlFunction f
                        ? GroupFunctions.find(f.getName())
                        : null;
        if (found == null) {
            if (function.getOperator() instanceof SqlFunction f
                    && !f.getName().equalsIgnoreCase(MEDIAN)) {
                throw unknown(f.getName()).with(SpillwayException.POSITION, position(function));
            }
            throw notSupported("This over a window is not supported", function);
        }
        call.setOperand(0, aggregate(found, function, new ArrayList<>(function.getOperandList())));
        if (call.operand(1) instanceof SqlWindow window) {
            window(window);
        }
        return call;
    }

    /** Checks what a window is made of. */
    final void window(SqlWindow window) {
        window.getPartitionList().replaceAll(key -> InLists.expanded(check(key)));
        orders(window.getOrderList());
        window.getOrderList().replaceAll(InLists::expanded);
        SqlNode lower = window.getLowerBound();
        SqlNode upper = window.getUpperBound();
        if (lower != null) {
            bound(lower);
        }
        if (upper != null) {
            bound(upper);
        }
        SqlLiteral exclude = window.getExclude();
        if (!SqlWindow.isExcludeNoOthers(exclude)) {
            throw notSupported("EXCLUDE is not supported", exclude);
        }
    }

    private void bound(SqlNode bound) {
        if (bound instanceof SqlCall call) {
            call.setOperand(0, check(call.operand(0)));
        }
    }

    /**
     * Checks the items of an ORDER BY, and says of each where nulls go: Calcite's default is
     * another one in calls of aggregates than elsewhere.
     */
    final void orders(SqlNodeList items) {
        for (int i = 0; i < items.size(); i++) {
            SqlNode item = order(items.get(i));
            boolean told =
                    item.getKind() == SqlKind.NULLS_FIRST || item.getKind() == SqlKind.NULLS_LAST;
            items.set(
                    i,
                    told
                            ? item
                            : SqlStdOperatorTable.NULLS_LAST.createCall(
                                    item.getParserPosition(), item));
        }
    }

    private SqlNode order(SqlNode item) {
        return switch (item.getKind()) {
            case DESCENDING, NULLS_FIRST, NULLS_LAST -> {
                SqlCall call = (SqlCall) item;
                call.setOperand(0, order(call.operand(0)));
                yield call;
            }
            default -> check(item);
        };
    }

    @Override
    SpillwayException unknown(String name) {
        return GroupFunctions.unknown(name);
    }
}
