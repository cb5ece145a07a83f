package io.spillway.expression;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.spillway.batch.OffHeap;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;

/**
 * A regular expression in RE2's syntax, over UTF-8 bytes. RE2/J simulates an automaton and never
 * tries a way twice: a search takes time in proportion to text times program, and the program is
 * bounded here. One thread at a time.
 */
final class Regex {

    private static final int MAX_LENGTH = 4_000;
    private static final int MAX_INSTRUCTIONS = 10_000;
    private static final int MAX_DEPTH = 200;

    private final Pattern pattern;
    private final Matcher matcher;

    private Regex(Pattern pattern) {
        this.pattern = pattern;
        this.matcher = pattern.matcher(new byte[0]);
    }

    /**
     * Reads a pattern.
     *
     * @throws SpillwayException {@code INVALID_EXPRESSION} if it is malformed or too large
     */
    static Regex compile(String pattern) {
        if (pattern.length() > MAX_LENGTH) {
            throw invalid(
                    "A regular expression has at most %d characters, not %d"
                            .formatted(MAX_LENGTH, pattern.length()));
        }
        if (RegexSize.of(pattern) > MAX_INSTRUCTIONS || RegexSize.depth(pattern) > MAX_DEPTH) {
            throw invalid(
                    "The regular expression '%s' repeats or nests too much".formatted(pattern));
        }
        try {
            return new Regex(Pattern.compile(pattern));
        } catch (PatternSyntaxException e) {
            throw new SpillwayException(
                            ErrorCode.INVALID_EXPRESSION,
                            "'%s' is not a regular expression: %s"
                                    .formatted(pattern, e.getDescription()),
                            e)
                    .with(SpillwayException.FOUND, e.getPattern());
        }
    }

    static SpillwayException invalid(String message) {
        return new SpillwayException(ErrorCode.INVALID_EXPRESSION, message);
    }

    int groups() {
        return pattern.groupCount();
    }

    /** Sets the text to search in. */
    void reset(long address, int length) {
        byte[] text = new byte[length];
        OffHeap.read(address, text, 0, length);
        matcher.reset(text);
    }

    /** Is there a match? */
    boolean find() {
        return matcher.find();
    }

    /** Is there a match at or behind a place? */
    boolean find(int from) {
        return matcher.find(from);
    }

    /** Where the match, or what a group has of it, starts; -1 if the group has nothing. */
    int start(int group) {
        return matcher.start(group);
    }

    /** Where it ends. */
    int end(int group) {
        return matcher.end(group);
    }
}
