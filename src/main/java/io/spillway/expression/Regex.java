package io.spillway.expression;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.spillway.batch.OffHeap;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;

/**
 * A regular expression in RE2's syntax, over UTF-8 text. RE2/J simulates an automaton and never
 * tries a way twice: a search takes time in proportion to text times program, and the program is
 * bounded here. One thread at a time.
 *
 * <p>Places in a text are those of RE2/J, and {@link #offset} tells their bytes. Texts in ASCII are
 * searched as bytes; all others as UTF-16, since RE2/J (1.8) takes any place behind a byte beyond
 * ASCII for the start of a text. Bytes that are not valid UTF-8 are U+FFFD to a pattern.
 */
final class Regex {

    private static final int MAX_LENGTH = 4_000;
    private static final int MAX_INSTRUCTIONS = 10_000;
    private static final int MAX_DEPTH = 200;

    private final Pattern pattern;
    private final Matcher matcher;
    private char[] chars = new char[0];

    /** Byte at which each character starts, and the end. */
    private int[] offsets = new int[1];

    private boolean ascii;
    private int length;

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
    void reset(long address, int bytes) {
        byte[] text = new byte[bytes];
        OffHeap.read(address, text, 0, bytes);
        ascii = true;
        for (byte b : text) {
            ascii &= b >= 0;
        }
        if (ascii) {
            length = bytes;
            matcher.reset(text);
        } else {
            decode(address, address + bytes);
            matcher.reset(new String(chars, 0, length));
        }
    }

    private void decode(long address, long end) {
        int bytes = (int) (end - address);
        if (chars.length < bytes) {
            // No code point has more characters than bytes.
            chars = new char[bytes];
            offsets = new int[bytes + 1];
        }
        length = 0;
        long at = address;
        while (at < end) {
            long next = Utf8.next(at, end);
            int point = Utf8.decode(at, (int) (next - at));
            int count = Character.toChars(point < 0 ? 0xfffd : point, chars, length);
            for (int i = 0; i < count; i++) {
                offsets[length++] = (int) (at - address);
            }
            at = next;
        }
        offsets[length] = bytes;
    }

    /** The place behind the last character. */
    int length() {
        return length;
    }

    /** Where the byte of a place is, counted from the text's start. */
    int offset(int place) {
        return ascii ? place : offsets[place];
    }

    /** The place behind the character at one. */
    int next(int place) {
        boolean pair = !ascii && place + 1 < length && Character.isLowSurrogate(chars[place + 1]);
        return place + (pair ? 2 : 1);
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
