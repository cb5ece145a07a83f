package io.spillway.expression;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A compiled LIKE pattern. The pattern falls apart at its {@code %} into pieces of literal bytes
 * and {@code _}; the first is matched at the start of the text, the last at its end, and each one
 * between at the first place that it fits. That is never wrong for LIKE, so nothing is tried again:
 * the time is at most text times pattern. A pattern without {@code _} compares bytes only.
 */
final class LikeMatcher {

    private final LikePiece first;
    private final List<LikePiece> middle;

    /** What stands behind the last percent sign; null if there is none. */
    private final @Nullable LikePiece last;

    private LikeMatcher(LikePiece first, List<LikePiece> middle, @Nullable LikePiece last) {
        this.first = first;
        this.middle = List.copyOf(middle);
        this.last = last;
    }

    /**
     * Reads a pattern.
     *
     * @param escape one code point that makes the next one literal, or null for none
     * @throws SpillwayException {@code INVALID_EXPRESSION} if the escape is not one code point, or
     *     stands at the end of the pattern
     */
    static LikeMatcher compile(byte[] pattern, byte @Nullable [] escape) {
        int[] codePoints = new String(pattern, StandardCharsets.UTF_8).codePoints().toArray();
        int escapePoint = escape == null ? -1 : escapePoint(escape);
        List<LikePiece> pieces = new ArrayList<>();
        LikePiece.Builder piece = new LikePiece.Builder();
        for (int i = 0; i < codePoints.length; i++) {
            int c = codePoints[i];
            if (c == escapePoint) {
                i++;
                if (i == codePoints.length) {
                    throw new SpillwayException(
                            ErrorCode.INVALID_EXPRESSION,
                            "A LIKE pattern ends with its escape character");
                }
                piece.literal(codePoints[i]);
            } else if (c == '%') {
                pieces.add(piece.build());
                piece = new LikePiece.Builder();
            } else if (c == '_') {
                piece.any();
            } else {
                piece.literal(c);
            }
        }
        pieces.add(piece.build());
        LikePiece first = pieces.removeFirst();
        LikePiece last = pieces.isEmpty() ? null : pieces.removeLast();
        pieces.removeIf(LikePiece::isEmpty);
        return new LikeMatcher(first, pieces, last);
    }

    private static int escapePoint(byte[] escape) {
        String text = new String(escape, StandardCharsets.UTF_8);
        if (text.codePointCount(0, text.length()) != 1) {
            throw new SpillwayException(
                    ErrorCode.INVALID_EXPRESSION,
                    "The escape of LIKE must be one character, not '" + text + "'");
        }
        return text.codePointAt(0);
    }

    boolean matches(long address, int length) {
        long end = address + length;
        long at = first.matchAt(address, end);
        if (last == null || at < 0) {
            return at == end;
        }
        long limit = last.matchBefore(at, end);
        if (limit < 0) {
            return false;
        }
        for (LikePiece piece : middle) {
            at = piece.find(at, limit);
            if (at < 0) {
                return false;
            }
        }
        return true;
    }
}
