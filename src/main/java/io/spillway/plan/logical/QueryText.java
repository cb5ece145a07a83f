package io.spillway.plan.logical;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * Where the parts of a parsed tree stand in the texts that it was parsed from, for errors. The
 * texts of a step become one tree: each was parsed as if it stood so many lines below the one
 * before, so that a line tells which text it is of. Not thread-safe.
 */
final class QueryText {

    /**
     * One of the texts.
     *
     * @param firstLine lines of all texts before it
     * @param pointer JSON Pointer to it; null if that is known elsewhere
     */
    record Part(BoundedExpression text, int firstLine, @Nullable String pointer) {}

    private final List<Part> parts = new ArrayList<>();
    private int lines;

    private QueryText(int lines) {
        this.lines = lines;
    }

    /** No text yet; the first one will have a line before it. */
    static QueryText ofParts() {
        return new QueryText(1);
    }

    /** A text that stands alone. */
    QueryText(BoundedExpression text) {
        this(0);
        add(text, null);
    }

    /** Adds a text, which is to be parsed with as many empty lines before it as the part says. */
    Part add(BoundedExpression text, @Nullable String pointer) {
        Part part = new Part(text, lines, pointer);
        parts.add(part);
        lines += 1 + (int) text.rewritten().chars().filter(c -> c == '\n' || c == '\r').count();
        return part;
    }

    private Part part(SqlParserPos pos) {
        Part found = parts.getFirst();
        // Later parts begin further down.
        for (Part part : parts) {
            found = part.firstLine < pos.getLineNum() ? part : found;
        }
        return found;
    }

    /** The text that a node stands in. */
    BoundedExpression text(SqlNode node) {
        return part(node.getParserPosition()).text;
    }

    /** JSON Pointer to the text that a node stands in, if it is known. */
    @Nullable String pointer(SqlNode node) {
        return part(node.getParserPosition()).pointer;
    }

    /** The position of a node's first character in its text. */
    int position(SqlNode node) {
        return position(node.getParserPosition());
    }

    private int position(SqlParserPos pos) {
        Part part = part(pos);
        return ExpressionParser.position(pos, part.text, part.firstLine);
    }

    /** How many words, literals and operators a node has. */
    int nodes(SqlNode node) {
        SqlParserPos pos = node.getParserPosition();
        int start = position(pos);
        int end = position(new SqlParserPos(pos.getEndLineNum(), pos.getEndColumnNum()));
        return (int)
                part(pos).text.tokens().list().stream()
                        .filter(t -> t.start() >= start && t.start() <= end)
                        .count();
    }

    /** An error with its place. */
    SpillwayException error(ErrorCode code, String message, SqlNode node) {
        return at(node.getParserPosition(), new SpillwayException(code, message));
    }

    /** The error for what queries cannot have, where it stands. */
    SpillwayException notSupported(String what, SqlNode node) {
        return error(ErrorCode.NOT_SUPPORTED, what + " is not supported in a query", node);
    }

    /** Adds the place of the token that stands so many before or behind one. */
    SpillwayException beside(SqlParserPos pos, int tokens, SpillwayException error) {
        Part part = part(pos);
        int position = position(pos);
        int at = 0;
        while (at + 1 < part.text.tokens().list().size()
                && part.text.tokens().list().get(at).start() < position) {
            at++;
        }
        int beside = Math.clamp(at + tokens, 0, part.text.tokens().list().size() - 1);
        return error.with(SpillwayException.POSITION, part.text.tokens().list().get(beside).start())
                .with(SpillwayException.POINTER, part.pointer);
    }

    /** Adds its place to an error that has none; what stands in no text has no place. */
    SpillwayException at(SqlParserPos pos, SpillwayException error) {
        if (pos.getLineNum() == 0) {
            return error;
        }
        Part part = part(pos);
        int position = position(pos);
        return error.with(SpillwayException.POSITION, position)
                .with(SpillwayException.FOUND, part.text.tokens().found(position))
                .with(SpillwayException.POINTER, part.pointer);
    }
}
