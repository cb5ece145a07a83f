package io.spillway.operator.join;

import io.spillway.batch.RecordBatch;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Looks the rows of left batches up in a finished table: what comes of them, as pairs of a left and
 * a right row number, in order, a bounded number at a time. Not thread-safe.
 *
 * <pre>
 *   keys of the batch ──▶ candidates: pairs whose keys match ──▶ condition ──▶ pairs, and rows
 *                         without a match where their turn is
 * </pre>
 */
final class Probe implements AutoCloseable {

    /** In place of a right row: there is none. */
    static final int NONE = -1;

    private final Emit emit;
    private final RightTable table;
    private final RowLists lists;
    private final @Nullable PairCondition condition;
    private final SideKeys keys;
    private final boolean marks;
    private final int maxPairs;

    private int rowCount;
    private int[] ids = new int[0];

    /** Which rows have a match; only if there is a condition. */
    private boolean[] matched = new boolean[0];

    /** The next left row to look for matches of. */
    private int row;

    /** The place of its next match among its key's rows; negative if it has not begun. */
    private int place = -1;

    /** The next left row about which is to be said whether it has a match. */
    private int undecided;

    private int[] lefts = new int[0];
    private int[] rights = new int[0];
    private int count;

    private int[] candidateLefts = new int[0];
    private int[] candidateRights = new int[0];

    /**
     * A probe.
     *
     * @param leftOffset how many columns the left batches have before the layout's
     * @param maxPairs how many candidates are looked at at a time
     * @param bytes bounds the memory for that; at the batch that the probe is at
     */
    Probe(
            JoinLayout layout,
            Emit emit,
            RightTable table,
            int leftOffset,
            int maxPairs,
            PairBytes bytes,
            BufferAllocator allocator) {
        this.emit = emit;
        this.table = table;
        this.lists = table.lists();
        this.keys = SideKeys.left(layout, leftOffset, allocator);
        this.condition =
                layout.condition() == null
                        ? null
                        : new PairCondition(layout, table, leftOffset, bytes, allocator);
        this.marks = layout.type().keepsRight();
        this.maxPairs = maxPairs;
    }

    /** Starts with a batch, which stays the caller's, and open until it has been worked through. */
    void begin(RecordBatch left) {
        rowCount = left.rowCount();
        if (ids.length < rowCount) {
            ids = new int[rowCount];
            matched = new boolean[rowCount];
        }
        try (SideKeys.RowKeys rowKeys = keys.encode(left)) {
            table.find(rowKeys, rowCount, ids);
        }
        row = 0;
        place = -1;
        undecided = 0;
        count = 0;
        if (condition != null) {
            Arrays.fill(matched, 0, rowCount, false);
            condition.begin(left);
        }
    }

    /** Whether the batch may have more to give. */
    boolean hasNext() {
        return row < rowCount;
    }

    /** Goes on to the next pairs, of which there may be none. */
    void next() {
        count = 0;
        if (condition == null) {
            if (emit.wantsPairs()) {
                ensure(maxPairs);
                count = fill(lefts, rights, emit == Emit.PAIRS_OR_NULLS);
            } else {
                existing(emit == Emit.MATCHED);
            }
        } else {
            decide(condition);
        }
        if (marks) {
            for (int i = 0; i < count; i++) {
                if (rights[i] >= 0) {
                    table.marks().set(rights[i]);
                }
            }
        }
    }

    /** How many pairs there are now. */
    int count() {
        return count;
    }

    /** Left rows of the pairs, ascending. */
    int[] lefts() {
        return lefts;
    }

    /** Right rows of the pairs, or {@link #NONE}. */
    int[] rights() {
        return rights;
    }

    private void ensure(int pairs) {
        if (lefts.length < pairs) {
            lefts = new int[pairs];
            rights = new int[pairs];
        }
    }

    private void add(int left, int right) {
        lefts[count] = left;
        rights[count++] = right;
    }

    /** Rows by whether their keys are there. */
    private void existing(boolean wanted) {
        ensure(rowCount);
        for (; row < rowCount; row++) {
            lefts[count] = row;
            rights[count] = NONE;
            count += ids[row] >= 0 == wanted ? 1 : 0;
        }
    }

    /**
     * The next pairs whose keys match.
     *
     * @param nulls whether a row without any gives a pair with none
     * @return how many
     */
    private int fill(int[] toLefts, int[] toRights, boolean nulls) {
        int n = 0;
        if (lists.isUnique()) {
            int floor = nulls ? NONE : 0;
            int end = Math.min(rowCount, row + maxPairs);
            for (; row < end; row++) {
                toLefts[n] = row;
                toRights[n] = ids[row];
                n += ids[row] >= floor ? 1 : 0;
            }
            return n;
        }
        while (row < rowCount && n < maxPairs) {
            int key = ids[row];
            if (key < 0) {
                if (nulls) {
                    toLefts[n] = row;
                    toRights[n++] = NONE;
                }
                row++;
                continue;
            }
            int at = place < 0 ? lists.start(key) : place;
            int end = lists.end(key);
            int stop = Math.min(end, at + maxPairs - n);
            for (; at < stop; at++) {
                toLefts[n] = row;
                toRights[n++] = lists.row(at);
            }
            place = at < end ? at : -1;
            row += at < end ? 0 : 1;
        }
        return n;
    }

    private void decide(PairCondition pairs) {
        if (candidateLefts.length == 0) {
            candidateLefts = new int[maxPairs];
            candidateRights = new int[maxPairs];
        }
        int candidates = fill(candidateLefts, candidateRights, false);
        int passed = pairs.keep(candidateLefts, candidateRights, candidates);
        ensure(passed + row - undecided);
        if (emit.wantsPairs()) {
            for (int i = 0; i < passed; i++) {
                int left = candidateLefts[i];
                decideUpTo(left);
                matched[left] = true;
                add(left, candidateRights[i]);
            }
        } else {
            for (int i = 0; i < passed; i++) {
                matched[candidateLefts[i]] = true;
            }
            if (row < rowCount && place >= 0 && matched[row]) {
                // One match is enough.
                row++;
                place = -1;
            }
        }
        decideUpTo(row);
    }

    /**
     * Gives, of the rows before one of which all candidates have been seen, those without pairs.
     */
    private void decideUpTo(int end) {
        for (; undecided < end; undecided++) {
            switch (emit) {
                case PAIRS -> {}
                case PAIRS_OR_NULLS, UNMATCHED -> {
                    if (!matched[undecided]) {
                        add(undecided, NONE);
                    }
                }
                case MATCHED -> {
                    if (matched[undecided]) {
                        add(undecided, NONE);
                    }
                }
            }
        }
    }

    @Override
    public void close() {
        keys.close();
        if (condition != null) {
            condition.close();
        }
    }
}
