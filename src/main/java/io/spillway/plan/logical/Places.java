package io.spillway.plan.logical;

import io.spillway.error.SpillwayException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.parser.SqlParserPos;

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
