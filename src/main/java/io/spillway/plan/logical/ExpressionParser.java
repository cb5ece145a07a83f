package io.spillway.plan.logical;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.avatica.util.Quoting;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SqlConformanceEnum;

/**
 * Calcite's parser for scalar expressions and queries: names keep their case, double quotes quote,
 * {@code !=} and {@code %} are allowed. Its errors become ours.
 */
final class ExpressionParser {

    private static final SqlParser.Config CONFIG =
            SqlParser.config()
                    .withUnquotedCasing(Casing.UNCHANGED)
                    .withQuotedCasing(Casing.UNCHANGED)
                    .withQuoting(Quoting.DOUBLE_QUOTE)
                    .withCaseSensitive(true)
                    .withIdentifierMaxLength(Integer.MAX_VALUE)
                    .withConformance(SqlConformanceEnum.LENIENT);

    /** What is worth naming among the hundreds of tokens that could often stand somewhere. */
    private static final List<String> TOKENS =
            List.of(
                    "(", ")", ",", "+", "-", "*", "/", "%", "||", "=", "<>", "<", "<=", ">", ">=",
                    "AND", "OR", "NOT", "IS", "IN", "BETWEEN", "LIKE", "AS", "THEN", "END",
                    "SELECT", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "BY", "UNION", "JOIN",
                    "ON", "OVER", "LIMIT", "OFFSET");

    private ExpressionParser() {}

    /**
     * @param scope names of columns; one that is also a reserved word is suggested in quotes
     * @throws SpillwayException {@code INVALID_EXPRESSION} with position, what was found and what
     *     was expected
     */
    static SqlNode parse(BoundedExpression expression, Collection<String> scope) {
        return parse(expression, scope, 0);
    }

    /**
     * Parses an expression as if it stood below other texts.
     *
     * @param firstLine lines before it
     * @throws SpillwayException as {@link #parse(BoundedExpression, Collection)}
     */
    static SqlNode parse(BoundedExpression expression, Collection<String> scope, int firstLine) {
        if (expression.tokens().list().isEmpty()) {
            throw new SpillwayException(ErrorCode.INVALID_EXPRESSION, "The expression is empty")
                    .with(SpillwayException.POSITION, 0)
                    .with(SpillwayException.FOUND, "the end of the text")
                    .with(SpillwayException.EXPECTED, List.of("an expression"));
        }
        try {
            return SqlParser.create("\n".repeat(firstLine) + expression.rewritten(), CONFIG)
                    .parseExpression();
        } catch (SqlParseException e) {
            throw syntax(e, expression, scope, firstLine);
        }
    }

    /**
     * Parses a query.
     *
     * @param scope names of tables and columns, asked for if something is wrong
     * @throws SpillwayException as {@link #parse}
     */
    static SqlNode parseQuery(BoundedExpression query, Supplier<Collection<String>> scope) {
        if (query.tokens().list().isEmpty()) {
            throw new SpillwayException(ErrorCode.INVALID_EXPRESSION, "The query is empty")
                    .with(SpillwayException.POSITION, 0)
                    .with(SpillwayException.FOUND, "the end of the text")
                    .with(SpillwayException.EXPECTED, List.of("SELECT"));
        }
        try {
            return SqlParser.create(query.rewritten(), CONFIG).parseQuery();
        } catch (SqlParseException e) {
            throw syntax(e, query, scope.get(), 0);
        }
    }

    /**
     * Parses the frame of a window.
     *
     * @param firstLine lines before it, at least one
     * @return a window with the frame, and an order by the number 1
     * @throws SpillwayException as {@link #parse(BoundedExpression, Collection)}
     */
    static SqlWindow parseFrame(BoundedExpression frame, int firstLine) {
        // All brackets of the text are closed in it, so that it cannot end this one.
        String before = "\n".repeat(firstLine - 1) + "COUNT(*) OVER (ORDER BY 1\n";
        try {
            SqlCall over =
                    (SqlCall)
                            SqlParser.create(before + frame.rewritten() + "\n)", CONFIG)
                                    .parseExpression();
            return over.operand(1);
        } catch (SqlParseException e) {
            throw syntax(e, frame, List.of(), firstLine);
        }
    }

    /** The position, in the text as written, of what the parser knows by line and column. */
    static int position(SqlParserPos pos, BoundedExpression expression) {
        return position(pos, expression, 0);
    }

    /**
     * The same for a text that was parsed as if it stood below others.
     *
     * @param firstLine lines before it
     */
    static int position(SqlParserPos pos, BoundedExpression expression, int firstLine) {
        String text = expression.rewritten();
        int at = 0;
        int last = pos.getLineNum() - firstLine;
        for (int line = 1; line < last && at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '\n' || (c == '\r' && !text.startsWith("\n", at + 1))) {
                line++;
            }
        }
        int offset = Math.min(at + Math.max(0, pos.getColumnNum() - 1), text.length());
        return expression.original(offset);
    }

    private static SpillwayException syntax(
            SqlParseException e,
            BoundedExpression expression,
            Collection<String> scope,
            int firstLine) {
        String message = e.getMessage() == null ? "" : e.getMessage();
        boolean atEnd = message.contains("<EOF>\"");
        int position =
                atEnd || e.getPos() == null
                        ? expression.textLength()
                        : position(e.getPos(), expression, firstLine);
        String found = expression.tokens().found(position);
        SpillwayException failure =
                new SpillwayException(
                                ErrorCode.INVALID_EXPRESSION,
                                "Found %s at position %d, where no such thing can stand"
                                        .formatted(
                                                position == expression.textLength()
                                                        ? found
                                                        : "'" + found + "'",
                                                position),
                                e)
                        .with(SpillwayException.POSITION, position)
                        .with(SpillwayException.FOUND, found)
                        .with(SpillwayException.EXPECTED, expected(e));
        return scope.contains(found) && Reserved.WORDS.isReservedWord(upper(found))
                ? failure.with(SpillwayException.SUGGESTION, '"' + found + '"')
                : failure;
    }

    private static String upper(String word) {
        return word.toUpperCase(Locale.ROOT);
    }

    /** The words that cannot be names without quotes; asked for only when something is wrong. */
    private static final class Reserved {
        private static final SqlAbstractParserImpl.Metadata WORDS =
                SqlParser.create("", CONFIG).getMetadata();
    }

    /** What could have stood there: kinds of things and symbols, but not hundreds of keywords. */
    private static List<String> expected(SqlParseException e) {
        Collection<String> names = e.getExpectedTokenNames();
        List<String> expected = new ArrayList<>();
        if (names.contains("<IDENTIFIER>")) {
            expected.add("a name");
        }
        if (names.contains("<QUOTED_STRING>")) {
            expected.add("a text");
        }
        if (names.contains("<UNSIGNED_INTEGER_LITERAL>")) {
            expected.add("a number");
        }
        for (String token : TOKENS) {
            if (names.contains('"' + token + '"')) {
                expected.add(token);
            }
        }
        if (names.contains("<EOF>")) {
            expected.add("the end of the text");
        }
        return List.copyOf(expected);
    }
}
