package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.expression.Expression.Literal;
import io.spillway.operator.aggregate.AggregateFunction;
import io.spillway.operator.key.SortKey;
import io.spillway.operator.window.WindowCall;
import io.spillway.operator.window.WindowFrame;
import io.spillway.operator.window.WindowFunction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Takes the functions over windows out of expressions: what they need is computed below, calls of
 * one partition and order become one operator, and the expressions refer to the results.
 */
final class WindowTranslation {

    private static final ColumnType INT64 = new ColumnType.Int(64, true);
    private static final ColumnType FLOAT64 = new ColumnType.FloatingPoint(64);

    private final QueryText text;
    private final ExtendedInput input;
    private final Retyping retyping;
    private final Map<Group, List<RexOver>> groups = new LinkedHashMap<>();
    private final RelNode node;
    private final List<RexNode> values;

    /** What one operator does: windows that differ in their frames only. */
    private record Group(List<Integer> partition, List<SortKey> order) {}

    /**
     * @param input our algebra
     * @param expressions of a validated query, over its columns
     * @param text for the places of errors
     */
    WindowTranslation(RelNode input, List<RexNode> expressions, QueryText text) {
        this.text = text;
        this.input = new ExtendedInput(input);
        this.retyping = new Retyping(input.getRowType());
        RexVisitorImpl<Void> finder =
                new RexVisitorImpl<>(true) {
                    @Override
                    public Void visitOver(RexOver over) {
                        Group group = group(over);
                        List<RexOver> calls = groups.computeIfAbsent(group, _ -> new ArrayList<>());
                        if (!calls.contains(over)) {
                            calls.add(over);
                        }
                        return null;
                    }
                };
        expressions.forEach(e -> e.accept(finder));
        if (groups.isEmpty()) {
            this.node = input;
            this.values = retyping.results(expressions);
        } else {
            Map<RexOver, Integer> positions = new LinkedHashMap<>();
            this.node = operators(positions);
            this.values = replaced(expressions, positions, node.getRowType());
        }
    }

    /** The input, the columns that windows need, and the windows' results. */
    RelNode node() {
        return node;
    }

    /** The expressions over that. */
    List<RexNode> values() {
        return values;
    }

    private Group group(RexOver over) {
        List<Integer> partition = new ArrayList<>();
        for (RexNode key : over.getWindow().partitionKeys) {
            int position = input.position(key.accept(retyping));
            if (!partition.contains(position)) {
                partition.add(position);
            }
        }
        List<SortKey> order = new ArrayList<>();
        for (RexFieldCollation key : over.getWindow().orderKeys) {
            order.add(
                    new SortKey(
                            input.position(key.left.accept(retyping)),
                            key.right.contains(SqlKind.DESCENDING),
                            key.right.contains(SqlKind.NULLS_FIRST)));
        }
        return new Group(partition, order);
    }

    private RelNode operators(Map<RexOver, Integer> positions) {
        Map<Group, List<WindowCall>> calls = new LinkedHashMap<>();
        groups.forEach(
                (group, overs) ->
                        calls.put(
                                group,
                                overs.stream()
                                        .map(o -> Places.at(o, text, () -> call(o, group)))
                                        .toList()));
        RelNode result = input.node();
        for (Map.Entry<Group, List<WindowCall>> entry : calls.entrySet()) {
            int first = result.getRowType().getFieldCount();
            List<RexOver> overs = groups.getOrDefault(entry.getKey(), List.of());
            List<String> names = new ArrayList<>();
            for (int i = 0; i < overs.size(); i++) {
                positions.put(overs.get(i), first + i);
                names.add("window" + (first + i));
            }
            result =
                    WindowNode.create(
                            result,
                            entry.getKey().partition,
                            entry.getKey().order,
                            entry.getValue(),
                            names);
        }
        return result;
    }

    private WindowCall call(RexOver over, Group group) {
        if (over.isDistinct()) {
            throw RexTranslator.notSupported("DISTINCT over a window");
        }
        WindowFunction function = GroupFunctions.window(over.getAggOperator());
        List<RexNode> operands = retyping.apply(over.getOperands());
        List<Integer> arguments = new ArrayList<>();
        List<Literal> parameters = new ArrayList<>();
        ColumnType type =
                switch (function) {
                    case ROW_NUMBER, RANK, DENSE_RANK -> INT64;
                    case PERCENT_RANK, CUME_DIST -> FLOAT64;
                    case NTILE -> {
                        parameters.add(count(operands.getFirst(), function, 1));
                        yield INT64;
                    }
                    case LAG, LEAD -> {
                        parameters.add(
                                operands.size() > 1
                                        ? count(operands.get(1), function, 0)
                                        : new Literal(INT64, "1"));
                        ColumnType value = argument(operands.getFirst(), arguments);
                        if (operands.size() > 2) {
                            argument(cast(operands.get(2), value), arguments);
                        }
                        yield value;
                    }
                    case FIRST_VALUE, LAST_VALUE, MIN, MAX ->
                            argument(operands.getFirst(), arguments);
                    case NTH_VALUE -> {
                        parameters.add(count(operands.get(1), function, 1));
                        yield argument(operands.getFirst(), arguments);
                    }
                    case SUM, AVG -> {
                        RexNode number = operands.getFirst();
                        ColumnType own = TypeMapping.toColumn(number.getType());
                        argument(cast(number, TypeMapping.inExpression(own)), arguments);
                        yield AggregateTypes.of(
                                AggregateFunction.valueOf(function.name()), own, true);
                    }
                    case COUNT, COUNT_ROWS -> {
                        operands.forEach(o -> argument(o, arguments));
                        yield INT64;
                    }
                };
        return new WindowCall(
                function == WindowFunction.COUNT && arguments.isEmpty()
                        ? WindowFunction.COUNT_ROWS
                        : function,
                arguments,
                function.usesFrame() ? frame(over, group) : WindowFrame.PARTITION,
                parameters,
                type);
    }

    private WindowFrame frame(RexOver over, Group group) {
        return FrameTranslation.frame(
                over.getWindow(),
                group.order.size() == 1
                        ? TypeMapping.toColumn(input.type(group.order.getFirst().column()))
                        : null,
                group.order.isEmpty());
    }

    private ColumnType argument(RexNode value, List<Integer> arguments) {
        arguments.add(input.position(value));
        return TypeMapping.toColumn(value.getType());
    }

    private static RexNode cast(RexNode value, ColumnType type) {
        RelDataType own = value.getType();
        return own.getSqlTypeName() != SqlTypeName.NULL && TypeMapping.toColumn(own).equals(type)
                ? value
                : Algebra.cast(value, type);
    }

    /** A constant number of rows or parts. */
    private static Literal count(RexNode value, WindowFunction function, long least) {
        Expression expression = RexTranslator.translate(value);
        if (expression instanceof Literal(ColumnType type, String number)
                && type instanceof ColumnType.Int
                && number != null
                && Long.parseLong(number) >= least) {
            return new Literal(INT64, number);
        }
        throw new SpillwayException(
                        ErrorCode.INVALID_EXPRESSION,
                        "%s takes a constant integer of at least %d here"
                                .formatted(function, least))
                .with(SpillwayException.EXPECTED, List.of("an integer from " + least));
    }

    /** Expressions in which each function over a window is a column. */
    private static List<RexNode> replaced(
            List<RexNode> expressions, Map<RexOver, Integer> positions, RelDataType row) {
        return new Retyping(row) {
            @Override
            public RexNode visitOver(RexOver over) {
                return reference(positions.getOrDefault(over, -1), over.getType());
            }
        }.results(expressions);
    }
}
