package io.spillway.plan.logical;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The tokens of an expression's text, split as Calcite's lexer splits them (comments left out). A
 * scan in one loop, so that a text can be measured before a recursive parser sees it.
 */
final class ExpressionTokens {

    enum Kind {
        WORD,
        QUOTED_NAME,
        STRING,
        NUMBER,
        OPEN,
        CLOSE,
        COMMA,
        OPERATOR
    }

    /** One token: characters {@code [start, end)} of the text. */
    record Token(Kind kind, int start, int end) {}

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private ExpressionTokens(String text) {
        this.text = text;
    }

    /**
     * @throws SpillwayException {@code INVALID_EXPRESSION} with a position for a quote or comment
     *     that is not closed
     */
    static ExpressionTokens of(String text) {
        ExpressionTokens result = new ExpressionTokens(text);
        result.scan();
        return result;
    }

    List<Token> list() {
        return tokens;
    }

    String text(Token token) {
        return text.substring(token.start, token.end);
    }

    /** Is the token this word, in whatever case? */
    boolean isWord(Token token, String word) {
        return token.kind == Kind.WORD
                && token.end - token.start == word.length()
                && text.regionMatches(true, token.start, word, 0, word.length());
    }

    /** The word in upper case; for tokens of other kinds an empty text. */
    String word(Token token) {
        return token.kind == Kind.WORD ? text(token).toUpperCase(Locale.ROOT) : "";
    }

    /** What stands at a position, for an error: the token there, or the end. */
    String found(int position) {
        for (Token token : tokens) {
            if (position < token.end) {
                String found = text(token);
                return found.length() <= 60 ? found : found.substring(0, 57) + "...";
            }
        }
        return "the end of the text";
    }

    private void scan() {
        while (at < text.length()) {
            char c = text.charAt(at);
            int start = at;
            if (Character.isWhitespace(c)) {
                at++;
            } else if (text.startsWith("--", at) || text.startsWith("//", at)) {
                skipLine();
            } else if (text.startsWith("/*", at)) {
                at = 2 + closing("*/", at + 2, "comment");
            } else if (c == '\'') {
                quoted('\'', false, "text");
                add(Kind.STRING, start);
            } else if (c == '"') {
                quoted('"', false, "quoted name");
                add(Kind.QUOTED_NAME, start);
            } else if (digit(at) || (c == '.' && digit(at + 1))) {
                number();
                add(Kind.NUMBER, start);
            } else if (wordPart(c)) {
                word(start);
            } else {
                at++;
                add(
                        switch (c) {
                            case '(', '[', '{' -> Kind.OPEN;
                            case ')', ']', '}' -> Kind.CLOSE;
                            case ',' -> Kind.COMMA;
                            default -> Kind.OPERATOR;
                        },
                        start);
            }
        }
    }

    private void add(Kind kind, int start) {
        tokens.add(new Token(kind, start, at));
    }

    /**
     * A word, or the prefix of a text or quoted name: {@code X'00'}, {@code E'\n'}, {@code U&'…'}.
     */
    private void word(int start) {
        while (at < text.length() && wordPart(text.charAt(at))) {
            at++;
        }
        boolean one = at == start + 1;
        char first = Character.toUpperCase(text.charAt(start));
        if (one && first == 'U' && (text.startsWith("&'", at) || text.startsWith("&\"", at))) {
            at++;
            char quote = text.charAt(at);
            quoted(quote, false, "text");
            add(quote == '"' ? Kind.QUOTED_NAME : Kind.STRING, start);
        } else if (at < text.length()
                && text.charAt(at) == '\''
                && (first == '_' || (one && "XNE".indexOf(first) >= 0))) {
            quoted('\'', one && first == 'E', "text");
            add(Kind.STRING, start);
        } else {
            add(Kind.WORD, start);
        }
    }

    private static boolean wordPart(char c) {
        return Character.isJavaIdentifierPart(c) || Character.isSurrogate(c);
    }

    private boolean digit(int index) {
        return index < text.length() && text.charAt(index) >= '0' && text.charAt(index) <= '9';
    }

    private void number() {
        digits();
        if (at < text.length() && text.charAt(at) == '.') {
            at++;
            digits();
        }
        if (at < text.length() && Character.toUpperCase(text.charAt(at)) == 'E') {
            int sign = at + 1;
            boolean signed =
                    sign < text.length() && (text.charAt(sign) == '+' || text.charAt(sign) == '-');
            if (digit(signed ? sign + 1 : sign)) {
                at = signed ? sign + 1 : sign;
                digits();
            }
        }
    }

    private void digits() {
        while (digit(at)) {
            at++;
        }
    }

    /** Goes past a quoted text; a doubled quote stands for one. */
    private void quoted(char quote, boolean backslash, String what) {
        int start = at;
        at++;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (backslash && c == '\\') {
                at += 2;
            } else if (c != quote) {
                at++;
            } else if (at + 1 < text.length() && text.charAt(at + 1) == quote) {
                at += 2;
            } else {
                at++;
                return;
            }
        }
        throw open(what, start);
    }

    private int closing(String end, int from, String what) {
        int index = text.indexOf(end, from);
        if (index < 0) {
            throw open(what, at);
        }
        return index;
    }

    private void skipLine() {
        while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
            at++;
        }
    }

    private static SpillwayException open(String what, int start) {
        return new SpillwayException(
                        ErrorCode.INVALID_EXPRESSION,
                        "The %s that begins at position %d is not closed".formatted(what, start))
                .with(SpillwayException.POSITION, start)
                .with(SpillwayException.FOUND, "the end of the text");
    }
}
