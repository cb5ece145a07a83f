package io.spillway.operator.sort;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges sorted parts by a tree of losers: each inner node keeps the cursor that lost there, so
 * that a new row is compared once a level on its way up (Knuth, "The Art of Computer Programming",
 * volume 3, section 5.4.1). Of equal keys the earlier part's comes first.
 *
 * <p>Not thread-safe. Closing it gives the parts what has not been taken; they stay the caller's,
 * and can be merged on from there.
 */
final class Merger implements AutoCloseable {

    private final Cursor[] cursors;

    /** Of each cursor's row, as {@link Cursor#word()}; of no meaning at the end. */
    private final long[] words;

    private final boolean[] ended;

    /** The winner first, then the losers; node n is above nodes 2n and 2n + 1. */
    private final int[] tree;

    private final boolean decided;
    private final boolean limited;
    private long left;
    private boolean started;
    private boolean closed;
    private byte @Nullable [] bound;

    /**
     * A merger of parts.
     *
     * @param parts at least one, in the order of the input
     * @param rows that come out at most
     * @param width bytes of all keys, or {@link io.spillway.operator.key.EncodedKeys#VARIABLE}
     */
    Merger(List<? extends SortedPart> parts, SortShape shape, long rows, int width) {
        int count = parts.size();
        int skip = prefix(parts).length();
        this.cursors = new Cursor[count];
        for (int i = 0; i < count; i++) {
            cursors[i] = new Cursor(parts.get(i), shape, skip);
        }
        this.words = new long[count];
        this.ended = new boolean[count];
        this.tree = new int[count];
        this.decided = width >= 0 && width <= skip + Long.BYTES;
        this.limited = shape.isLimited();
        this.left = rows;
    }

    /** What all keys begin with. */
    static KeyPrefix prefix(List<? extends SortedPart> parts) {
        return parts.stream().map(SortedPart::prefix).reduce(KeyPrefix::and).orElseThrow();
    }

    /**
     * The key of the last row that came out, if these were as many as anybody asks for. To be asked
     * for after the last picks.
     */
    byte @Nullable [] bound() {
        return bound;
    }

    /**
     * The next rows; null at the end.
     *
     * @param maxRows at most so many
     * @param maxBytes at most so many in plain form, unless the first row alone has more
     */
    @Nullable Picks next(int maxRows, long maxBytes) {
        if (!started) {
            start();
        }
        Picks picks = new Picks((int) Math.min(maxRows, left));
        try {
            pick(picks, (int) Math.min(maxRows, left), maxBytes);
        } catch (Throwable t) {
            picks.close();
            throw t;
        }
        left -= picks.count();
        for (Cursor cursor : cursors) {
            cursor.setPlace(Cursor.UNPICKED);
        }
        return picks.count() == 0 ? null : picks;
    }

    private void pick(Picks picks, int most, long maxBytes) {
        while (picks.count() < most && !ended[tree[0]]) {
            int winner = tree[0];
            Cursor cursor = cursors[winner];
            long bytes = cursor.rowBytes();
            if (picks.count() > 0 && picks.bytes() + bytes > maxBytes) {
                return;
            }
            picks.add(cursor, bytes);
            if (limited && left == picks.count()) {
                bound = cursor.key();
            }
            advance(winner);
            replay(winner);
        }
    }

    private void start() {
        started = true;
        for (int i = 0; i < cursors.length; i++) {
            advance(i);
        }
        tree[0] = build(1);
    }

    /** Plays below a node, and returns who wins there. */
    private int build(int node) {
        int count = cursors.length;
        if (node >= count) {
            return node - count;
        }
        int one = build(2 * node);
        int other = build(2 * node + 1);
        boolean less = less(one, other);
        tree[node] = less ? other : one;
        return less ? one : other;
    }

    private void advance(int cursor) {
        if (cursors[cursor].advance()) {
            words[cursor] = cursors[cursor].word();
        } else {
            ended[cursor] = true;
            words[cursor] = Long.MAX_VALUE;
        }
    }

    private void replay(int cursor) {
        int winner = cursor;
        for (int node = (cursor + cursors.length) >>> 1; node > 0; node >>>= 1) {
            int loser = tree[node];
            if (less(loser, winner)) {
                tree[node] = winner;
                winner = loser;
            }
        }
        tree[0] = winner;
    }

    private boolean less(int one, int other) {
        long left = words[one];
        long right = words[other];
        return left == right ? lessBeyond(one, other) : left < right;
    }

    /** Of cursors with equal words. */
    private boolean lessBeyond(int one, int other) {
        if (ended[one] || ended[other]) {
            return ended[one] == ended[other] ? one < other : ended[other];
        }
        int order = decided ? 0 : Cursor.compare(cursors[one], cursors[other]);
        return order == 0 ? one < other : order < 0;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            for (Cursor cursor : cursors) {
                cursor.close();
            }
        }
    }
}
