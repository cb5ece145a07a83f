package io.spillway.operator.join;

import io.spillway.batch.RecordBatch;
import io.spillway.operator.RowBytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How many pairs of rows fit in a batch of bounded bytes. Not thread-safe. */
final class PairBytes {

    private final RightBytes right;
    private final long maxBytes;
    private @Nullable RowBytes left;
    private long leftMax;

    /** What the rows of a table take; immutable. */
    static final class RightBytes {

        private final StoredRows rows;
        private final List<RowBytes> bytes;
        private final long max;

        RightBytes(StoredRows rows) {
            List<RecordBatch> batches = rows.batches();
            this.rows = rows;
            this.bytes = batches.stream().map(b -> new RowBytes(b, RowBytes.NONE)).toList();
            long most = 0;
            for (int i = 0; i < batches.size(); i++) {
                most = Math.max(most, bytes.get(i).max(batches.get(i).rowCount()));
            }
            this.max = most;
        }

        long of(int row) {
            int batch = rows.batchOf(row);
            return bytes.get(batch).of(row - rows.firstRow(batch));
        }
    }

    /**
     * A measure for pairs with rows of a table.
     *
     * @param maxBytes of a batch, unless a single pair has more
     */
    PairBytes(RightBytes right, long maxBytes) {
        this.right = right;
        this.maxBytes = maxBytes;
    }

    /** Goes on to pairs of a left batch, which stays the caller's. */
    void begin(RecordBatch batch) {
        RowBytes bytes = new RowBytes(batch, RowBytes.NONE);
        left = bytes;
        leftMax = bytes.max(batch.rowCount());
    }

    /** How many of the pairs from one on, at least one of them, fit. */
    int fit(int[] lefts, int[] rights, int from, int count) {
        if (left == null || count * (leftMax + right.max) <= maxBytes) {
            return count;
        }
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += left.of(lefts[from + i]);
            sum += rights[from + i] < 0 ? 0 : right.of(rights[from + i]);
            if (sum > maxBytes && i > 0) {
                return i;
            }
        }
        return count;
    }
}
