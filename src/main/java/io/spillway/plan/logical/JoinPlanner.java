package io.spillway.plan.logical;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.expression.Function;
import io.spillway.operator.join.JoinKey;
import io.spillway.operator.join.JoinType;
import io.spillway.plan.physical.PhysicalPlan;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * A join with its condition taken apart: what compares a value of one side with one of the other
 * becomes a key, all else stays a condition about pairs whose keys match. Keys that are no columns,
 * or not of one type, are computed below the join and dropped above it; none that could raise an
 * error, since a row would be asked for its key that may have no partner at all. Integers that do
 * not {@linkplain Fitting fit} their type are null instead, and so equal nothing.
 */
final class JoinPlanner {

    private final JoinNode node;
    private final Side left;
    private final Side right;
    private final List<JoinKey> keys = new ArrayList<>();
    private final List<Expression> conditions = new ArrayList<>();

    private JoinPlanner(JoinNode node, PhysicalPlan left, PhysicalPlan right) {
        this.node = node;
        this.left = new Side(left);
        this.right = new Side(right);
    }

    /** The join of two plans. */
    static PhysicalPlan plan(JoinNode node, PhysicalPlan left, PhysicalPlan right) {
        return new JoinPlanner(node, left, right).plan();
    }

    /** One input: its columns, and the keys that are added to them. */
    private static final class Side {
        private final PhysicalPlan input;
        private final List<Expression> added = new ArrayList<>();

        Side(PhysicalPlan input) {
            this.input = input;
        }

        int width() {
            return input.schema().size();
        }

        /** The position of a key, which is added if it is no column. */
        int position(Expression key) {
            if (key instanceof Expression.Column(int index, ColumnType _)) {
                return index;
            }
            int known = added.indexOf(key);
            if (known < 0) {
                added.add(key);
                return width() + added.size() - 1;
            }
            return width() + known;
        }

        PhysicalPlan plan() {
            if (added.isEmpty()) {
                return input;
            }
            RowSchema schema = input.schema();
            List<ColumnSchema> columns = new ArrayList<>(schema.columns());
            List<Expression> values = new ArrayList<>();
            for (int i = 0; i < schema.size(); i++) {
                values.add(new Expression.Column(i, schema.column(i).type()));
            }
            Set<String> names = new HashSet<>(schema.names());
            for (Expression key : added) {
                values.add(key);
                columns.add(
                        new ColumnSchema(
                                Algebra.unique("key", names),
                                key.type(),
                                Nullability.of(key, schema)));
            }
            return new PhysicalPlan.Project(input, values, new RowSchema(columns));
        }
    }

    private PhysicalPlan plan() {
        for (RexNode conjunct : Algebra.conjuncts(node.condition())) {
            Expression condition = RexTranslator.translate(conjunct);
            if (!asKey(condition)) {
                conditions.add(condition);
            }
        }
        PhysicalPlan leftPlan = left.plan();
        PhysicalPlan rightPlan = right.plan();
        RowSchema wanted = TypeMapping.toSchema(node.getRowType());
        if (left.added.isEmpty() && right.added.isEmpty()) {
            return new PhysicalPlan.Join(
                    leftPlan, rightPlan, node.type(), keys, condition(0), wanted);
        }
        PhysicalPlan join =
                new PhysicalPlan.Join(
                        leftPlan,
                        rightPlan,
                        node.type(),
                        keys,
                        condition(left.added.size()),
                        schema(leftPlan.schema(), rightPlan.schema(), wanted));
        return dropped(join, wanted);
    }

    /** Takes a comparison of the two sides for a key if it is one. */
    private boolean asKey(Expression condition) {
        if (!(condition instanceof Expression.Call call)
                || !(call.function() == Function.EQUAL
                        || call.function() == Function.IS_NOT_DISTINCT_FROM)) {
            return false;
        }
        Expression a = call.arguments().get(0);
        Expression b = call.arguments().get(1);
        if (a instanceof Expression.Cast(var ofA, var _, boolean safe)
                && !safe
                && b instanceof Expression.Cast(var ofB, var _, boolean safely)
                && !safely
                && ofA.type().equals(ofB.type())
                && Infallible.tellsApart(ofA.type(), a.type())) {
            a = ofA;
            b = ofB;
        }
        boolean straight = of(a, 0, left.width()) && of(b, left.width(), Integer.MAX_VALUE);
        boolean crossed = of(b, 0, left.width()) && of(a, left.width(), Integer.MAX_VALUE);
        if (!straight && !crossed) {
            return false;
        }
        boolean nullSafe = call.function() == Function.IS_NOT_DISTINCT_FROM;
        Expression first = total(a, nullSafe);
        Expression second = total(b, nullSafe);
        if (first == null || second == null) {
            return false;
        }
        JoinKey key =
                new JoinKey(
                        left.position(straight ? first : second),
                        right.position(shifted(straight ? second : first, -left.width())),
                        nullSafe);
        if (!keys.contains(key)) {
            keys.add(key);
        }
        return true;
    }

    /** A key that every row has; null if there is none. */
    private static @Nullable Expression total(Expression key, boolean nullSafe) {
        if (nullSafe) {
            return Infallible.is(key) ? key : null;
        }
        return Fitting.of(key);
    }

    /** Is it about columns of a range, and at least one of them? */
    private static boolean of(Expression expression, int from, int to) {
        Set<Integer> columns = new HashSet<>();
        expression.withColumns(
                column -> {
                    columns.add(column.index());
                    return column;
                });
        return !columns.isEmpty() && columns.stream().allMatch(c -> c >= from && c < to);
    }

    private static Expression shifted(Expression expression, int by) {
        return expression.withColumns(c -> new Expression.Column(c.index() + by, c.type()));
    }

    /**
     * @param gap how many columns stand between those of the left side and those of the right one
     */
    private @Nullable Expression condition(int gap) {
        if (conditions.isEmpty()) {
            return null;
        }
        Expression condition =
                conditions.size() == 1
                        ? conditions.getFirst()
                        : new Expression.Call(Function.AND, conditions, new ColumnType.Bool());
        return condition.withColumns(
                c ->
                        c.index() < left.width()
                                ? c
                                : new Expression.Column(c.index() + gap, c.type()));
    }

    /** What comes out of the join: as wanted, and in between the keys that were added. */
    private RowSchema schema(RowSchema leftSchema, RowSchema rightSchema, RowSchema wanted) {
        List<ColumnSchema> columns = new ArrayList<>();
        Set<String> names = new HashSet<>(wanted.names());
        JoinType type = node.type();
        for (int i = 0; i < leftSchema.size(); i++) {
            columns.add(
                    i < left.width()
                            ? wanted.column(i)
                            : added(leftSchema.column(i), type.keepsRight(), names));
        }
        for (int i = 0; type.hasRight() && i < rightSchema.size(); i++) {
            columns.add(
                    i < right.width()
                            ? wanted.column(left.width() + i)
                            : added(rightSchema.column(i), type.keepsLeft(), names));
        }
        return new RowSchema(columns);
    }

    private static ColumnSchema added(ColumnSchema key, boolean nulls, Set<String> names) {
        return new ColumnSchema(
                Algebra.unique(key.name(), names), key.type(), nulls || key.nullable());
    }

    private PhysicalPlan dropped(PhysicalPlan join, RowSchema wanted) {
        if (join.schema().equals(wanted)) {
            return join;
        }
        List<Expression> values = new ArrayList<>();
        for (int i = 0; i < wanted.size(); i++) {
            int at = i < left.width() ? i : i + left.added.size();
            values.add(new Expression.Column(at, wanted.column(i).type()));
        }
        return new PhysicalPlan.Project(join, values, wanted);
    }
}
