package io.spillway.delivery;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is settled: a prefix of the rows, and what lies behind it, where neighbours that are
 * delivered become one. So as much is kept as there are gaps, however much is delivered behind one
 * that waits. Tells {@link Changes} what is to be kept of it.
 *
 * <pre>
 *   ████████████████░░░░████░░░░████████░░
 *                   ▲   └──┘    └──────┘
 *           committed   kept    kept
 * </pre>
 */
final class Ledger {

    private final TreeMap<Long, Long> delivered = new TreeMap<>();
    private final TreeMap<Long, Long> dead = new TreeMap<>();
    private long committed;

    /**
     * A ledger of what is settled already.
     *
     * @param committed the row behind the prefix
     */
    Ledger(long committed, Iterable<StoredBatch> behind) {
        this.committed = committed;
        for (StoredBatch batch : behind) {
            switch (batch.state()) {
                case DELIVERED -> delivered.put(batch.firstRow(), batch.end());
                case DEAD -> dead.put(batch.firstRow(), batch.end());
                case WAITING -> {}
            }
        }
    }

    /** All before this row is settled. */
    long committed() {
        return committed;
    }

    /** Rows are delivered; nothing may be kept of them as a batch any more. */
    void delivered(long firstRow, long end, Changes changes, Instant now) {
        if (end <= committed) {
            return; // replayed
        }
        if (firstRow == committed) {
            committed = end;
            advance(changes);
            return;
        }
        long from = firstRow;
        long to = end;
        Map.Entry<Long, Long> before = delivered.floorEntry(firstRow);
        if (before != null && before.getValue() == firstRow) {
            from = before.getKey();
        }
        Long behind = delivered.remove(end);
        if (behind != null) {
            to = behind;
            changes.remove(end);
        }
        delivered.put(from, to);
        changes.keep(
                new StoredBatch(
                        from, to - from, StoredBatch.State.DELIVERED, 0, 0, null, null, now));
    }

    /** Rows are those of a dead letter, which is kept as such. */
    void dead(long firstRow, long end, Changes changes) {
        if (end <= committed) {
            return; // replayed
        }
        dead.put(firstRow, end);
        advance(changes);
    }

    private void advance(Changes changes) {
        while (true) {
            Long end = delivered.remove(committed);
            if (end != null) {
                changes.remove(committed);
            } else {
                end = dead.remove(committed);
            }
            if (end == null) {
                return;
            }
            committed = end;
        }
    }
}
