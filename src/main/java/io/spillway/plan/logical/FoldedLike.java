package io.spillway.plan.logical;

import io.spillway.batch.ColumnType;
import io.spillway.expression.Expression;
import io.spillway.expression.Expression.Literal;
import io.spillway.expression.Function;
import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.jspecify.annotations.Nullable;

/**
 * ILIKE: LIKE of the text and a pattern in lower case. What the escape character of the pattern
 * makes literal is escaped by a backslash instead, since the escape character may be a letter.
 */
final class FoldedLike {

    private static final ColumnType TEXT = new ColumnType.Utf8();
    private static final String ESCAPE = "\\";

    private FoldedLike() {}

    static Expression of(RexCall call) {
        List<Expression> operands =
                RexTranslator.operands(call).stream().map(FunctionTranslator::text).toList();
        for (Expression pattern : operands.subList(1, operands.size())) {
            if (!(pattern instanceof Literal)) {
                throw RexTranslator.notSupported("ILIKE with a pattern that is not a literal");
            }
        }
        String pattern = ((Literal) operands.get(1)).value();
        String escape = operands.size() > 2 ? ((Literal) operands.get(2)).value() : "";
        if (pattern == null || escape == null || escape.codePointCount(0, escape.length()) > 1) {
            // Null, or an error that LIKE has the words for.
            return new Expression.Call(Function.LIKE, operands, RexTranslator.bool());
        }
        Expression text = new Expression.Call(Function.LOWER, operands.subList(0, 1), TEXT);
        String folded = folded(pattern, escape);
        return new Expression.Call(
                Function.LIKE,
                folded == null
                        ? operands
                        : List.of(text, new Literal(TEXT, folded), new Literal(TEXT, ESCAPE)),
                RexTranslator.bool());
    }

    /** The pattern in lower case, or null if it ends with its escape character. */
    private static @Nullable String folded(String pattern, String escape) {
        int escapePoint = escape.isEmpty() ? -1 : escape.codePointAt(0);
        StringBuilder out = new StringBuilder();
        int[] points = pattern.codePoints().toArray();
        for (int i = 0; i < points.length; i++) {
            int point = points[i];
            boolean wildcard = point == '%' || point == '_';
            if (point == escapePoint) {
                i++;
                if (i == points.length) {
                    return null;
                }
                point = points[i];
                wildcard = false;
            }
            boolean special = point == '%' || point == '_' || point == '\\';
            if (special && !wildcard) {
                out.append(ESCAPE);
            }
            out.appendCodePoint(Character.toLowerCase(point));
        }
        return out.toString();
    }
}
