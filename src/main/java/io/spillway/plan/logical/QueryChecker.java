package io.spillway.plan.logical;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSelectKeyword;
import org.apache.calcite.sql.SqlSetOperator;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a parsed query before Calcite's validator does: tables must exist, and are pinned;
 * functions, types and clauses must be ones that queries may use; all parts count. On the way
 * VALUES are computed and become tables, and columns without a name get one.
 *
 * <p>One for each query; not thread-safe. Recursion goes as deep as brackets stand in each other,
 * which {@link BoundedExpression} has bounded; chains of set operations and joins are loops.
 */
final class QueryChecker {

    private final PlanningContext context;
    private final QueryText text;
    private final QueryTables tables;
    private final TableReferences references;
    private final QueryExpressions expressions;
    private final QueryValues values;
    private Map<String, CommonTable> common = Map.of();

    /**
     * @param tables gets the tables that the query names
     */
    QueryChecker(PlanningContext context, QueryText text, QueryTables tables) {
        this.context = context;
        this.text = text;
        this.tables = tables;
        this.references = new TableReferences(context, text, tables, this);
        this.expressions = new QueryExpressions(context, text, this);
        this.values = new QueryValues(context, text);
    }

    /** Is it a query, and no expression? */
    static boolean isQuery(SqlCall call) {
        return switch (call.getKind()) {
            case SELECT, UNION, INTERSECT, EXCEPT, VALUES, WITH, ORDER_BY, EXPLICIT_TABLE -> true;
            default -> false;
        };
    }

    /** A query in an expression. */
    SqlNode subQuery(SqlNode query) {
        return query(query, common);
    }

    /** A table that WITH has named here, or null. */
    @Nullable CommonTable commonTable(String name) {
        return common.get(name);
    }

    /** The names that WITH has given to tables here. */
    Set<String> commonNames() {
        return common.keySet();
    }

    /** An expression of the query, alone within the limits. */
    SqlNode expression(SqlNode node) {
        SqlNode checked = expressions.check(node);
        try {
            context.expressions().checkShape(checked);
        } catch (SpillwayException e) {
            throw text.at(node.getParserPosition(), e);
        }
        return checked;
    }

    /** A query, ready for the validator. */
    SqlNode query(SqlNode node) {
        return query(node, Map.of());
    }

    private SqlNode query(SqlNode node, Map<String, CommonTable> visible) {
        Map<String, CommonTable> outer = common;
        common = visible;
        SqlNode checked = checked(node);
        common = outer;
        return checked;
    }

    private SqlNode checked(SqlNode node) {
        return switch (node) {
            case SqlWith with -> with(with);
            case SqlOrderBy order -> ordered(order);
            case SqlSelect select -> select(select);
            case SqlBasicCall call when call.getKind() == SqlKind.VALUES -> {
                context.countOperators(1);
                yield all(tables.add(values.relation(call)), call.getParserPosition());
            }
            case SqlBasicCall call when call.getOperator() instanceof SqlSetOperator -> chain(call);
            case SqlBasicCall call when call.getKind() == SqlKind.EXPLICIT_TABLE -> {
                SqlIdentifier table = call.operand(0);
                references.table(table);
                yield all(table, call.getParserPosition());
            }
            default -> throw text.notSupported(node.getKind().sql, node);
        };
    }

    /** {@code SELECT * FROM table}. */
    private static SqlSelect all(SqlNode table, SqlParserPos pos) {
        return new SqlSelect(
                pos,
                null,
                SqlNodeList.of(SqlIdentifier.star(pos)),
                table,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    private SqlNode with(SqlWith with) {
        Map<String, CommonTable> visible = new HashMap<>(common);
        Set<String> own = new HashSet<>();
        for (SqlNode node : with.withList) {
            SqlWithItem item = (SqlWithItem) node;
            if (item.recursive.booleanValue()) {
                throw text.notSupported("WITH RECURSIVE", item.name);
            }
            String name = item.name.getSimple();
            if (!own.add(name)) {
                throw text.error(
                        ErrorCode.INVALID_EXPRESSION,
                        "Two tables of the WITH are named '%s'".formatted(name),
                        item.name);
            }
            int operators = context.operators();
            int nodes = context.expressions().nodes();
            int written = text.nodes(item.query);
            item.query = query(item.query, Map.copyOf(visible));
            if (item.columnList != null) {
                references.checkNames(item.columnList);
            }
            visible.put(
                    name,
                    new CommonTable(
                            context.operators() - operators,
                            context.expressions().nodes() - nodes + written));
        }
        with.body = query(with.body, Map.copyOf(visible));
        return with;
    }

    private SqlNode ordered(SqlOrderBy order) {
        SqlNode query = query(order.query, common);
        if (query instanceof SqlOrderBy inner) {
            // A limit of a limit: the inner one stays in its brackets.
            query = all(inner, inner.getParserPosition());
        }
        order.orderList.replaceAll(this::order);
        context.countOperators(order.orderList.isEmpty() ? 1 : 2);
        checkRows(order.offset);
        checkRows(order.fetch);
        return new SqlOrderBy(
                order.getParserPosition(), query, order.orderList, order.offset, order.fetch);
    }

    private SqlNode order(SqlNode item) {
        return switch (item.getKind()) {
            case DESCENDING, NULLS_FIRST, NULLS_LAST -> {
                SqlCall call = (SqlCall) item;
                call.setOperand(0, order(call.operand(0)));
                yield call;
            }
            default -> expression(item);
        };
    }

    private void checkRows(@Nullable SqlNode number) {
        if (number == null) {
            return;
        }
        if (number instanceof SqlNumericLiteral literal) {
            BigDecimal value = literal.bigDecimalValue();
            if (value != null
                    && literal.isInteger()
                    && value.signum() >= 0
                    && value.precision() - value.scale() <= 19
                    && value.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0) {
                return;
            }
        }
        throw text.error(
                        ErrorCode.INVALID_EXPRESSION,
                        "A number of rows is an integer from 0 to %d".formatted(Long.MAX_VALUE),
                        number)
                .with(
                        SpillwayException.EXPECTED,
                        List.of("an integer from 0 to " + Long.MAX_VALUE));
    }

    /** A chain of set operations, which stands in the tree as deep as it is long. */
    private SqlNode chain(SqlBasicCall last) {
        Deque<SqlBasicCall> calls = new ArrayDeque<>();
        SqlNode left = last;
        while (left instanceof SqlBasicCall call && call.getOperator() instanceof SqlSetOperator) {
            calls.push(call);
            left = call.operand(0);
        }
        context.countOperators(1);
        SqlNode checked = query(left, common);
        for (SqlBasicCall call : calls) {
            call.setOperand(0, checked);
            call.setOperand(1, query(call.operand(1), common));
            checked = call;
        }
        return checked;
    }

    private SqlNode select(SqlSelect select) {
        refuse(select);
        context.countOperators(1);
        SqlNode from = select.getFrom();
        if (from == null) {
            context.countOperators(1);
        } else {
            select.setFrom(references.from(from));
        }
        SqlNode where = select.getWhere();
        if (where != null) {
            context.countOperators(1);
            select.setWhere(expression(where));
        }
        SqlNodeList group = select.getGroup();
        if (group != null) {
            context.countOperators(1);
            group.replaceAll(this::grouping);
        }
        SqlNode having = select.getHaving();
        if (having != null) {
            context.countOperators(1);
            select.setHaving(expression(having));
        }
        for (SqlNode window : select.getWindowList()) {
            expressions.window((SqlWindow) window);
        }
        SqlNode qualify = select.getQualify();
        if (qualify != null) {
            context.countOperators(1);
            select.setQualify(expression(qualify));
        }
        SqlNodeList items = select.getSelectList();
        for (int i = 0; i < items.size(); i++) {
            items.set(i, item(items.get(i), i, from));
        }
        return select;
    }

    private void refuse(SqlSelect select) {
        SqlNode stream = select.getModifierNode(SqlSelectKeyword.STREAM);
        if (stream != null) {
            throw text.notSupported("STREAM", stream);
        }
        SqlNodeList hints = select.getHints();
        if (hints != null && !hints.isEmpty()) {
            throw text.notSupported("A hint", hints.get(0));
        }
    }

    /** An item of GROUP BY: an expression, a row of them, or sets of such. */
    private SqlNode grouping(SqlNode item) {
        switch (item.getKind()) {
            case GROUPING_SETS, ROLLUP, CUBE, ROW -> {
                SqlCall call = (SqlCall) item;
                for (int i = 0; i < call.operandCount(); i++) {
                    call.setOperand(i, grouping(call.operand(i)));
                }
                return call;
            }
            case GROUP_BY_DISTINCT -> throw text.notSupported("GROUP BY DISTINCT", item);
            default -> {}
        }
        if (item instanceof SqlNodeList list) {
            list.replaceAll(this::grouping);
            return list;
        }
        return expression(item);
    }

    /**
     * An item of a SELECT.
     *
     * @param position of it in the list, which names a column that nobody has named
     */
    private SqlNode item(SqlNode item, int position, @Nullable SqlNode from) {
        return switch (item) {
            case SqlIdentifier name when name.isStar() -> {
                references.checkStar(name, from);
                yield name;
            }
            case SqlBasicCall call when call.getKind() == SqlKind.AS -> {
                call.setOperand(0, expression(call.operand(0)));
                checkName(call.operand(1));
                yield call;
            }
            default -> {
                SqlNode checked = expression(item);
                yield item instanceof SqlIdentifier && checked instanceof SqlIdentifier
                        ? checked
                        : SqlStdOperatorTable.AS.createCall(
                                item.getParserPosition(),
                                checked,
                                new SqlIdentifier(
                                        QueryValues.name(position), item.getParserPosition()));
            }
        };
    }

    private void checkName(SqlIdentifier name) {
        try {
            context.checkName(name.getSimple());
        } catch (SpillwayException e) {
            throw text.at(name.getParserPosition(), e);
        }
    }
}
