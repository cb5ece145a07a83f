package io.spillway.plan.logical;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.catalog.Widening;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.operator.join.JoinType;
import io.spillway.plan.document.PlanText;
import io.spillway.plan.document.Step;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * The step that puts rows of two plans together. The condition names columns of both sides: by
 * their names where only one side has it, else as {@code left.name} and {@code right.name}.
 */
final class JoinSteps {

    private final PlanningContext context;

    JoinSteps(PlanningContext context) {
        this.context = context;
    }

    Relation join(Step.Join step, Relation left, Relation right) {
        JoinType type =
                switch (step.kind()) {
                    case INNER, CROSS -> JoinType.INNER;
                    case LEFT -> JoinType.LEFT;
                    case RIGHT -> JoinType.RIGHT;
                    case FULL -> JoinType.FULL;
                    case SEMI -> JoinType.SEMI;
                    case ANTI -> JoinType.ANTI;
                };
        PlanText on = step.on();
        return step.using().isEmpty()
                ? all(left, right, type, on == null ? always() : condition(on, left, right))
                : using(step.using(), left, right, type);
    }

    private RexNode always() {
        return context.cluster().getRexBuilder().makeLiteral(true);
    }

    /** All columns of both sides; a name that both have is an error. */
    private Relation all(Relation left, Relation right, JoinType type, RexNode condition) {
        JoinNode node = JoinNode.create(left.node(), right.node(), type, condition);
        Projection projection = new Projection(context, joined(node, left, right));
        left.columns().forEach(c -> projection.add(nullable(c, type.keepsRight())));
        if (type.hasRight()) {
            int width = node.leftColumns();
            for (Relation.Column column : right.columns()) {
                if (left.has(column.name())) {
                    throw Projection.duplicate(column.name())
                            .with(
                                    SpillwayException.EXPECTED,
                                    List.of(
                                            "a rename, drop or select in the steps of one side",
                                            "\"on\": [names] for columns that are equal"));
                }
                projection.add(nullable(moved(column, width), type.keepsLeft()));
            }
        }
        return projection.build();
    }

    private static Relation joined(JoinNode node, Relation left, Relation right) {
        List<Relation.Column> columns = new ArrayList<>(left.columns());
        columns.addAll(right.columns());
        return new Relation(node, columns);
    }

    private static Relation.Column moved(Relation.Column column, int by) {
        return column instanceof Relation.Available available
                ? new Relation.Available(available.schema(), available.index() + by)
                : column;
    }

    private static Relation.Column nullable(Relation.Column column, boolean nulls) {
        return nulls && column instanceof Relation.Available available
                ? new Relation.Available(
                        new ColumnSchema(column.name(), available.schema().type(), true),
                        available.index())
                : column;
    }

    private RexNode condition(PlanText text, Relation left, Relation right) {
        Sides sides = Sides.of(left, right, always());
        try {
            BoundedExpression bounded =
                    BoundedExpression.of(
                            ExpressionTokens.of(text.text()), text.text(), context.limits());
            context.expressions().count(bounded.nodes());
            SqlNode parsed = ExpressionParser.parse(bounded, sides.pairs().names());
            RexNode condition =
                    context.expressions()
                            .resolve(
                                    parsed,
                                    new Checker(new QueryText(bounded), sides),
                                    bounded,
                                    sides.pairs());
            return switch (condition.getType().getSqlTypeName()) {
                case BOOLEAN -> condition;
                case NULL -> Algebra.unknown(context.cluster());
                default ->
                        throw LogicalPlanner.notTruth("A condition of a join", condition)
                                .with(SpillwayException.POSITION, 0);
            };
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.POINTER, text.pointer());
        }
    }

    /**
     * Both sides as one relation, in which a name that both have stands for neither.
     *
     * @param pairs columns of the left side, then of the right one
     */
    private record Sides(Relation left, Relation right, Relation pairs) {

        static Sides of(Relation left, Relation right, RexNode always) {
            JoinNode node = JoinNode.create(left.node(), right.node(), JoinType.INNER, always);
            List<Relation.Column> columns = new ArrayList<>();
            for (Relation.Column column : left.columns()) {
                columns.add(
                        right.has(column.name()) ? column.named(internal("left", column)) : column);
            }
            for (Relation.Column column : right.columns()) {
                Relation.Column there = moved(column, node.leftColumns());
                columns.add(
                        left.has(column.name()) ? there.named(internal("right", column)) : there);
            }
            return new Sides(left, right, new Relation(node, columns));
        }

        /** A name that no text can hold. */
        private static String internal(String side, Relation.Column column) {
            return "\0" + side + "\0" + column.name();
        }

        /** The name of a side's column among the pairs. */
        String name(boolean ofLeft, Relation.Column column) {
            return (ofLeft ? right : left).has(column.name())
                    ? internal(ofLeft ? "left" : "right", column)
                    : column.name();
        }
    }

    /** Finds the columns of both sides. */
    private static final class Checker extends ExpressionChecker {

        private final Sides sides;

        Checker(QueryText text, Sides sides) {
            super(text, sides.pairs());
            this.sides = sides;
        }

        @Override
        SqlNode identifier(SqlIdentifier name) {
            if (name.isStar()) {
                return super.identifier(name);
            }
            String first = name.names.getFirst();
            if (name.names.size() == 2) {
                String side = first.toLowerCase(Locale.ROOT);
                if (side.equals("left") || side.equals("right")) {
                    return of(side.equals("left"), name);
                }
            }
            if (name.isSimple() && sides.left().has(first) && sides.right().has(first)) {
                throw error(
                                ErrorCode.INVALID_EXPRESSION,
                                "Both sides have a column '%s'; write left.%s or right.%s"
                                        .formatted(first, first, first),
                                name)
                        .with(SpillwayException.COLUMN, first)
                        .with(SpillwayException.FOUND, first);
            }
            return super.identifier(name);
        }

        private SqlNode of(boolean left, SqlIdentifier name) {
            Relation side = left ? sides.left() : sides.right();
            try {
                Relation.Column column = side.column(name.names.get(1));
                return column(
                        new SqlIdentifier(sides.name(left, column), name.getParserPosition()));
            } catch (SpillwayException e) {
                throw e.with(SpillwayException.POSITION, position(name));
            }
        }
    }

    /** Equal columns come out once, where the left side has them. */
    private Relation using(List<PlanText> names, Relation left, Relation right, JoinType type) {
        JoinNode pairs = JoinNode.create(left.node(), right.node(), type, always());
        Set<String> equal = new HashSet<>();
        List<RexNode> conditions = new ArrayList<>();
        for (PlanText name : names) {
            try {
                if (!equal.add(name.text())) {
                    throw Projection.duplicate(name.text());
                }
                conditions.add(equality(name.text(), left, right, pairs));
            } catch (SpillwayException e) {
                throw e.with(SpillwayException.POINTER, name.pointer())
                        .with(SpillwayException.POSITION, 0);
            }
        }
        RexNode condition = Algebra.and(context.cluster(), conditions);
        JoinNode node = JoinNode.create(left.node(), right.node(), type, condition);
        if (!type.hasRight()) {
            return left.over(node);
        }
        Relation joined = joined(node, left, right);
        Projection projection = new Projection(context, joined);
        for (Relation.Column column : left.columns()) {
            if (equal.contains(column.name()) && type.keepsRight()) {
                projection.add(column.name(), either(column.name(), left, right, node));
            } else {
                projection.add(nullable(column, type.keepsRight()));
            }
        }
        for (Relation.Column column : right.columns()) {
            if (equal.contains(column.name())) {
                continue;
            }
            if (left.has(column.name())) {
                throw Projection.duplicate(column.name());
            }
            projection.add(nullable(moved(column, node.leftColumns()), type.keepsLeft()));
        }
        return projection.build();
    }

    private static Relation.Available readable(String name, Relation relation) {
        return switch (relation.column(name)) {
            case Relation.Available available -> available;
            case Relation.Unreadable unreadable -> throw unreadable.error();
        };
    }

    private RexNode equality(String name, Relation left, Relation right, JoinNode pairs) {
        RexNode a = RexInputRef.of(readable(name, left).index(), pairs.pairs());
        RexNode b =
                RexInputRef.of(pairs.leftColumns() + readable(name, right).index(), pairs.pairs());
        ColumnType ofLeft = TypeMapping.toColumn(a.getType());
        ColumnType ofRight = TypeMapping.toColumn(b.getType());
        boolean same = ofLeft.equals(ofRight);
        RexNode equality =
                context.cluster()
                        .getRexBuilder()
                        .makeCall(
                                SqlStdOperatorTable.EQUALS,
                                same ? a : arithmetic(a, ofLeft),
                                same ? b : arithmetic(b, ofRight));
        RexTranslator.translate(equality);
        return equality;
    }

    private static RexNode arithmetic(RexNode value, ColumnType type) {
        ColumnType wider = TypeMapping.inExpression(type);
        return wider.equals(type) ? value : Algebra.cast(value, wider);
    }

    /** The left side's value, or the right one's in rows without it. */
    private RexNode either(String name, Relation left, Relation right, JoinNode node) {
        RexNode a = RexInputRef.of(readable(name, left).index(), node.getRowType());
        RexNode b =
                RexInputRef.of(
                        node.leftColumns() + readable(name, right).index(), node.getRowType());
        ColumnType ofLeft = TypeMapping.toColumn(a.getType());
        ColumnType ofRight = TypeMapping.toColumn(b.getType());
        ColumnType common = Widening.common(List.of(ofLeft, ofRight));
        if (common == null) {
            throw UnionBuilder.mismatch(name, ofRight, ofLeft);
        }
        RexBuilder builder = context.cluster().getRexBuilder();
        return builder.makeCall(
                TypeMapping.toRel(common, true),
                SqlStdOperatorTable.CASE,
                List.of(
                        builder.makeCall(SqlStdOperatorTable.IS_NOT_NULL, a),
                        ofLeft.equals(common) ? a : Algebra.cast(a, common),
                        ofRight.equals(common) ? b : Algebra.cast(b, common)));
    }
}
