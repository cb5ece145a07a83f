package io.spillway.plan.logical;

import io.spillway.error.SpillwayException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** Where row expressions were written: the calls among them know it. */
final class Places {

    private Places() {}

    /** Does something about an expression; an error gets the place of its outermost call. */
    static <T> T at(RexNode expression, QueryText text, Supplier<T> work) {
        try {
            return work.get();
        } catch (SpillwayException e) {
            throw text.at(of(expression), e);
        }
    }

    /**
     * Does something about an expression; an error gets the place of the innermost call that has
     * it.
     *
     * @param work may be tried with parts of the expression
     */
    static <T> T within(RexNode expression, QueryText text, Function<RexNode, T> work) {
        try {
            return work.apply(expression);
        } catch (SpillwayException e) {
            throw innermost(expression, of(expression), e, text, work);
        }
    }

    private static SpillwayException innermost(
            RexNode failed,
            SqlParserPos place,
            SpillwayException failure,
            QueryText text,
            Function<RexNode, ?> work) {
        RexNode where = failed;
        SqlParserPos at = place;
        SpillwayException what = failure;
        while (where instanceof RexCall call) {
            RexNode inner = null;
            for (RexNode operand : call.getOperands()) {
                SpillwayException error = error(operand, work);
                if (error != null) {
                    inner = operand;
                    what = error;
                    break;
                }
            }
            if (inner == null) {
                break;
            }
            where = inner;
            SqlParserPos own = of(inner);
            at = own.getLineNum() > 0 ? own : at;
        }
        return text.at(at, what);
    }

    private static @Nullable SpillwayException error(RexNode operand, Function<RexNode, ?> work) {
        if (!(operand instanceof RexCall) || operand instanceof RexOver) {
            return null;
        }
        try {
            var _ = work.apply(operand);
            return null;
        } catch (SpillwayException e) {
            return e;
        }
    }

    private static SqlParserPos of(RexNode expression) {
        Deque<RexNode> open = new ArrayDeque<>();
        open.add(expression);
        while (!open.isEmpty()) {
            if (open.remove() instanceof RexCall call) {
                if (call.getParserPosition().getLineNum() > 0) {
                    return call.getParserPosition();
                }
                open.addAll(call.getOperands());
            }
        }
        return SqlParserPos.ZERO;
    }
}
