package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Gather;
import io.spillway.memory.StateMemory;
import io.spillway.operator.key.EncodedKeys;
import io.spillway.operator.key.KeyBytes;
import io.spillway.operator.key.KeyEncoder;
import io.spillway.operator.key.SortKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/**
 * Calls that keep the value of one of a group's rows: the first or last, in the input's order or
 * one of their own, or the least or greatest.
 *
 * <pre>
 *   word of the state   0 none, n the kept row n - 1, -n row n - 1 of the batch that is being added
 *   kept rows           value, and what it is ordered by as an ordered key
 * </pre>
 *
 * Of a batch at most one row of each group is kept. Rows that are not kept any more stay until they
 * are as many as the others.
 */
final class PickedValues implements StoredCall {

    private static final int MIN_GARBAGE = 4_096;

    private static final ColumnSchema KEY = new ColumnSchema("key", new ColumnType.Binary(), true);

    /** Which row of a group is kept. */
    enum Pick {
        FIRST,
        LAST,
        /** The only one; that there is another is an error. */
        ONLY
    }

    private final Pick pick;
    private final String name;
    private final CallRows counted;
    private final int offset;
    private final int[] columns;
    private final RowSchema schema;
    private final BufferAllocator allocator;
    private final StateMemory memory;
    private final @Nullable KeyEncoder encoder;
    private RowStore store;
    private @Nullable EncodedKeys encoded;
    private int garbage;
    private int[] chosen = new int[0];
    private int[] touched = new int[0];

    private PickedValues(
            AggregateCall call,
            Pick pick,
            List<SortKey> order,
            RowSchema input,
            int offset,
            BufferAllocator allocator,
            StateMemory memory) {
        ColumnSchema argument = Kernels.argument(call, input);
        this.pick = pick;
        this.name = "%s(%s)".formatted(call.function(), argument.name());
        this.counted = CallRows.of(call);
        this.offset = offset;
        this.columns = new int[] {call.arguments().getFirst()};
        this.allocator = allocator;
        this.memory = memory;
        this.encoder = order.isEmpty() ? null : KeyEncoder.ordered(order, input, allocator);
        ColumnSchema value = new ColumnSchema("value", argument.type(), true);
        this.schema = new RowSchema(encoder == null ? List.of(value) : List.of(value, KEY));
        this.store = newStore();
    }

    /**
     * The values of a call.
     *
     * @param offset where in a group's state its word is
     */
    static PickedValues of(
            AggregateCall call,
            RowSchema input,
            int offset,
            BufferAllocator allocator,
            StateMemory memory) {
        Pick pick =
                switch (call.function()) {
                    case LAST -> Pick.LAST;
                    case SINGLE_VALUE -> Pick.ONLY;
                    default -> Pick.FIRST;
                };
        int argument = call.arguments().isEmpty() ? -1 : call.arguments().getFirst();
        List<SortKey> order =
                switch (call.function()) {
                    case MIN -> List.of(new SortKey(argument, false, false));
                    case MAX -> List.of(new SortKey(argument, true, false));
                    case SINGLE_VALUE -> List.of();
                    default -> call.order();
                };
        return new PickedValues(call, pick, order, input, offset, allocator, memory);
    }

    private RowStore newStore() {
        return new RowStore(schema, allocator, memory);
    }

    @Override
    public boolean reserve(
            RecordBatch batch, int[] rows, int[] ids, int count, GroupStates states) {
        long keyBytes = 0;
        if (encoder != null) {
            EncodedKeys keys = encoder.encode(batch);
            encoded = keys;
            keyBytes = 2 * keys.bytes() + 2L * Integer.BYTES * batch.rowCount() + 64;
        }
        if (store.reserve(batch, columns, keyBytes)) {
            return true;
        }
        dropKeys();
        return false;
    }

    @Override
    public void unreserve() {
        dropKeys();
        store.unreserve();
    }

    private void dropKeys() {
        EncodedKeys keys = encoded;
        encoded = null;
        if (keys != null) {
            keys.close();
        }
    }

    @Override
    public void add(RecordBatch batch, int[] rows, int[] ids, int count, GroupStates states) {
        if (chosen.length < count) {
            chosen = new int[count];
            touched = new int[count];
        }
        CallRows.Bound bound = counted.bind(batch);
        int size = bound.choose(rows, 0, count, chosen);
        int changed = 0;
        for (int i = 0; i < size; i++) {
            int row = rows[chosen[i]];
            int id = ids[chosen[i]];
            long at = states.address(id) + offset;
            long held = OffHeap.getLong(at);
            if (held == 0) {
                touched[changed++] = id;
                OffHeap.putLong(at, -(row + 1L));
            } else if (isBetter(row, held)) {
                if (held > 0) {
                    touched[changed++] = id;
                    garbage++;
                }
                OffHeap.putLong(at, -(row + 1L));
            }
        }
        keep(batch, changed, states);
        dropKeys();
        if (garbage > MIN_GARBAGE && garbage > store.size() / 2) {
            collect(states);
        }
    }

    private boolean isBetter(int row, long held) {
        EncodedKeys keys = encoded;
        if (keys == null) {
            return isLater();
        }
        return isBetter(
                held < 0
                        ? compare(keys, row, (int) (-held - 1))
                        : compareKept(keys, row, (int) (held - 1)));
    }

    /** Whether a later row is kept rather than one before, where their order says nothing. */
    private boolean isLater() {
        return switch (pick) {
            case FIRST -> false;
            case LAST -> true;
            case ONLY -> throw Failures.manyRows(name);
        };
    }

    /**
     * @param order of a later row and the one that is kept
     */
    private boolean isBetter(int order) {
        return pick == Pick.LAST ? order >= 0 : order < 0;
    }

    private static int compare(EncodedKeys keys, int row, int other) {
        return KeyBytes.compare(
                keys.address(row), keys.length(row), keys.address(other), keys.length(other));
    }

    private int compareKept(EncodedKeys keys, int row, int number) {
        RowStore.Place place = store.place(number);
        long at = keyOffset(place);
        int start = OffHeap.getInt(at);
        return KeyBytes.compare(
                keys.address(row),
                keys.length(row),
                keyData(place) + start,
                OffHeap.getInt(at + 4) - start);
    }

    private static FieldVector vector(ColumnVector column) {
        return switch (column) {
            case ColumnVector.Plain(FieldVector vector) -> vector;
            case ColumnVector.Encoded _ -> throw new IllegalStateException("a column is encoded");
        };
    }

    /** Copies the rows of the batch that were picked. */
    private void keep(RecordBatch batch, int count, GroupStates states) {
        if (count == 0) {
            store.unreserve();
            return;
        }
        int[] rows = new int[count];
        for (int i = 0; i < count; i++) {
            rows[i] = (int) (-OffHeap.getLong(states.address(touched[i]) + offset) - 1);
        }
        List<ColumnVector> parts = store.copies(batch, columns, rows, count);
        try {
            EncodedKeys keys = encoded;
            if (keys != null) {
                parts.add(keyColumn(keys, rows, count));
            }
        } catch (Throwable t) {
            parts.forEach(ColumnVector::close);
            throw t;
        }
        int first = store.size();
        store.add(new RecordBatch(schema, parts, count));
        for (int i = 0; i < count; i++) {
            OffHeap.putLong(states.address(touched[i]) + offset, first + i + 1L);
        }
    }

    private ColumnVector keyColumn(EncodedKeys keys, int[] rows, int count) {
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += keys.length(rows[i]);
        }
        try (BytesColumn column = new BytesColumn(KEY, count, bytes, allocator)) {
            for (int i = 0; i < count; i++) {
                column.add(keys.address(rows[i]), keys.length(rows[i]));
            }
            return column.take();
        }
    }

    /** Copies the rows that are kept, if there is memory for both. */
    private void collect(GroupStates states) {
        RowStore next = newStore();
        int[] numbers = new int[MIN_GARBAGE];
        int[] groups = new int[MIN_GARBAGE];
        List<int[]> moved = new ArrayList<>();
        try {
            int count = 0;
            for (int id = 0; id < states.size(); id++) {
                long held = OffHeap.getLong(states.address(id) + offset);
                if (held > 0) {
                    numbers[count] = (int) (held - 1);
                    groups[count++] = id;
                }
                if (count == MIN_GARBAGE || (id == states.size() - 1 && count > 0)) {
                    RecordBatch rows = store.take(numbers, count);
                    if (!next.reserveFor(rows)) {
                        rows.close();
                        next.close();
                        return;
                    }
                    next.add(rows);
                    moved.add(Arrays.copyOf(groups, count));
                    count = 0;
                }
            }
        } catch (Throwable t) {
            next.close();
            throw t;
        }
        long number = 1;
        for (int[] ids : moved) {
            for (int id : ids) {
                OffHeap.putLong(states.address(id) + offset, number++);
            }
        }
        store.close();
        store = next;
        garbage = 0;
    }

    @Override
    public void merge(int from, int to, GroupStates states) {
        long held = OffHeap.getLong(states.address(from) + offset);
        long at = states.address(to) + offset;
        long own = OffHeap.getLong(at);
        if (held != 0 && (own == 0 || isBetter((int) (held - 1), (int) (own - 1)))) {
            OffHeap.putLong(at, held);
        }
    }

    private boolean isBetter(int number, int than) {
        if (encoder == null) {
            return isLater();
        }
        RowStore.Place one = store.place(number);
        RowStore.Place other = store.place(than);
        long left = keyOffset(one);
        long right = keyOffset(other);
        return isBetter(
                KeyBytes.compare(
                        keyData(one) + OffHeap.getInt(left),
                        OffHeap.getInt(left + 4) - OffHeap.getInt(left),
                        keyData(other) + OffHeap.getInt(right),
                        OffHeap.getInt(right + 4) - OffHeap.getInt(right)));
    }

    private static long keyOffset(RowStore.Place place) {
        return vector(place.batch().column(1)).getOffsetBuffer().memoryAddress() + 4L * place.row();
    }

    private static long keyData(RowStore.Place place) {
        return vector(place.batch().column(1)).getDataBuffer().memoryAddress();
    }

    @Override
    public ColumnVector results(int from, int count, GroupStates states) {
        try (RecordBatch kept = take(from, count, states)) {
            return kept.column(0).slice(0, count);
        }
    }

    private RecordBatch take(int from, int count, GroupStates states) {
        int[] numbers = new int[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = (int) (OffHeap.getLong(states.address(from + i) + offset) - 1);
        }
        return store.take(numbers, count);
    }

    @Override
    public List<ColumnSchema> savedColumns() {
        return schema.columns();
    }

    @Override
    public List<ColumnVector> save(int from, int count, GroupStates states) {
        try (RecordBatch kept = take(from, count, states)) {
            List<ColumnVector> columns = new ArrayList<>();
            for (int i = 0; i < schema.size(); i++) {
                columns.add(kept.column(i).slice(0, count));
            }
            return columns;
        }
    }

    @Override
    public boolean reserveSaved(RecordBatch saved, int firstColumn) {
        try (RecordBatch own = own(saved, firstColumn)) {
            return store.reserveFor(own);
        }
    }

    @Override
    public void load(RecordBatch saved, int firstColumn, int firstGroup, GroupStates states) {
        int first = store.size();
        int count = saved.rowCount();
        store.add(own(saved, firstColumn));
        for (int i = 0; i < count; i++) {
            long at = states.address(firstGroup + i) + offset;
            if (OffHeap.getLong(at) != 0) {
                OffHeap.putLong(at, first + i + 1L);
            } else {
                garbage++;
            }
        }
    }

    /** A copy: what was read shares its buffers with other columns. */
    private RecordBatch own(RecordBatch saved, int firstColumn) {
        int count = saved.rowCount();
        List<ColumnVector> columns = new ArrayList<>();
        int[] rows = new int[count];
        Arrays.setAll(rows, i -> i);
        try {
            for (int i = 0; i < schema.size(); i++) {
                columns.add(Gather.take(saved.column(firstColumn + i), rows, count, allocator));
            }
            return new RecordBatch(schema, columns, count);
        } catch (Throwable t) {
            columns.forEach(ColumnVector::close);
            throw t;
        }
    }

    @Override
    public void close() {
        dropKeys();
        store.close();
        if (encoder != null) {
            encoder.close();
        }
    }
}
