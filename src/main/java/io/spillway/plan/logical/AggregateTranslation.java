package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.expression.Expression.Literal;
import io.spillway.expression.ExpressionCompiler;
import io.spillway.operator.aggregate.AggregateCall;
import io.spillway.operator.aggregate.AggregateFunction;
import io.spillway.operator.key.SortKey;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Calcite's aggregate as ours. Several grouping sets become a union of one aggregate each, in
 * Calcite's order: larger sets first. What a call is but a constant, as GROUPING is, is put in
 * above.
 */
final class AggregateTranslation {

    private static final ColumnType FLOAT64 = new ColumnType.FloatingPoint(64);

    private final Aggregate aggregate;
    private final ExtendedInput input;
    private final RexBuilder builder;
    private final QueryText text;

    /**
     * @param input the aggregate's input, as our algebra
     * @param text for the places of errors
     */
    AggregateTranslation(Aggregate aggregate, RelNode input, QueryText text) {
        this.text = text;
        this.aggregate = aggregate;
        this.input = new ExtendedInput(input);
        this.builder = aggregate.getCluster().getRexBuilder();
    }

    RelNode node() {
        if (aggregate.getAggCallList().isEmpty()
                && aggregate.getGroupSets().size() == 1
                && !aggregate.getGroupSet().isEmpty()) {
            return DistinctNode.ofRows(
                    Algebra.pick(input.node(), aggregate.getGroupSet().asList()));
        }
        List<Value> values = new ArrayList<>();
        List<AggregateCall> calls = new ArrayList<>();
        for (org.apache.calcite.rel.core.AggregateCall call : aggregate.getAggCallList()) {
            values.add(value(call, calls));
        }
        RelNode extended = input.node();
        List<RelNode> sets =
                aggregate.getGroupSets().stream()
                        .map(set -> one(extended, set, calls, values))
                        .toList();
        return sets.size() == 1 ? sets.getFirst() : UnionNode.create(sets);
    }

    /** What stands in a column for a call. */
    private sealed interface Value {

        /** One of our calls; zero in place of null if it is asked so. */
        record Called(int call, boolean zero) implements Value {}

        record Constant(RexNode literal) implements Value {}

        /** Which of the arguments are not grouped by, as bits, the first the highest. */
        record Grouping(List<Integer> arguments) implements Value {}
    }

    private Value value(org.apache.calcite.rel.core.AggregateCall call, List<AggregateCall> calls) {
        return switch (call.getAggregation().getKind()) {
            case LITERAL_AGG -> new Value.Constant(call.rexList.getFirst());
            case GROUPING, GROUPING_ID -> new Value.Grouping(call.getArgList());
            case SqlKind kind -> {
                AggregateCall ours = placed(call);
                int known = calls.indexOf(ours);
                if (known < 0) {
                    calls.add(ours);
                }
                yield new Value.Called(known < 0 ? calls.size() - 1 : known, kind == SqlKind.SUM0);
            }
        };
    }

    /** The groups of one set, with nulls for keys that are none of it. */
    private RelNode one(
            RelNode extended, ImmutableBitSet set, List<AggregateCall> calls, List<Value> values) {
        List<String> names = aggregate.getRowType().getFieldNames();
        List<Integer> all = aggregate.getGroupSet().asList();
        List<String> own = new ArrayList<>();
        set.forEach(key -> own.add(names.get(all.indexOf(key))));
        for (int i = 0; i < calls.size(); i++) {
            own.add("call" + i);
        }
        boolean plain = set.cardinality() == all.size() && calls.size() == values.size();
        for (int i = 0; i < values.size(); i++) {
            plain &= values.get(i).equals(new Value.Called(i, false));
        }
        AggregateNode node =
                AggregateNode.create(extended, set.asList(), calls, plain ? names : unique(own));
        return plain ? node : widened(node, set, values);
    }

    private static List<String> unique(List<String> names) {
        Set<String> taken = new HashSet<>();
        return names.stream().map(name -> Algebra.unique(name, taken)).toList();
    }

    private RelNode widened(AggregateNode node, ImmutableBitSet set, List<Value> values) {
        List<RexNode> columns = new ArrayList<>();
        for (int key : aggregate.getGroupSet()) {
            RelDataType type = input.type(key);
            columns.add(
                    set.get(key)
                            ? RexInputRef.of(set.asList().indexOf(key), node.getRowType())
                            : Algebra.nullOf(type));
        }
        for (Value value : values) {
            columns.add(
                    switch (value) {
                        case Value.Called(int call, boolean zero) -> {
                            RexNode reference =
                                    RexInputRef.of(set.cardinality() + call, node.getRowType());
                            yield zero ? orZero(reference) : reference;
                        }
                        case Value.Constant(RexNode literal) -> literal;
                        case Value.Grouping(List<Integer> arguments) -> {
                            long bits = 0;
                            for (int argument : arguments) {
                                bits = bits << 1 | (set.get(argument) ? 0 : 1);
                            }
                            yield builder.makeExactLiteral(
                                    BigDecimal.valueOf(bits),
                                    TypeMapping.toRel(new ColumnType.Int(64, true), false));
                        }
                    });
        }
        return Algebra.project(node, columns, aggregate.getRowType().getFieldNames());
    }

    private RexNode orZero(RexNode sum) {
        RelDataType type = builder.getTypeFactory().createTypeWithNullability(sum.getType(), false);
        return builder.makeCall(
                type,
                SqlStdOperatorTable.CASE,
                List.of(
                        builder.makeCall(SqlStdOperatorTable.IS_NOT_NULL, sum),
                        builder.makeAbstractCast(type, sum, false),
                        builder.makeAbstractCast(
                                type, builder.makeExactLiteral(BigDecimal.ZERO), false)));
    }

    private AggregateCall placed(org.apache.calcite.rel.core.AggregateCall call) {
        try {
            return call(call);
        } catch (SpillwayException e) {
            throw text.at(call.getParserPosition(), e);
        }
    }

    private AggregateCall call(org.apache.calcite.rel.core.AggregateCall call) {
        AggregateFunction function =
                call.getAggregation().getKind() == SqlKind.SUM0
                        ? AggregateFunction.SUM
                        : GroupFunctions.aggregate(call.getAggregation());
        List<Integer> arguments = call.getArgList();
        List<SortKey> order = QueryAlgebra.keys(call.getCollation());
        List<Literal> parameters = List.of();
        switch (function) {
            case COUNT -> {
                if (arguments.isEmpty()) {
                    function = AggregateFunction.COUNT_ROWS;
                }
            }
            case PERCENTILE_CONT, PERCENTILE_DISC -> {
                parameters = List.of(fraction(arguments.getFirst()));
                int value = order.getFirst().column();
                int column = function == AggregateFunction.PERCENTILE_CONT ? number(value) : value;
                order =
                        order.stream()
                                .map(k -> new SortKey(column, k.descending(), k.nullsFirst()))
                                .toList();
                arguments = List.of(column);
            }
            case SUM, AVG, STDDEV_SAMP, STDDEV_POP, VAR_SAMP, VAR_POP ->
                    arguments = List.of(number(arguments.getFirst()));
            default -> {}
        }
        RelDataType argument =
                arguments.isEmpty()
                        ? TypeMapping.toRel(new ColumnType.Bool(), true)
                        : input.type(arguments.getFirst());
        ColumnType type = TypeMapping.toColumn(argument);
        boolean distinct =
                call.isDistinct()
                        && function != AggregateFunction.MIN
                        && function != AggregateFunction.MAX;
        return new AggregateCall(
                function,
                arguments,
                distinct,
                call.filterArg < 0 ? null : call.filterArg,
                order,
                parameters,
                AggregateTypes.of(function, type, argument.isNullable()));
    }

    /** A column of numbers, as one with arithmetic. */
    private int number(int column) {
        RelDataType type = input.type(column);
        ColumnType own = TypeMapping.toColumn(type);
        if (!(own instanceof ColumnType.Int
                || own instanceof ColumnType.Decimal
                || own instanceof ColumnType.FloatingPoint)) {
            throw new SpillwayException(
                            ErrorCode.TYPE_MISMATCH,
                            "PERCENTILE_CONT goes between numbers, not values of type " + own)
                    .with(SpillwayException.FOUND, own.toString());
        }
        return input.position(
                new Retyping(input.node().getRowType())
                        .reference(
                                column,
                                TypeMapping.toRel(
                                        TypeMapping.inExpression(own), type.isNullable())));
    }

    /** The constant that a column of the input is. */
    private Literal fraction(int column) {
        if (aggregate.getInput().stripped() instanceof Project project) {
            Expression value = RexTranslator.translate(project.getProjects().get(column));
            return ExpressionCompiler.constant(Coercions.cast(value, FLOAT64));
        }
        throw RexTranslator.notSupported("A fraction that is no constant");
    }
}
