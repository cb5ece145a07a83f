package io.spillway.expression;

import io.spillway.batch.OffHeap;
import io.spillway.error.SpillwayException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * REGEXP_REPLACE: every match gives way to a replacement, from left to right. An empty match right
 * behind another match does not count.
 */
final class RegexReplacement implements TextValue.Operator {

    /** A part of the replacement: bytes, or what a group of the match has. */
    private sealed interface Piece {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Bytes(byte[] bytes) implements Piece {}

    private record Group(int number) implements Piece {}

    private final Regex regex;
    private final List<Piece> pieces;

    private RegexReplacement(Regex regex, List<Piece> pieces) {
        this.regex = regex;
        this.pieces = List.copyOf(pieces);
    }

    /**
     * Reads a replacement: {@code \0} to {@code \9} are the match and its groups, {@code \\} is a
     * backslash.
     *
     * @throws SpillwayException {@code INVALID_EXPRESSION} for other escapes, and for groups that
     *     the pattern does not have
     */
    static RegexReplacement of(Regex regex, String replacement) {
        List<Piece> pieces = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        int at = 0;
        while (at < replacement.length()) {
            char c = replacement.charAt(at++);
            if (c != '\\') {
                literal.append(c);
                continue;
            }
            char escaped = at < replacement.length() ? replacement.charAt(at++) : ' ';
            if (escaped == '\\') {
                literal.append(escaped);
            } else if (escaped >= '0' && escaped <= '9' && escaped - '0' <= regex.groups()) {
                pieces.add(bytes(literal));
                literal.setLength(0);
                pieces.add(new Group(escaped - '0'));
            } else {
                throw Regex.invalid(
                        "In the replacement '%s', a backslash needs a group from 0 to %d or a backslash behind it"
                                .formatted(replacement, Math.min(9, regex.groups())));
            }
        }
        pieces.add(bytes(literal));
        return new RegexReplacement(regex, pieces);
    }

    private static Bytes bytes(CharSequence text) {
        return new Bytes(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void write(TextArguments a, BytesOutput out) {
        long text = a.address(0);
        regex.reset(text, a.length(0));
        int copied = 0;
        int from = 0;
        int lastEnd = -1;
        while (from <= regex.length() && regex.find(from)) {
            int start = regex.start(0);
            int end = regex.end(0);
            if (end > start || start != lastEnd) {
                copy(text, copied, start, out);
                write(text, out);
                copied = end;
                lastEnd = end;
            }
            from = end > start ? end : regex.next(end);
        }
        copy(text, copied, regex.length(), out);
        out.end(0);
    }

    private void copy(long text, int from, int to, BytesOutput out) {
        int start = regex.offset(from);
        out.add(text + start, regex.offset(to) - start);
    }

    private void write(long text, BytesOutput out) {
        for (Piece piece : pieces) {
            switch (piece) {
                case Bytes(byte[] bytes) -> {
                    OffHeap.write(bytes, 0, out.reserve(bytes.length), bytes.length);
                    out.advance(bytes.length);
                }
                case Group(int number) -> {
                    int start = regex.start(number);
                    if (start >= 0) {
                        copy(text, start, regex.end(number), out);
                    }
                }
            }
        }
    }
}
