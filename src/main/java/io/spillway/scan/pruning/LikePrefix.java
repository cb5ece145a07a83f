package io.spillway.scan.pruning;

import io.spillway.batch.ColumnType;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.expression.ExpressionCompiler;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a LIKE pattern asks of the start of a text.
 *
 * @param bytes what every match starts with, as UTF-8
 * @param rest what may follow
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LikePrefix(byte[] bytes, Rest rest) {

    /** What stands in the pattern behind the prefix. */
    enum Rest {
        NOTHING,
        /** One percent sign: anything matches. */
        ANYTHING,
        /** More: what starts with the prefix may still not match. */
        MORE
    }

    /** The prefix of a call of LIKE, or null if it has no pattern or a malformed one. */
    static @Nullable LikePrefix of(Expression.Call like) {
        String pattern = text(like.arguments().get(1));
        String escape = like.arguments().size() > 2 ? text(like.arguments().get(2)) : "";
        if (pattern == null
                || escape == null
                || (like.arguments().size() > 2 && escape.codePointCount(0, escape.length()) != 1)
                || !(like.arguments().getFirst().type() instanceof ColumnType.Utf8)) {
            return null;
        }
        return of(pattern, escape.isEmpty() ? -1 : escape.codePointAt(0));
    }

    private static @Nullable LikePrefix of(String pattern, int escape) {
        StringBuilder prefix = new StringBuilder();
        int at = 0;
        while (at < pattern.length()) {
            int c = pattern.codePointAt(at);
            if (c == escape) {
                at += Character.charCount(c);
                if (at == pattern.length()) {
                    return null;
                }
                c = pattern.codePointAt(at);
            } else if (c == '%' || c == '_') {
                boolean last = c == '%' && at == pattern.length() - 1;
                return new LikePrefix(utf8(prefix), last ? Rest.ANYTHING : Rest.MORE);
            }
            prefix.appendCodePoint(c);
            at += Character.charCount(c);
        }
        return new LikePrefix(utf8(prefix), Rest.NOTHING);
    }

    private static byte[] utf8(CharSequence text) {
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static @Nullable String text(Expression e) {
        if (!Constants.isConstant(e) || !(e.type() instanceof ColumnType.Utf8)) {
            return null;
        }
        try {
            return ExpressionCompiler.constant(e).value();
        } catch (SpillwayException _) {
            return null;
        }
    }

    boolean mayMatch(ValueSet set) {
        if (rest == Rest.NOTHING) {
            return set.mayBe(new Scalar.Bytes(bytes));
        }
        return set.overlaps(new Interval(new Scalar.Bytes(bytes), lastWithPrefix()));
    }

    boolean mayMiss(ValueSet set) {
        return switch (rest) {
            case NOTHING -> set.mayBeValue() && !new Scalar.Bytes(bytes).equals(set.only());
            case ANYTHING -> !set.intervals().stream().allMatch(this::hasPrefix);
            case MORE -> set.mayBeValue();
        };
    }

    /** Whether all values between have the prefix: then its ends have it. */
    private boolean hasPrefix(Interval interval) {
        return bytes.length == 0
                || (interval.low() instanceof Scalar.Bytes low
                        && interval.high() instanceof Scalar.Bytes high
                        && low.startsWith(bytes)
                        && high.startsWith(bytes));
    }

    /**
     * A bound above all texts that start with the prefix: the prefix with its last byte that is not
     * the greatest one raised, and cut there; null if there is none.
     */
    private Scalar.@Nullable Bytes lastWithPrefix() {
        for (int length = bytes.length; length > 0; length--) {
            if (bytes[length - 1] != -1) {
                byte[] bound = Arrays.copyOf(bytes, length);
                bound[length - 1]++;
                return new Scalar.Bytes(bound);
            }
        }
        return null;
    }
}
