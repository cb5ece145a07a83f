package io.spillway.plan.logical;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.plan.logical.ExpressionTokens.Token;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** Where the parts of a query stand in its text, for errors. */
final class QueryText {

    private final BoundedExpression text;

    QueryText(BoundedExpression text) {
        this.text = text;
    }

    BoundedExpression text() {
        return text;
    }

    /** The position of a part's first character. */
    int position(SqlNode part) {
        return ExpressionParser.position(part.getParserPosition(), text);
    }

    /** How many words, literals and operators a part has. */
    int nodes(SqlNode part) {
        int start = position(part);
        int end = end(part);
        return (int)
                text.tokens().list().stream()
                        .filter(t -> t.start() >= start && t.start() <= end)
                        .count();
    }

    private int end(SqlNode part) {
        SqlParserPos pos = part.getParserPosition();
        return ExpressionParser.position(
                new SqlParserPos(pos.getEndLineNum(), pos.getEndColumnNum()), text);
    }

    SpillwayException error(ErrorCode code, String message, SqlNode part) {
        return error(code, message, position(part));
    }

    private SpillwayException error(ErrorCode code, String message, int position) {
        return new SpillwayException(code, message)
                .with(SpillwayException.POSITION, position)
                .with(SpillwayException.FOUND, text.tokens().found(position));
    }

    /** The error for what queries cannot have, where it stands. */
    SpillwayException notSupported(String what, SqlNode part) {
        return error(ErrorCode.NOT_SUPPORTED, what + " is not supported in a query", part);
    }

    /** The same for a clause that begins with a word, at the word if it is found before a part. */
    SpillwayException notSupportedBefore(String word, SqlNode part) {
        Token found = null;
        for (Token token : text.tokens().list()) {
            if (token.start() > position(part)) {
                break;
            }
            found = text.tokens().isWord(token, word) ? token : found;
        }
        return notSupportedAt(word, found, part);
    }

    /** The same, at the word if it is found behind a part. */
    SpillwayException notSupportedAfter(SqlNode part, String word) {
        int end = end(part);
        Token found = null;
        for (Token token : text.tokens().list()) {
            if (token.start() > end && text.tokens().isWord(token, word)) {
                found = token;
                break;
            }
        }
        return notSupportedAt(word, found, part);
    }

    private SpillwayException notSupportedAt(String word, @Nullable Token token, SqlNode part) {
        return error(
                ErrorCode.NOT_SUPPORTED,
                word + " is not supported in a query",
                token == null ? position(part) : token.start());
    }
}
