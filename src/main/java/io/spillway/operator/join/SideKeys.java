package io.spillway.operator.join;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.expression.Gather;
import io.spillway.expression.Selection;
import io.spillway.operator.key.EncodedKeys;
import io.spillway.operator.key.KeyEncoder;
import io.spillway.operator.key.KeyNulls;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one side's batches, without those that match nothing because of a null. Not
 * thread-safe. Closing frees what is kept of dictionaries.
 */
final class SideKeys implements AutoCloseable {

    private final JoinLayout layout;
    private final List<Integer> positions;
    private final int offset;
    private final KeyEncoder encoder;
    private final BufferAllocator allocator;
    private boolean[] absent = new boolean[0];

    /**
     * @param positions of the key columns
     * @param offset what is added to each position
     */
    private SideKeys(
            JoinLayout layout, List<Integer> positions, int offset, BufferAllocator allocator) {
        this.layout = layout;
        this.positions = positions;
        this.offset = offset;
        this.allocator = allocator;
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < layout.keys().size(); i++) {
            all.add(i);
        }
        this.encoder = KeyEncoder.equal(all, layout.keys(), allocator);
    }

    static SideKeys left(JoinLayout layout, int offset, BufferAllocator allocator) {
        return new SideKeys(layout, layout.leftKeys(), offset, allocator);
    }

    static SideKeys right(JoinLayout layout, int offset, BufferAllocator allocator) {
        return new SideKeys(layout, layout.rightKeys(), offset, allocator);
    }

    /**
     * Keys, which the owner closes.
     *
     * @param rows of the batch that have them, in order; null if all have
     */
    record RowKeys(EncodedKeys keys, @Nullable Selection rows) implements AutoCloseable {

        /** How many rows have keys. */
        int count() {
            return keys.count();
        }

        /** The row of a key. */
        int row(int key) {
            return rows == null ? key : rows.row(key);
        }

        @Override
        public void close() {
            keys.close();
        }
    }

    /** Bytes of each key, or {@link EncodedKeys#VARIABLE}. */
    int width() {
        return encoder.width();
    }

    /** Keys of a batch, which stays the caller's. */
    RowKeys encode(RecordBatch batch) {
        RecordBatch lent = JoinLayout.lend(batch, positions, offset, layout.keys());
        Selection rows = matchable(lent);
        if (rows == null) {
            return new RowKeys(encoder.encode(lent), null);
        }
        List<ColumnVector> columns = new ArrayList<>();
        try {
            for (int i = 0; i < positions.size(); i++) {
                columns.add(Gather.gather(lent.column(i), rows, allocator));
            }
            return new RowKeys(
                    encoder.encode(new RecordBatch(layout.keys(), columns, rows.count())), rows);
        } finally {
            columns.forEach(ColumnVector::close);
        }
    }

    /** The rows of a batch that may match anything; null if all may. */
    @Nullable Selection matchableOf(RecordBatch batch) {
        return matchable(JoinLayout.lend(batch, positions, offset, layout.keys()));
    }

    private @Nullable Selection matchable(RecordBatch keys) {
        int count = keys.rowCount();
        if (absent.length < count) {
            absent = new boolean[count];
        } else {
            Arrays.fill(absent, 0, count, false);
        }
        if (KeyNulls.mark(keys, layout.strict(), absent) == 0) {
            return null;
        }
        long[] bits = new long[(count + Long.SIZE - 1) / Long.SIZE];
        for (int i = 0; i < count; i++) {
            bits[i >>> 6] |= (absent[i] ? 0L : 1L) << i;
        }
        return Selection.of(bits, count);
    }

    @Override
    public void close() {
        encoder.close();
    }
}
