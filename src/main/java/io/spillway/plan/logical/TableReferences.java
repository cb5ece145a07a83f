package io.spillway.plan.logical;

import io.spillway.error.ErrorCode;
import io.spillway.error.NearestName;
import io.spillway.error.SpillwayException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSampleSpec;
import org.apache.calcite.sql.SqlUnnestOperator;
import org.jspecify.annotations.Nullable;

/**
 * The FROM of a query: a dataset, a common table or a query in brackets, each perhaps with an
 * alias, perhaps sampled, and lists of it unnested.
 *
 * <pre>
 *   FROM t AS x(a, b) TABLESAMPLE BERNOULLI(10) REPEATABLE(7)
 *   FROM t CROSS JOIN UNNEST(t.tags) AS tag        also: FROM t, UNNEST(t.tags) AS u(tag)
 *   FROM t LEFT JOIN UNNEST(t.tags) AS tag ON TRUE a row without elements stays, with a null
 * </pre>
 */
final class TableReferences {

    private final PlanningContext context;
    private final QueryText text;
    private final QueryPlanner queries;

    TableReferences(PlanningContext context, QueryText text, QueryPlanner queries) {
        this.context = context;
        this.text = text;
        this.queries = queries;
    }

    /** What a SELECT without FROM sees. */
    Scope oneRow() {
        context.countOperators(1);
        return Scope.ofQuery(QueryValues.oneRow(context), Map.of());
    }

    /** What a SELECT sees. */
    Scope scope(SqlNode from, Map<String, CommonTable> common) {
        return switch (from) {
            case SqlIdentifier name -> named(name.names.getLast(), table(name, common));
            case SqlJoin join -> join(join, common);
            case SqlBasicCall call when call.getKind() == SqlKind.AS -> {
                Relation relation = scope(call.operand(0), common).relation();
                List<SqlNode> operands = call.getOperandList();
                String alias = ((SqlIdentifier) operands.get(1)).getSimple();
                yield named(
                        alias,
                        operands.size() == 2
                                ? relation
                                : renamed(relation, operands.subList(2, operands.size())));
            }
            case SqlBasicCall call when call.getKind() == SqlKind.TABLESAMPLE ->
                    sampled(call, common);
            case SqlCall call when !isQuery(call) ->
                    throw text.notSupported(call.getOperator().getName(), call);
            default -> Scope.ofQuery(queries.query(from, common), Map.of());
        };
    }

    private static boolean isQuery(SqlCall call) {
        return switch (call.getKind()) {
            case SELECT, UNION, INTERSECT, EXCEPT, VALUES, WITH, ORDER_BY, EXPLICIT_TABLE -> true;
            default -> false;
        };
    }

    private static Scope named(String name, Relation relation) {
        return Scope.ofQuery(relation, Map.of(name, new LinkedHashSet<>(relation.names())));
    }

    private Relation table(SqlIdentifier identifier, Map<String, CommonTable> common) {
        String name = String.join(".", identifier.names);
        CommonTable table = identifier.isSimple() ? common.get(name) : null;
        if (table != null) {
            return table.use(context);
        }
        context.countOperators(1);
        List<String> datasets = context.datasetNames();
        if (!identifier.isSimple() || !datasets.contains(name)) {
            Set<String> known = new HashSet<>(datasets);
            known.addAll(common.keySet());
            throw text.error(
                            ErrorCode.UNKNOWN_DATASET,
                            "There is no dataset '%s'".formatted(name),
                            identifier)
                    .with(
                            SpillwayException.SUGGESTION,
                            datasets.contains(name)
                                    ? '"' + name + '"'
                                    : NearestName.of(name, known));
        }
        try {
            return context.dataset(name);
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.POSITION, text.position(identifier));
        }
    }

    /** The columns of {@code table.*}. */
    Set<String> table(SqlIdentifier star, Scope scope) {
        String name = String.join(".", star.names.subList(0, star.names.size() - 1));
        Set<String> columns = scope.tables().get(name);
        if (columns == null) {
            throw text.error(
                            ErrorCode.INVALID_EXPRESSION,
                            "'%s' is no table of this SELECT".formatted(name),
                            star)
                    .with(
                            SpillwayException.SUGGESTION,
                            NearestName.of(name, scope.tables().keySet()));
        }
        return columns;
    }

    /** The same columns by other names. */
    Relation renamed(Relation relation, List<? extends @Nullable SqlNode> names) {
        SqlIdentifier last = (SqlIdentifier) names.getLast();
        if (last == null || names.size() != relation.columns().size()) {
            throw text.error(
                    ErrorCode.INVALID_EXPRESSION,
                    "%d names for %d columns".formatted(names.size(), relation.columns().size()),
                    (SqlIdentifier) names.getFirst());
        }
        Projection projection = new Projection(context, relation);
        for (int i = 0; i < names.size(); i++) {
            SqlIdentifier name = (SqlIdentifier) names.get(i);
            try {
                projection.add(relation.columns().get(i).named(name.getSimple()));
            } catch (SpillwayException e) {
                throw e.with(SpillwayException.POSITION, text.position(name));
            }
        }
        return projection.build();
    }

    private Scope sampled(SqlBasicCall call, Map<String, CommonTable> common) {
        SqlNode spec = call.operand(1);
        if (!(SqlLiteral.sampleValue(spec) instanceof SqlSampleSpec.SqlTableSampleSpec sample)
                || !sample.isBernoulli()) {
            throw text.notSupported("A TABLESAMPLE other than BERNOULLI", call);
        }
        double fraction = sample.sampleRate.doubleValue();
        if (!(fraction >= 0 && fraction <= 1)) {
            throw text.error(
                            ErrorCode.INVALID_EXPRESSION,
                            "A sample has 0 to 100 percent of the rows",
                            call)
                    .with(SpillwayException.EXPECTED, List.of("a number from 0 to 100"));
        }
        Scope scope = scope(call.operand(0), common);
        context.countOperators(1);
        Long seed = sample.isRepeatable() ? (long) sample.getRepeatableSeed() : null;
        Relation input = scope.relation();
        return scope.over(
                input.over(SampleFractionNode.create(input.node(), fraction, context.seed(seed))));
    }

    /** A join is supported only where it takes a list of each row of its left side apart. */
    private Scope join(SqlJoin join, Map<String, CommonTable> common) {
        SqlNode right = join.getRight();
        SqlBasicCall alias =
                right instanceof SqlBasicCall call && call.getKind() == SqlKind.AS ? call : null;
        if (!((alias == null ? right : alias.operand(0)) instanceof SqlBasicCall unnest)
                || !(unnest.getOperator() instanceof SqlUnnestOperator operator)) {
            throw text.notSupported("A join", join);
        }
        if (operator.withOrdinality || unnest.operandCount() != 1) {
            throw text.notSupported("UNNEST of more than one list", unnest);
        }
        boolean outer = outer(join);
        if (alias == null || alias.operandCount() > 3) {
            throw text.error(
                            ErrorCode.INVALID_EXPRESSION,
                            "What UNNEST makes needs a name: write it as 'UNNEST(list) AS name'",
                            right)
                    .with(SpillwayException.EXPECTED, List.of("AS and a name"));
        }
        Scope left = scope(join.getLeft(), common);
        context.countOperators(2);
        SqlIdentifier table = alias.operand(1);
        SqlIdentifier column = alias.operand(alias.operandCount() - 1);
        try {
            return unnested(left, unnest.operand(0), table.getSimple(), column.getSimple(), outer);
        } catch (SpillwayException e) {
            throw e.with(
                    SpillwayException.POSITION,
                    text.position(
                            e.code() == ErrorCode.TYPE_MISMATCH ? unnest.operand(0) : column));
        }
    }

    private boolean outer(SqlJoin join) {
        SqlNode condition = join.getCondition();
        boolean all =
                condition == null
                        || (condition instanceof SqlLiteral literal
                                && Boolean.TRUE.equals(literal.getValue()));
        if (join.isNatural() || join.getConditionType() == JoinConditionType.USING || !all) {
            throw text.notSupported("UNNEST with a condition other than TRUE", join);
        }
        return switch (join.getJoinType()) {
            case CROSS, COMMA, INNER -> false;
            case LEFT -> true;
            case JoinType _ -> throw text.notSupported(join.getJoinType() + " JOIN UNNEST", join);
        };
    }

    private Scope unnested(Scope left, SqlNode list, String table, String column, boolean outer) {
        RexNode lists = context.expressions().resolve(list, text.text(), left);
        Projection projection = new Projection(context, left.relation());
        left.relation().columns().forEach(projection::add);
        projection.add(column, lists);
        Relation with = projection.build();
        if (!(with.find(column) instanceof Relation.Available added)) {
            throw new IllegalStateException("the column was just added");
        }
        Relation exploded = RowSteps.explode(with, added, outer);
        Map<String, Set<String>> tables = new HashMap<>(left.tables());
        if (tables.put(table, Set.of(column)) != null) {
            throw new SpillwayException(
                    ErrorCode.INVALID_EXPRESSION, "Two tables are named '%s'".formatted(table));
        }
        return Scope.ofQuery(exploded, tables);
    }
}
