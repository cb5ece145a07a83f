package io.spillway.scan.csv;

import io.spillway.batch.OffHeap;
import io.spillway.scan.text.Swar;

/**
 * Where lines end that end a record, from the middle of a text on. In RFC 4180's dialect all that a
 * reader has to know is whether quotes so far were odd in number; with escapes or comments it is
 * one of five states.
 */
final class CsvBoundaries {

    /** At the beginning of a record, or anywhere outside of quotes where there are no comments. */
    private static final int OUTSIDE = 0;

    private static final int QUOTED = 1;
    private static final int INSIDE_RECORD = 2;
    private static final int COMMENT = 3;
    private static final int ESCAPED = 4;

    private final CsvDialect dialect;
    private final boolean counts;

    CsvBoundaries(CsvDialect dialect) {
        this.dialect = dialect;
        this.counts = dialect.doublesQuotes() && !dialect.hasComments();
    }

    /** The state behind bytes. */
    int state(int before, long from, long to) {
        if (!counts) {
            int state = before;
            for (long at = from; at < to; at++) {
                state = next(state, OffHeap.getByte(at));
            }
            return state;
        }
        return dialect.hasQuotes()
                ? before ^ (int) (Swar.count(from, to, dialect.quote()) & 1)
                : OUTSIDE;
    }

    /** The address behind the first line's end that ends a record, or -1. */
    long afterRecord(int state, long from, long to) {
        int now = state;
        for (long at = from; at < to; at++) {
            byte b = OffHeap.getByte(at);
            if (b == '\n' && now != QUOTED && now != ESCAPED) {
                return at + 1;
            }
            now = next(now, b);
        }
        return -1;
    }

    private int next(int state, byte b) {
        return switch (state) {
            case QUOTED -> {
                if (b == dialect.quote()) {
                    yield counts ? OUTSIDE : INSIDE_RECORD;
                }
                yield b == dialect.escape() ? ESCAPED : QUOTED;
            }
            case ESCAPED -> QUOTED;
            case COMMENT -> b == '\n' ? OUTSIDE : COMMENT;
            default -> {
                if (b == '\n') {
                    yield OUTSIDE;
                }
                if (b == dialect.quote() && dialect.hasQuotes()) {
                    yield QUOTED;
                }
                if (state == OUTSIDE && dialect.hasComments() && b == dialect.comment()) {
                    yield COMMENT;
                }
                yield counts ? OUTSIDE : INSIDE_RECORD;
            }
        };
    }
}
