package io.spillway.plan.logical;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.plan.document.PlanText;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSelectKeyword;
import org.apache.calcite.sql.SqlSetOperator;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.jspecify.annotations.Nullable;

/**
 * A query in SQL as algebra, as far as it works row by row: SELECT lists, WHERE, UNION ALL, LIMIT
 * and OFFSET, VALUES, common tables, and what {@link TableReferences} has. Calcite parses it; its
 * expressions go the way of all expressions ({@link ExpressionResolver}), so that they have the
 * same functions, types and errors as those of steps. All else is refused where it stands.
 *
 * <p>One for each query; not thread-safe. Recursion goes as deep as brackets stand in each other,
 * which {@link BoundedExpression} has bounded.
 */
final class QueryPlanner {

    private final PlanningContext context;
    private final QueryText text;
    private final TableReferences references;
    private final QueryValues values;

    private QueryPlanner(PlanningContext context, QueryText text) {
        this.context = context;
        this.text = text;
        this.references = new TableReferences(context, text, this);
        this.values = new QueryValues(context, text);
    }

    /**
     * The query's rows.
     *
     * @throws SpillwayException with the text's pointer, and with position, found, expected and
     *     suggestion as far as they are known
     */
    static Relation plan(PlanText query, PlanningContext context) {
        try {
            ExpressionTokens tokens = ExpressionTokens.of(query.text());
            BoundedExpression bounded =
                    BoundedExpression.of(tokens, query.text(), context.limits());
            context.expressions().count(bounded.nodes());
            SqlNode parsed = ExpressionParser.parseQuery(bounded, () -> names(tokens, context));
            return new QueryPlanner(context, new QueryText(bounded)).query(parsed, Map.of());
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.POINTER, query.pointer());
        }
    }

    /** Names that may be meant in a query that cannot be parsed: one may want quotes. */
    private static Collection<String> names(ExpressionTokens tokens, PlanningContext context) {
        Set<String> names = new HashSet<>(context.datasetNames());
        Set<String> datasets = new HashSet<>(names);
        datasets.retainAll(
                tokens.list().stream().map(t -> tokens.text(t).replace("\"", "")).toList());
        for (String dataset : datasets) {
            names.addAll(columns(dataset, context));
        }
        return names;
    }

    private static List<String> columns(String dataset, PlanningContext context) {
        try {
            return context.dataset(dataset).names();
        } catch (SpillwayException e) {
            // What is wrong with the text is told, not what would be wrong next.
            return List.of();
        }
    }

    /**
     * A query or part of one.
     *
     * @param common tables that WITH has named before
     */
    Relation query(SqlNode node, Map<String, CommonTable> common) {
        return switch (node) {
            case SqlWith with -> with(with, common);
            case SqlOrderBy order -> limited(order, common);
            case SqlSelect select -> select(select, common);
            case SqlBasicCall call when call.getKind() == SqlKind.VALUES -> {
                context.countOperators(1);
                yield values.relation(call);
            }
            case SqlBasicCall call when call.getOperator() instanceof SqlSetOperator ->
                    union(call, common);
            case SqlBasicCall call when call.getKind() == SqlKind.EXPLICIT_TABLE ->
                    references.scope(call.operand(0), common).relation();
            default -> throw text.notSupported(node.getKind().sql, node);
        };
    }

    private Relation with(SqlWith with, Map<String, CommonTable> outer) {
        Map<String, CommonTable> common = new HashMap<>(outer);
        Map<String, CommonTable> own = new HashMap<>();
        for (SqlNode node : with.withList) {
            SqlWithItem item = (SqlWithItem) node;
            if (item.recursive.booleanValue()) {
                throw text.notSupported("WITH RECURSIVE", item.name);
            }
            String name = item.name.getSimple();
            int operators = context.operators();
            int nodes = context.expressions().nodes();
            Relation relation = query(item.query, common);
            CommonTable table =
                    new CommonTable(
                            item.columnList == null
                                    ? relation
                                    : references.renamed(relation, item.columnList),
                            context.operators() - operators,
                            context.expressions().nodes() - nodes + text.nodes(item.query));
            if (own.put(name, table) != null) {
                throw text.error(
                        ErrorCode.INVALID_EXPRESSION,
                        "Two tables of the WITH are named '%s'".formatted(name),
                        item.name);
            }
            common.put(name, table);
        }
        return query(with.body, common);
    }

    private Relation limited(SqlOrderBy order, Map<String, CommonTable> common) {
        if (!order.orderList.isEmpty()) {
            throw text.notSupportedBefore("ORDER", order.orderList.get(0));
        }
        Relation input = query(order.query, common);
        context.countOperators(1);
        long offset = order.offset == null ? 0 : rows(order.offset);
        long rows = order.fetch == null ? Algebra.ALL_ROWS : rows(order.fetch);
        return input.over(Algebra.limit(input.node(), offset, rows));
    }

    private long rows(SqlNode number) {
        if (number instanceof SqlNumericLiteral literal) {
            BigDecimal value = literal.bigDecimalValue();
            if (value != null
                    && literal.isInteger()
                    && value.signum() >= 0
                    && value.precision() - value.scale() <= 19
                    && value.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0) {
                return value.longValueExact();
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

    /** A chain of unions is one, however long. */
    private Relation union(SqlBasicCall last, Map<String, CommonTable> common) {
        Deque<SqlNode> parts = new ArrayDeque<>();
        SqlNode left = last;
        while (left instanceof SqlBasicCall call
                && call.getOperator() instanceof SqlSetOperator operator) {
            if (call.getKind() != SqlKind.UNION || !operator.isAll()) {
                throw notUnionAll(call);
            }
            parts.push(call.operand(1));
            left = call.operand(0);
        }
        context.countOperators(1);
        UnionBuilder union = new UnionBuilder(query(left, common));
        for (SqlNode part : parts) {
            try {
                union.addByPosition(query(part, common));
            } catch (SpillwayException e) {
                throw e.with(SpillwayException.POSITION, text.position(part));
            }
        }
        return union.build();
    }

    private SpillwayException notUnionAll(SqlBasicCall call) {
        String word = call.getKind() == SqlKind.UNION ? "UNION" : call.getKind().sql;
        SpillwayException failure = text.notSupportedAfter(call.operand(0), word);
        return call.getKind() == SqlKind.UNION
                ? failure.with(SpillwayException.EXPECTED, List.of("UNION ALL"))
                : failure;
    }

    private Relation select(SqlSelect select, Map<String, CommonTable> common) {
        refuse(select);
        SqlNode from = select.getFrom();
        Scope scope = from == null ? references.oneRow() : references.scope(from, common);
        SqlNode where = select.getWhere();
        if (where != null) {
            context.countOperators(1);
            try {
                RexNode predicate = context.expressions().resolve(where, text.text(), scope);
                scope = scope.over(LogicalPlanner.filtered(scope.relation(), predicate));
            } catch (SpillwayException e) {
                throw e.with(SpillwayException.POSITION, text.position(where));
            }
        }
        context.countOperators(1);
        Projection projection = new Projection(context, scope.relation());
        List<SqlNode> items = select.getSelectList();
        for (int i = 0; i < items.size(); i++) {
            SqlNode item = items.get(i);
            try {
                add(item, i, scope, projection);
            } catch (SpillwayException e) {
                throw e.with(SpillwayException.POSITION, text.position(item));
            }
        }
        return projection.build();
    }

    private void refuse(SqlSelect select) {
        SqlNode distinct = select.getModifierNode(SqlSelectKeyword.DISTINCT);
        SqlNode stream = select.getModifierNode(SqlSelectKeyword.STREAM);
        if (distinct != null) {
            throw text.notSupported("DISTINCT", distinct);
        }
        if (stream != null) {
            throw text.notSupported("STREAM", stream);
        }
        refuse("GROUP", select.getGroup());
        refuse("HAVING", select.getHaving());
        refuse("WINDOW", first(select.getWindowList()));
        refuse("QUALIFY", select.getQualify());
        SqlNode hint = first(select.getHints());
        if (hint != null) {
            throw text.notSupported("A hint", hint);
        }
    }

    private static @Nullable SqlNode first(@Nullable SqlNodeList list) {
        return list == null || list.isEmpty() ? null : list.get(0);
    }

    private void refuse(String word, @Nullable SqlNode clause) {
        if (clause != null) {
            throw text.notSupportedBefore(word, clause);
        }
    }

    /**
     * @param position of the item in the list, which names a column that nobody has named
     */
    private void add(SqlNode item, int position, Scope scope, Projection projection) {
        switch (item) {
            case SqlIdentifier name when name.isStar() -> star(name, scope, projection);
            case SqlBasicCall call when call.getKind() == SqlKind.AS ->
                    projection.add(
                            ((SqlIdentifier) call.operand(1)).getSimple(),
                            context.expressions().resolve(call.operand(0), text.text(), scope));
            default -> {
                RexNode value = context.expressions().resolve(item, text.text(), scope);
                projection.add(
                        item instanceof SqlIdentifier name && value instanceof RexInputRef
                                ? name.names.getLast()
                                : QueryValues.name(position),
                        value);
            }
        }
    }

    private void star(SqlIdentifier star, Scope scope, Projection projection) {
        List<String> wanted = new ArrayList<>(scope.relation().names());
        if (star.names.size() > 1) {
            wanted.retainAll(references.table(star, scope));
        }
        for (String name : wanted) {
            switch (scope.relation().column(name)) {
                case Relation.Available column -> projection.add(column);
                case Relation.Unreadable unreadable -> throw unreadable.error();
            }
        }
    }
}
