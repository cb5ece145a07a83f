package io.spillway.plan.logical;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.plan.document.PlanText;
import io.spillway.plan.logical.ExpressionTokens.Kind;
import io.spillway.plan.logical.ExpressionTokens.Token;
import java.util.List;

/**
 * An item of a select: {@code *}, a column's name, or {@code expr AS name}. A text that is exactly
 * a column's name is that column, whatever characters it is made of and without quotes; so words
 * that SQL reserves need none here either.
 */
sealed interface SelectItem {

    /** All columns. */
    record Star() implements SelectItem {}

    /** A column as it is. */
    record Name(String name) implements SelectItem {}

    /** A computed column. */
    record Aliased(PlanText expression, String alias) implements SelectItem {}

    /**
     * Reads an item.
     *
     * @throws SpillwayException {@code INVALID_EXPRESSION} with pointer and position
     */
    static SelectItem parse(PlanText item, Relation relation) {
        String text = item.text();
        if (text.strip().equals("*")) {
            return new Star();
        }
        if (relation.has(text)) {
            return new Name(text);
        }
        try {
            ExpressionTokens tokens = ExpressionTokens.of(text);
            List<Token> list = tokens.list();
            int size = list.size();
            if (size == 1 && plainName(tokens, list.getFirst())) {
                return new Name(unquoted(tokens, list.getFirst()));
            }
            if (size >= 3
                    && tokens.isWord(list.get(size - 2), "AS")
                    && plainName(tokens, list.getLast())) {
                String expression = text.substring(0, list.get(size - 2).start());
                return new Aliased(
                        new PlanText(expression, item.pointer()), unquoted(tokens, list.getLast()));
            }
            throw new SpillwayException(
                            ErrorCode.INVALID_EXPRESSION,
                            size == 0
                                    ? "The item is empty"
                                    : "A computed column needs a name: write it as 'expression AS"
                                            + " name'")
                    .with(SpillwayException.POSITION, text.length())
                    .with(SpillwayException.FOUND, "the end of the text")
                    .with(SpillwayException.EXPECTED, List.of("AS and a name"));
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.POINTER, item.pointer());
        }
    }

    /** A word, or a name in double quotes without Unicode escapes. */
    private static boolean plainName(ExpressionTokens tokens, Token token) {
        return token.kind() == Kind.WORD
                || (token.kind() == Kind.QUOTED_NAME && tokens.text(token).startsWith("\""));
    }

    private static String unquoted(ExpressionTokens tokens, Token token) {
        String text = tokens.text(token);
        return token.kind() == Kind.QUOTED_NAME
                ? text.substring(1, text.length() - 1).replace("\"\"", "\"")
                : text;
    }
}
