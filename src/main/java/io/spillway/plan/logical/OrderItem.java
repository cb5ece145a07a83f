package io.spillway.plan.logical;

import io.spillway.error.SpillwayException;
import io.spillway.plan.document.PlanText;
import io.spillway.plan.logical.ExpressionTokens.Token;
import java.util.List;

/**
 * A key of an order: an expression, perhaps followed by ASC or DESC, and by NULLS FIRST or NULLS
 * LAST. Nulls come last unless told otherwise, whatever the direction. A text that is exactly a
 * column's name is that column, with or without what follows.
 *
 * @param value the expression
 */
record OrderItem(PlanText value, boolean descending, boolean nullsFirst) {

    /**
     * Reads a key.
     *
     * @throws SpillwayException {@code INVALID_EXPRESSION} with pointer and position
     */
    static OrderItem parse(PlanText item, Relation relation) {
        if (relation.has(item.text())) {
            return new OrderItem(item, false, false);
        }
        try {
            ExpressionTokens tokens = ExpressionTokens.of(item.text());
            List<Token> list = tokens.list();
            int end = list.size();
            boolean nullsFirst = ends(tokens, end, "NULLS", "FIRST");
            end -= nullsFirst || ends(tokens, end, "NULLS", "LAST") ? 2 : 0;
            boolean descending = ends(tokens, end, "DESC");
            end -= descending || ends(tokens, end, "ASC") ? 1 : 0;
            String value =
                    end == list.size()
                            ? item.text()
                            : item.text().substring(0, list.get(end).start()).stripTrailing();
            return new OrderItem(new PlanText(value, item.pointer()), descending, nullsFirst);
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.POINTER, item.pointer());
        }
    }

    /** Do the tokens before one end with these words, and is something left before them? */
    private static boolean ends(ExpressionTokens tokens, int end, String... words) {
        int first = end - words.length;
        for (int i = 0; i < words.length; i++) {
            if (first < 1 || !tokens.isWord(tokens.list().get(first + i), words[i])) {
                return false;
            }
        }
        return true;
    }
}
