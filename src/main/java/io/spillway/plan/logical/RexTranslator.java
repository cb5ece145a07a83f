package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.expression.Expression.Literal;
import io.spillway.expression.Function;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Row expressions as resolved expressions: the same meaning with every coercion an explicit cast,
 * {@code SEARCH} as comparisons, chains of AND and OR flat, and runs of {@code x = literal} in an
 * OR as one {@link Expression.In}. Recurses as deep as the expression. Stateless.
 */
final class RexTranslator {

    private static final RexBuilder BUILDER = new RexBuilder(SpillwayTypeFactory.INSTANCE);

    private RexTranslator() {}

    /**
     * @throws SpillwayException {@code NOT_SUPPORTED} for what no function stands for, {@code
     *     TYPE_MISMATCH} for operands without a common type
     */
    static Expression translate(RexNode node) {
        return switch (node) {
            case RexInputRef reference ->
                    new Expression.Column(
                            reference.getIndex(), TypeMapping.toColumn(reference.getType()));
            case RexLiteral literal -> RexLiterals.translate(literal);
            case RexCall call -> call(call);
            default -> throw notSupported(node.toString());
        };
    }

    private static Expression call(RexCall call) {
        return switch (call.getKind()) {
            case AND -> new Expression.Call(Function.AND, chain(call), bool());
            case OR -> or(chain(call));
            case NOT -> predicate(Function.NOT, call);
            case IS_NULL -> predicate(Function.IS_NULL, call);
            case IS_NOT_NULL -> predicate(Function.IS_NOT_NULL, call);
            case IS_TRUE -> predicate(Function.IS_TRUE, call);
            case IS_FALSE -> predicate(Function.IS_FALSE, call);
            case IS_NOT_TRUE -> predicate(Function.IS_NOT_TRUE, call);
            case IS_NOT_FALSE -> predicate(Function.IS_NOT_FALSE, call);
            case IS_DISTINCT_FROM -> comparison(Function.IS_DISTINCT_FROM, call);
            case IS_NOT_DISTINCT_FROM -> comparison(Function.IS_NOT_DISTINCT_FROM, call);
            case EQUALS -> comparison(Function.EQUAL, call);
            case NOT_EQUALS -> comparison(Function.NOT_EQUAL, call);
            case LESS_THAN -> comparison(Function.LESS, call);
            case LESS_THAN_OR_EQUAL -> comparison(Function.LESS_OR_EQUAL, call);
            case GREATER_THAN -> comparison(Function.GREATER, call);
            case GREATER_THAN_OR_EQUAL -> comparison(Function.GREATER_OR_EQUAL, call);
            case SEARCH -> translate(RexUtil.expandSearch(BUILDER, null, call));
            case CASE -> choice(call);
            case CAST -> cast(call, false);
            case SAFE_CAST -> cast(call, true);
            case PLUS ->
                    Intervals.shifts(call)
                            ? Intervals.shifted(call, false)
                            : arithmetic(Function.ADD, call);
            case MINUS ->
                    Intervals.shifts(call)
                            ? Intervals.shifted(call, true)
                            : arithmetic(Function.SUBTRACT, call);
            case TIMES -> arithmetic(Function.MULTIPLY, call);
            case DIVIDE -> arithmetic(Function.DIVIDE, call);
            case MOD -> remainder(call);
            case MINUS_PREFIX -> typed(Function.NEGATE, call);
            default -> FunctionTranslator.translate(call);
        };
    }

    static List<Expression> operands(RexCall call) {
        return call.getOperands().stream().map(RexTranslator::translate).toList();
    }

    /** The operands of a chain of one operator, however it is bracketed, in order. */
    private static List<Expression> chain(RexCall call) {
        List<Expression> operands = new ArrayList<>();
        collect(call, call, operands);
        return operands;
    }

    private static void collect(RexCall chain, RexNode node, List<Expression> operands) {
        if (node instanceof RexCall inner && inner.getKind() == chain.getKind()) {
            inner.getOperands().forEach(operand -> collect(chain, operand, operands));
        } else {
            operands.add(truth(translate(node)));
        }
    }

    /**
     * Puts runs of {@code x = a OR x = b} together; what stands between two runs keeps its place.
     */
    private static Expression or(List<Expression> operands) {
        List<Expression> result = new ArrayList<>();
        int at = 0;
        while (at < operands.size()) {
            int end = at;
            List<Literal> values = new ArrayList<>();
            while (end < operands.size()
                    && operands.get(end) instanceof Expression.Call call
                    && pairsWithLiteral(call)
                    && (end == at || subject(call).equals(subject(operands.get(at))))) {
                values.add((Literal) call.arguments().get(1));
                end++;
            }
            if (end - at > 1) {
                result.add(new Expression.In(subject(operands.get(at)), values));
                at = end;
            } else {
                result.add(operands.get(at));
                at++;
            }
        }
        return result.size() == 1
                ? result.getFirst()
                : new Expression.Call(Function.OR, result, bool());
    }

    private static boolean pairsWithLiteral(Expression.Call call) {
        return call.function() == Function.EQUAL
                && call.arguments().get(1) instanceof Literal literal
                && literal.value() != null;
    }

    private static Expression subject(Expression equality) {
        return ((Expression.Call) equality).arguments().getFirst();
    }

    private static Expression predicate(Function function, RexCall call) {
        List<Expression> operands = operands(call);
        return new Expression.Call(
                function,
                switch (function) {
                    case IS_NULL, IS_NOT_NULL -> operands;
                    default -> operands.stream().map(RexTranslator::truth).toList();
                },
                bool());
    }

    private static Expression truth(Expression operand) {
        return Coercions.cast(operand, bool());
    }

    private static Expression comparison(Function function, RexCall call) {
        Expression left = translate(call.getOperands().get(0));
        Expression right = translate(call.getOperands().get(1));
        ColumnType common = Coercions.common(left, right);
        return new Expression.Call(
                function,
                List.of(Coercions.cast(left, common), Coercions.cast(right, common)),
                bool());
    }

    /**
     * Decimals keep their digits, since kernels take any; all other operands get the result's type.
     */
    private static Expression arithmetic(Function function, RexCall call) {
        ColumnType type = TypeMapping.toColumn(call.getType());
        return new Expression.Call(function, operands(call, type), type);
    }

    private static List<Expression> operands(RexCall call, ColumnType type) {
        return operands(call).stream()
                .map(
                        operand ->
                                type instanceof ColumnType.Decimal
                                                && !(operand.type()
                                                        instanceof ColumnType.FloatingPoint)
                                                && !nullLiteral(operand)
                                        ? Coercions.cast(operand, Coercions.decimal(operand.type()))
                                        : Coercions.cast(operand, type))
                .toList();
    }

    private static boolean nullLiteral(Expression expression) {
        return expression instanceof Literal literal && literal.value() == null;
    }

    /**
     * Calcite gives a remainder the divisor's type, into which the dividend need not fit: so it is
     * computed in the type of both and cast afterwards, which always fits.
     */
    private static Expression remainder(RexCall call) {
        ColumnType type = TypeMapping.toColumn(call.getType());
        if (!(type instanceof ColumnType.Int)) {
            return arithmetic(Function.REMAINDER, call);
        }
        List<Expression> operands = operands(call);
        ColumnType common = Coercions.common(operands.get(0), operands.get(1));
        return Coercions.cast(
                new Expression.Call(
                        Function.REMAINDER,
                        operands.stream().map(o -> Coercions.cast(o, common)).toList(),
                        common),
                type);
    }

    /** A function whose operands have the result's type. */
    static Expression typed(Function function, RexCall call) {
        ColumnType type = TypeMapping.toColumn(call.getType());
        return new Expression.Call(
                function, operands(call).stream().map(o -> Coercions.cast(o, type)).toList(), type);
    }

    private static Expression choice(RexCall call) {
        ColumnType type = TypeMapping.toColumn(call.getType());
        List<RexNode> operands = call.getOperands();
        List<Expression.Branch> branches = new ArrayList<>();
        for (int i = 0; i + 1 < operands.size(); i += 2) {
            branches.add(
                    new Expression.Branch(
                            truth(translate(operands.get(i))),
                            Coercions.cast(translate(operands.get(i + 1)), type)));
        }
        return new Expression.Case(
                branches, Coercions.cast(translate(operands.getLast()), type), type);
    }

    private static Expression cast(RexCall call, boolean safe) {
        RexNode operand = call.getOperands().getFirst();
        RelDataType to = call.getType();
        Expression argument = translate(operand);
        ColumnType type = TypeMapping.toColumn(to);
        if (operand.getType().getSqlTypeName() == SqlTypeName.NULL) {
            return new Literal(type, null);
        }
        Expression result = Coercions.cast(argument, type);
        return safe && result instanceof Expression.Cast
                ? new Expression.Cast(argument, type, true)
                : result;
    }

    static ColumnType bool() {
        return new ColumnType.Bool();
    }

    static SpillwayException notSupported(String what) {
        return new SpillwayException(ErrorCode.NOT_SUPPORTED, what + " is not supported");
    }
}
