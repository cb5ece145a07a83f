package io.spillway.operator.join;

import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Gather;
import io.spillway.expression.Selection;
import io.spillway.memory.MemoryHolding;
import io.spillway.operator.key.KeyTable;
import io.spillway.operator.key.RowGather;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Rows of the right side, by their keys: filled batch by batch, then finished, then looked up by
 * any number of threads. Rows whose keys match nothing are kept only if they come out in the end;
 * where only the keys decide, the first row of each is all that is kept.
 *
 * <p>Memory is counted by a holding, which stays the caller's; closing shrinks it.
 */
final class RightTable implements AutoCloseable {

    private final JoinLayout layout;
    private final int offset;
    private final BufferAllocator allocator;
    private final SideKeys sideKeys;
    private final KeyTable keys;
    private final RowLists lists;
    private final StoredRows rows;
    private final RowMarks marks;
    private final RowSchema schema;

    /** Keys from this number on are of rows that found no memory. */
    private int keyCount;

    private int[] ids = new int[0];
    private @Nullable RowGather out;
    private @Nullable RowGather pairs;
    private PairBytes.@Nullable RightBytes bytes;

    /**
     * An empty table.
     *
     * @param schema of the batches: the layout's right columns, perhaps after others
     * @param offset how many others
     */
    RightTable(
            JoinLayout layout,
            RowSchema schema,
            int offset,
            BufferAllocator allocator,
            MemoryHolding holding) {
        this.layout = layout;
        this.schema = schema;
        this.offset = offset;
        this.allocator = allocator;
        this.sideKeys = SideKeys.right(layout, offset, allocator);
        this.keys = new KeyTable(sideKeys.width(), allocator, holding);
        this.lists = new RowLists(allocator, holding);
        this.rows = new StoredRows(schema, allocator, holding);
        this.marks = new RowMarks(allocator, holding);
    }

    /**
     * Adds rows.
     *
     * @return whether the batch has been taken over; if not, there is no memory for it, and no more
     *     can be added
     */
    boolean add(RecordBatch batch) {
        Selection wanted = layout.type().keepsRight() ? null : sideKeys.matchableOf(batch);
        if (wanted == null) {
            return addWanted(batch);
        }
        RecordBatch part = Gather.gather(batch, wanted, allocator);
        boolean added = false;
        try {
            added = addWanted(part);
        } finally {
            (added ? batch : part).close();
        }
        return added;
    }

    private boolean addWanted(RecordBatch batch) {
        int count = batch.rowCount();
        if (ids.length < count) {
            ids = new int[count];
        }
        int known = keys.size();
        try (SideKeys.RowKeys rowKeys = sideKeys.encode(batch)) {
            if (!keys.reserve(rowKeys.keys())) {
                return false;
            }
            keys.ids(rowKeys.keys(), ids);
            if (rowKeys.rows() != null) {
                spread(rowKeys, ids, count);
            }
        }
        if (keepsFirstOnly() ? addFirst(batch, known) : store(batch, count)) {
            keyCount = keys.size();
            return true;
        }
        return false;
    }

    private boolean store(RecordBatch batch, int count) {
        if (!rows.reserve(batch)) {
            return false;
        }
        if (!lists.add(ids, count)) {
            return false;
        }
        rows.add(batch);
        return true;
    }

    /** Of the keys of some of a batch's rows to those of all. */
    private static void spread(SideKeys.RowKeys rowKeys, int[] ids, int count) {
        int[] some = Arrays.copyOf(ids, rowKeys.count());
        Arrays.fill(ids, 0, count, RowLists.NO_KEY);
        for (int i = 0; i < some.length; i++) {
            ids[rowKeys.row(i)] = some[i];
        }
    }

    private boolean keepsFirstOnly() {
        return !layout.type().hasRight() && layout.condition() == null;
    }

    /** Keys are numbered as they first appear: a row has a new one if its number is the next. */
    private boolean addFirst(RecordBatch batch, int known) {
        int count = batch.rowCount();
        int next = known;
        long[] bits = new long[(count + Long.SIZE - 1) / Long.SIZE];
        for (int i = 0; i < count; i++) {
            if (ids[i] == next) {
                bits[i >>> 6] |= 1L << i;
                next++;
            }
        }
        if (next - known == count) {
            return store(batch, count);
        }
        RecordBatch first = Gather.gather(batch, Selection.of(bits, count), allocator);
        boolean added = false;
        try {
            for (int i = known; i < next; i++) {
                ids[i - known] = i;
            }
            added = store(first, next - known);
        } finally {
            (added ? batch : first).close();
        }
        return added;
    }

    /**
     * No more rows will be added.
     *
     * @return false if there is no memory for looking rows up
     */
    boolean finish() {
        if (!lists.sort(keyCount)
                || (layout.type().keepsRight() && !marks.reserve(lists.count()))) {
            return false;
        }
        rows.finish();
        bytes = new PairBytes.RightBytes(rows);
        List<RecordBatch> batches = rows.batches();
        if (layout.type().hasRight()) {
            List<Integer> columns = new ArrayList<>();
            for (int i = 0; i < layout.right().size(); i++) {
                columns.add(i);
            }
            out = gather(batches, columns, layout.outRight());
        }
        if (layout.condition() != null) {
            pairs = gather(batches, layout.pairRight(), pairsRight());
        }
        if (layout.type().keepsRight() && offset > 0) {
            markThoseThatWere(batches);
        }
        return true;
    }

    private RowSchema pairsRight() {
        return new RowSchema(
                layout.pairs().columns().subList(layout.pairLeft().size(), layout.pairs().size()));
    }

    private RowGather gather(List<RecordBatch> batches, List<Integer> columns, RowSchema schema) {
        return new RowGather(
                schema,
                batches.stream()
                        .map(batch -> JoinLayout.lend(batch, columns, offset, schema))
                        .toList());
    }

    /** Rows that have found a match before they were written to disk have no number any more. */
    private void markThoseThatWere(List<RecordBatch> batches) {
        int row = 0;
        for (RecordBatch batch : batches) {
            long numbers = RowTags.address(batch);
            for (int i = 0; i < batch.rowCount(); i++, row++) {
                if (OffHeap.getLong(numbers + 8L * i) == RowTags.MATCHED) {
                    marks.set(row);
                }
            }
        }
    }

    /** Number of rows. */
    int rowCount() {
        return rows.count();
    }

    /** Number of keys. */
    int keyCount() {
        return keyCount;
    }

    /**
     * The numbers of the keys of left rows.
     *
     * @param left keys of a batch of the left side
     * @param rowCount rows of the batch
     * @param ids of all rows of the batch, out; {@link RowLists#NO_KEY} for unknown ones
     */
    void find(SideKeys.RowKeys left, int rowCount, int[] ids) {
        keys.find(left.keys(), ids);
        if (keyCount < keys.size()) {
            for (int i = 0; i < left.count(); i++) {
                ids[i] = ids[i] < keyCount ? ids[i] : RowLists.NO_KEY;
            }
        }
        if (left.rows() != null) {
            spread(left, ids, rowCount);
        }
    }

    /** The rows of each key. */
    RowLists lists() {
        return lists;
    }

    /** Which rows have found a match, if that matters. */
    RowMarks marks() {
        return marks;
    }

    /** The rows themselves. */
    StoredRows rows() {
        return rows;
    }

    /** What the rows take. */
    PairBytes.RightBytes bytes() {
        return Objects.requireNonNull(bytes);
    }

    /** Makes the columns that come out. */
    RowGather out() {
        return Objects.requireNonNull(out);
    }

    /** Makes the columns that the condition reads. */
    RowGather pairs() {
        return Objects.requireNonNull(pairs);
    }

    /** All columns of the batches. */
    RowGather whole() {
        return new RowGather(schema, rows.batches());
    }

    /** Only the rows and their marks are needed from now on: frees the rest. */
    void closeKeys() {
        sideKeys.close();
        keys.close();
        lists.close();
    }

    @Override
    public void close() {
        closeKeys();
        rows.close();
        marks.close();
    }
}
