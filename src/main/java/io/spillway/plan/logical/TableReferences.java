package io.spillway.plan.logical;

import io.spillway.error.ErrorCode;
import io.spillway.error.NearestName;
import io.spillway.error.SpillwayException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.JoinConditionType;
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
 * Looks at the FROM of a query: datasets, common tables and queries in brackets, each perhaps with
 * an alias, perhaps sampled; joins of them, and lists of them unnested.
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
    private final QueryTables tables;
    private final QueryChecker queries;

    TableReferences(
            PlanningContext context, QueryText text, QueryTables tables, QueryChecker queries) {
        this.context = context;
        this.text = text;
        this.tables = tables;
        this.queries = queries;
    }

    /** A FROM, ready for the validator. A chain of joins is as deep in the tree as it is long. */
    SqlNode from(SqlNode from) {
        Deque<SqlJoin> joins = new ArrayDeque<>();
        SqlNode first = from;
        while (first instanceof SqlJoin join) {
            context.countOperators(1);
            joins.push(join);
            first = join.getLeft();
        }
        SqlNode checked = item(first);
        for (SqlJoin join : joins) {
            join.setLeft(checked);
            join(join);
            checked = join;
        }
        return checked;
    }

    private void join(SqlJoin join) {
        switch (join.getJoinType()) {
            case INNER, LEFT, RIGHT, FULL, CROSS, COMMA -> {}
            case LEFT_SEMI_JOIN, LEFT_ANTI_JOIN, ASOF, LEFT_ASOF ->
                    throw text.notSupported(
                            join.getJoinType().name().replace('_', ' ') + " JOIN", join.getRight());
        }
        SqlBasicCall unnest = unnest(join.getRight());
        if (unnest != null) {
            unnest(join, unnest);
            return;
        }
        join.setRight(
                join.getRight() instanceof SqlJoin nested ? from(nested) : item(join.getRight()));
        SqlNode condition = join.getCondition();
        if (condition != null && join.getConditionType() == JoinConditionType.ON) {
            join.setOperand(5, queries.expression(condition));
        }
    }

    private SqlNode item(SqlNode node) {
        return switch (node) {
            case SqlIdentifier name -> {
                table(name);
                yield name;
            }
            case SqlJoin join -> from(join);
            case SqlBasicCall call when call.getKind() == SqlKind.AS -> {
                call.setOperand(0, item(call.operand(0)));
                checkNames(call.getOperandList().subList(2, call.operandCount()));
                yield call;
            }
            case SqlBasicCall call when call.getKind() == SqlKind.TABLESAMPLE -> sampled(call);
            case SqlBasicCall call when call.getKind() == SqlKind.LATERAL -> {
                call.setOperand(0, item(call.operand(0)));
                yield call;
            }
            case SqlCall call when QueryChecker.isQuery(call) -> queries.subQuery(call);
            case SqlCall call -> throw text.notSupported(call.getOperator().getName(), call);
            default -> throw text.notSupported(node.toString(), node);
        };
    }

    /** Finds a table by its name and pins it. */
    void table(SqlIdentifier identifier) {
        String name = String.join(".", identifier.names);
        CommonTable table = identifier.isSimple() ? queries.commonTable(name) : null;
        if (table != null) {
            table.use(context);
            return;
        }
        context.countOperators(1);
        List<String> datasets = context.datasetNames();
        if (!identifier.isSimple() || !datasets.contains(name)) {
            Set<String> known = new HashSet<>(datasets);
            known.addAll(queries.commonNames());
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
            tables.add(name, context.dataset(name));
        } catch (SpillwayException e) {
            throw text.at(identifier.getParserPosition(), e);
        }
    }

    /** Names of columns in an alias must differ. */
    void checkNames(List<? extends @Nullable SqlNode> names) {
        Set<String> all = new HashSet<>();
        for (SqlNode node : names) {
            if (node instanceof SqlIdentifier name) {
                try {
                    context.checkName(name.getSimple());
                    if (!all.add(name.getSimple())) {
                        throw Projection.duplicate(name.getSimple());
                    }
                } catch (SpillwayException e) {
                    throw text.at(name.getParserPosition(), e);
                }
            }
        }
    }

    /** {@code *} and {@code t.*} leave out no column that cannot be read. */
    void checkStar(SqlIdentifier star, @Nullable SqlNode from) {
        Deque<SqlNode> open = new ArrayDeque<>();
        if (from != null) {
            open.push(from);
        }
        while (!open.isEmpty()) {
            SqlNode node = open.pop();
            String alias = null;
            while (node instanceof SqlCall call
                    && (call.getKind() == SqlKind.AS || call.getKind() == SqlKind.TABLESAMPLE)) {
                alias = call.getKind() == SqlKind.AS ? call.operand(1).toString() : alias;
                node = call.operand(0);
            }
            switch (node) {
                case SqlJoin join -> {
                    open.push(join.getRight());
                    open.push(join.getLeft());
                }
                case SqlIdentifier name -> {
                    String called = alias == null ? name.names.getLast() : alias;
                    if (star.names.size() == 1 || star.names.getFirst().equals(called)) {
                        checkReadable(star, tables.find(name.names.getLast()));
                    }
                }
                default -> {}
            }
        }
    }

    private void checkReadable(SqlIdentifier star, @Nullable Relation relation) {
        if (relation == null) {
            return;
        }
        for (Relation.Column column : relation.columns()) {
            if (column instanceof Relation.Unreadable unreadable) {
                throw text.at(star.getParserPosition(), unreadable.error());
            }
        }
    }

    private SqlNode sampled(SqlBasicCall call) {
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
        context.countOperators(1);
        call.setOperand(0, item(call.operand(0)));
        return call;
    }

    /** The UNNEST that a part of FROM is, perhaps with an alias; or null if it is none. */
    private static @Nullable SqlBasicCall unnest(SqlNode node) {
        SqlNode inner =
                node instanceof SqlBasicCall call && call.getKind() == SqlKind.AS
                        ? call.operand(0)
                        : node;
        return inner instanceof SqlBasicCall call && call.getOperator() instanceof SqlUnnestOperator
                ? call
                : null;
    }

    private void unnest(SqlJoin join, SqlBasicCall unnest) {
        if (((SqlUnnestOperator) unnest.getOperator()).withOrdinality
                || unnest.operandCount() != 1) {
            throw text.notSupported("UNNEST of more than one list", unnest);
        }
        SqlNode condition = join.getCondition();
        boolean all =
                condition == null
                        || (condition instanceof SqlLiteral literal
                                && Boolean.TRUE.equals(literal.getValue()));
        if (join.isNatural() || join.getConditionType() == JoinConditionType.USING || !all) {
            throw text.notSupported("UNNEST with a condition other than TRUE", join);
        }
        switch (join.getJoinType()) {
            case CROSS, COMMA, INNER, LEFT -> {}
            default -> throw text.notSupported(join.getJoinType() + " JOIN UNNEST", join);
        }
        if (join.getRight().getKind() != SqlKind.AS) {
            throw text.error(
                            ErrorCode.INVALID_EXPRESSION,
                            "What UNNEST makes needs a name: write it as 'UNNEST(list) AS name'",
                            unnest)
                    .with(SpillwayException.EXPECTED, List.of("AS and a name"));
        }
        SqlBasicCall alias = (SqlBasicCall) join.getRight();
        if (alias.operandCount() > 3) {
            throw text.error(
                    ErrorCode.INVALID_EXPRESSION,
                    "%d names for 1 column".formatted(alias.operandCount() - 2),
                    alias.operand(2));
        }
        context.countOperators(1);
        unnest.setOperand(0, queries.expression(unnest.operand(0)));
        if (alias.operandCount() == 2) {
            // The alias names the column, too.
            join.setRight(
                    alias.getOperator()
                            .createCall(
                                    alias.getParserPosition(),
                                    unnest,
                                    alias.operand(1),
                                    alias.operand(1)));
        }
    }
}
