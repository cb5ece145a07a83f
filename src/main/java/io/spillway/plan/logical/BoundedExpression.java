package io.spillway.plan.logical;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.plan.document.PlanLimits;
import io.spillway.plan.logical.ExpressionTokens.Kind;
import io.spillway.plan.logical.ExpressionTokens.Token;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/**
 * The text of an expression or of a query, measured, and made fit for a recursive parser.
 *
 * <p>Calcite parses by recursive descent, and resolves a chain of operators in time that grows with
 * the square of its length, into a tree as deep as the chain is long. So, before it sees a text,
 * one pass over the tokens checks nesting, the length of chains, lists and numbers. Chains of AND
 * and OR, which programs write with thousands of terms, are no error: the pass groups all terms but
 * the first and the last with brackets, {@value #GROUP} terms each, groups of groups, which changes
 * neither their value (both are associative, and their order stays) nor which operand guards which,
 * and leaves a tree whose depth grows with the logarithm of the length. {@link #original} leads
 * positions back.
 */
final class BoundedExpression {

    /** Terms a bracket: chains up to this length stay as written. */
    private static final int GROUP = 16;

    /** Tokens between two brackets, commas, ANDs or ORs, for each level of depth allowed. */
    private static final int TOKENS_PER_LEVEL = 4;

    /** Decimals hold so many digits; what has more needs an exponent, which makes it a float64. */
    private static final int DECIMAL_DIGITS = 38;

    private static final int MAX_EXPONENT = 400;

    /**
     * Words that end a chain as brackets and commas do; but not the FROM of IS DISTINCT FROM. All
     * are reserved words, so that no column has such a name without quotes.
     */
    private static final Set<String> BORDERS =
            Set.of(
                    "WHEN",
                    "THEN",
                    "ELSE",
                    "AS",
                    "FROM",
                    "FOR",
                    "WITH",
                    "SELECT",
                    "VALUES",
                    "WHERE",
                    "JOIN",
                    "ON",
                    "UNION",
                    "INTERSECT",
                    "EXCEPT",
                    "MINUS",
                    "GROUP",
                    "HAVING",
                    "WINDOW",
                    "QUALIFY",
                    "ORDER",
                    "LIMIT",
                    "OFFSET",
                    "FETCH");

    /** Words of which a query has one for each of its parts. */
    private static final Set<String> PARTS =
            Set.of(
                    "SELECT",
                    "VALUES",
                    "TABLE",
                    "JOIN",
                    "UNNEST",
                    "UNION",
                    "INTERSECT",
                    "EXCEPT",
                    "MINUS");

    /** What a part may have of these words, about. */
    private static final int WORDS_PER_PART = 4;

    /** Types and values that nest without brackets; columns have none of them. */
    private static final Set<String> NESTED_TYPES = Set.of("ARRAY", "MAP", "ROW", "MULTISET");

    private final String text;
    private final ExpressionTokens tokens;
    private final PlanLimits limits;
    private final Deque<Frame> frames = new ArrayDeque<>();
    private final List<Insertion> insertions = new ArrayList<>();
    private String rewritten = "";
    private int nodes;
    private int parts;

    /** A bracket or quote put in before a character of the text. */
    private record Insertion(int offset, char bracket) {}

    /** Characters of the text. */
    private record Span(int start, int end) {}

    private BoundedExpression(ExpressionTokens tokens, String text, PlanLimits limits) {
        this.text = text;
        this.tokens = tokens;
        this.limits = limits;
    }

    /**
     * @throws SpillwayException {@code PLAN_TOO_LARGE}, {@code PLAN_TOO_DEEP}, {@code
     *     INVALID_EXPRESSION} for a number out of range and for brackets that do not match, {@code
     *     NOT_SUPPORTED} for nested values; all with a position
     */
    static BoundedExpression of(ExpressionTokens tokens, String text, PlanLimits limits) {
        BoundedExpression result = new BoundedExpression(tokens, text, limits);
        result.measure();
        result.rewrite();
        return result;
    }

    /** The text for the parser. */
    String rewritten() {
        return rewritten;
    }

    /** Length of the text as written. */
    int textLength() {
        return text.length();
    }

    ExpressionTokens tokens() {
        return tokens;
    }

    /** Words, literals and operators in it. */
    int nodes() {
        return nodes;
    }

    /** The position in the text as written for one in {@link #rewritten}. */
    int original(int position) {
        int before = 0;
        while (before < insertions.size() && insertions.get(before).offset + before < position) {
            before++;
        }
        return Math.min(position - before, text.length());
    }

    /** One open bracket or CASE: the boolean term under way, and the chain it belongs to. */
    private static final class Frame {
        final Token opener;
        final boolean isCase;
        final List<Span> conjuncts = new ArrayList<>();
        final List<Span> disjuncts = new ArrayList<>();
        int start = -1;
        int end;
        int termTokens;
        int betweens;
        int items = 1;

        Frame(Token opener, boolean isCase) {
            this.opener = opener;
            this.isCase = isCase;
        }
    }

    private void measure() {
        frames.push(new Frame(new Token(Kind.OPEN, 0, 0), false));
        List<Token> list = tokens.list();
        for (int i = 0; i < list.size(); i++) {
            Token token = list.get(i);
            switch (token.kind()) {
                case OPEN -> open(token, false);
                case CLOSE -> close(token, false);
                case COMMA -> comma(token);
                case NUMBER -> {
                    number(token);
                    atom(token);
                }
                case WORD ->
                        word(
                                i > 0 ? list.get(i - 1) : token,
                                token,
                                i + 1 < list.size() ? list.get(i + 1) : token);
                case QUOTED_NAME, STRING, OPERATOR -> atom(token);
            }
        }
        Frame last = frames.pop();
        endChain(last);
        if (!frames.isEmpty()) {
            throw unclosed(last, "the end of the text", text.length());
        }
    }

    private void word(Token previous, Token token, Token next) {
        String word = tokens.word(token);
        Frame frame = frames.element();
        if (PARTS.contains(word) && ++parts > WORDS_PER_PART * limits.steps()) {
            throw PlanLimits.tooLarge("steps", limits.steps(), "The query has too many parts")
                    .with(SpillwayException.POSITION, token.start());
        }
        if (word.equals("CASE")) {
            open(token, true);
        } else if (word.equals("END") && frame.isCase) {
            close(token, true);
        } else if (word.equals("OR")) {
            count();
            endDisjunct(frame);
        } else if (word.equals("AND") && frame.betweens == 0) {
            count();
            endTerm(frame);
        } else if (BORDERS.contains(word) && !tokens.isWord(previous, "DISTINCT")) {
            count();
            endChain(frame);
            if (word.equals("WHEN")) {
                item(frame, token, PlanLimits.MAX_CASE_BRANCHES, "A CASE has too many branches");
            }
        } else {
            if (word.equals("AND")) {
                frame.betweens--;
            } else if (word.equals("BETWEEN")) {
                frame.betweens++;
            } else if (isName(word, next)) {
                insertions.add(new Insertion(token.start(), '"'));
                insertions.add(new Insertion(token.end(), '"'));
            } else if (NESTED_TYPES.contains(word) && opens(next)) {
                throw new SpillwayException(
                                ErrorCode.NOT_SUPPORTED,
                                "%s values are not supported".formatted(word))
                        .with(SpillwayException.POSITION, token.start())
                        .with(SpillwayException.FOUND, tokens.text(token));
            }
            atom(token);
        }
    }

    /**
     * Words that Calcite reads as something else, although only a name can be meant: the tables
     * {@code left} and {@code right} of a join, the functions {@code FIRST} and {@code LAST}, which
     * it knows from the patterns of MATCH_RECOGNIZE alone, and functions that it reads in some
     * dialect's way.
     */
    private boolean isName(String word, Token next) {
        return switch (word) {
            case "LEFT", "RIGHT" -> tokens.text(next).equals(".");
            case "FIRST", "LAST", "CONTAINS", "DATE_DIFF", "DATE_TRUNC" -> next.kind() == Kind.OPEN;
            default -> false;
        };
    }

    private boolean opens(Token token) {
        return token.kind() == Kind.OPEN || tokens.text(token).equals("<");
    }

    private void count() {
        nodes++;
    }

    /** A token of the term under way. */
    private void atom(Token token) {
        count();
        extend(token);
    }

    private void extend(Token token) {
        Frame frame = frames.element();
        if (frame.start < 0) {
            frame.start = token.start();
        }
        frame.end = token.end();
        if (++frame.termTokens > TOKENS_PER_LEVEL * limits.expressionDepth()) {
            throw tooDeep("A chain of operators is too long", token, limits);
        }
    }

    private void open(Token token, boolean isCase) {
        count();
        extend(token);
        frames.push(new Frame(token, isCase));
        if (frames.size() - 1 > limits.expressionDepth()) {
            throw tooDeep("The expression is nested too deeply", token, limits);
        }
    }

    private void close(Token token, boolean isCase) {
        Frame frame = frames.pop();
        if (frames.isEmpty()) {
            throw new SpillwayException(
                            ErrorCode.INVALID_EXPRESSION, "The bracket was never opened")
                    .with(SpillwayException.POSITION, token.start())
                    .with(SpillwayException.FOUND, tokens.text(token));
        }
        if (frame.isCase != isCase) {
            throw unclosed(frame, tokens.text(token), token.start());
        }
        endChain(frame);
        extend(token);
    }

    private void comma(Token token) {
        Frame frame = frames.element();
        endChain(frame);
        item(frame, token, Integer.MAX_VALUE, "A list is too long");
    }

    private void item(Frame frame, Token token, int max, String tooLong) {
        int most = Math.min(max, limits.listValues());
        if (++frame.items > most) {
            throw PlanLimits.tooLarge("listValues", most, tooLong)
                    .with(SpillwayException.POSITION, token.start());
        }
    }

    private void endTerm(Frame frame) {
        if (frame.start >= 0) {
            frame.conjuncts.add(new Span(frame.start, frame.end));
        }
        frame.start = -1;
        frame.termTokens = 0;
    }

    private void endDisjunct(Frame frame) {
        endTerm(frame);
        frame.betweens = 0;
        if (!frame.conjuncts.isEmpty()) {
            frame.disjuncts.add(
                    new Span(frame.conjuncts.getFirst().start(), frame.conjuncts.getLast().end()));
            group(frame.conjuncts);
            frame.conjuncts.clear();
        }
    }

    private void endChain(Frame frame) {
        endDisjunct(frame);
        group(frame.disjuncts);
        frame.disjuncts.clear();
    }

    /**
     * The first and the last term stay outside: before the one may stand what is none of it, as the
     * ALL of a SELECT, and behind the other, as an alias without AS.
     */
    private void group(List<Span> terms) {
        if (terms.size() <= GROUP) {
            return;
        }
        List<Span> level = terms.subList(1, terms.size() - 1);
        while (level.size() > GROUP) {
            List<Span> above = new ArrayList<>();
            for (int i = 0; i < level.size(); i += GROUP) {
                Span first = level.get(i);
                Span last = level.get(Math.min(i + GROUP, level.size()) - 1);
                insertions.add(new Insertion(first.start(), '('));
                insertions.add(new Insertion(last.end(), ')'));
                above.add(new Span(first.start(), last.end()));
            }
            level = above;
        }
    }

    private void rewrite() {
        insertions.sort(Comparator.comparingInt(Insertion::offset));
        StringBuilder out = new StringBuilder(text.length() + insertions.size());
        int copied = 0;
        for (Insertion insertion : insertions) {
            out.append(text, copied, insertion.offset).append(insertion.bracket);
            copied = insertion.offset;
        }
        rewritten = out.append(text, copied, text.length()).toString();
    }

    private void number(Token token) {
        String number = tokens.text(token);
        if (number.length() > limits.literalDigits()) {
            throw PlanLimits.tooLarge(
                            "literalDigits", limits.literalDigits(), "A number is too long")
                    .with(SpillwayException.POSITION, token.start());
        }
        int exponent = Math.max(number.indexOf('e'), number.indexOf('E'));
        if (exponent < 0 && number.length() > DECIMAL_DIGITS) {
            String digits = number.replace(".", "").replaceFirst("^0+", "");
            if (digits.length() > DECIMAL_DIGITS) {
                throw outOfRange(
                        token,
                        "A decimal has at most %d digits, not %d"
                                .formatted(DECIMAL_DIGITS, digits.length()));
            }
        } else if (exponent >= 0) {
            String power = number.substring(exponent + 1).replaceFirst("^[+-]?0*", "");
            if (power.length() > 3
                    || (!power.isEmpty() && Integer.parseInt(power) > MAX_EXPONENT)
                    || Double.isInfinite(Double.parseDouble(number))) {
                throw outOfRange(token, "The number is out of the range of float64");
            }
        }
    }

    private SpillwayException outOfRange(Token token, String message) {
        return new SpillwayException(ErrorCode.INVALID_EXPRESSION, message)
                .with(SpillwayException.POSITION, token.start())
                .with(SpillwayException.FOUND, tokens.found(token.start()));
    }

    private static SpillwayException unclosed(Frame frame, String found, int position) {
        return new SpillwayException(
                        ErrorCode.INVALID_EXPRESSION,
                        frame.isCase
                                ? "The CASE at position %d has no END"
                                        .formatted(frame.opener.start())
                                : "The bracket at position %d is not closed"
                                        .formatted(frame.opener.start()))
                .with(SpillwayException.POSITION, position)
                .with(SpillwayException.FOUND, found)
                .with(SpillwayException.EXPECTED, List.of(frame.isCase ? "END" : ")"));
    }

    private static SpillwayException tooDeep(String what, Token token, PlanLimits limits) {
        return PlanLimits.tooDeep("expressionDepth", limits.expressionDepth(), what)
                .with(SpillwayException.POSITION, token.start());
    }
}
