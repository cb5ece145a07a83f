package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.memory.StateMemory;
import io.spillway.operator.key.EncodedKeys;
import io.spillway.operator.key.KeyEncoder;
import io.spillway.operator.key.KeyHash;
import io.spillway.operator.key.KeyTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.jspecify.annotations.Nullable;

/**
 * Groups in memory: their keys, numbered in the order in which they appear, and what the calls keep
 * of each.
 *
 * <pre>
 *   key columns ─▶ {@link KeyTable} ─▶ group ┬▶ {@link RowStore}     the keys' values, for the result
 *                                            └▶ {@link CallStates}   number of the first row, what calls keep
 * </pre>
 */
final class GroupTable implements KeyedState {

    /** Where a state has the number of its group's first row. */
    private static final int FIRST_ROW = 0;

    /** Bytes of the keys of a batch of results, about. */
    private static final long MAX_BYTES = 4L << 20;

    private final Aggregation plan;
    private final BufferAllocator allocator;
    private final int batchRows;
    private final KeyEncoder encoder;
    private final KeyTable table;
    private final RowStore keys;
    private final CallStates calls;
    private final GroupStates states;
    private final int[] keyColumns;
    private final int[] savedColumns;
    private final KeyEncoder savedEncoder;

    private int given;
    private int[] ids = new int[0];
    private int[] all = new int[0];
    private int[] fresh = new int[0];

    GroupTable(Aggregation plan, int batchRows, BufferAllocator allocator, StateMemory memory) {
        this.plan = plan;
        this.allocator = allocator;
        this.batchRows = batchRows;
        calls =
                new CallStates(
                        plan.calls(), plan.input(), FIRST_ROW + Long.BYTES, allocator, memory);
        states = calls.states();
        encoder = KeyEncoder.equal(plan.keys(), plan.input(), allocator);
        table = new KeyTable(encoder.width(), allocator, memory);
        keys = new RowStore(plan.keySchema(), allocator, memory);
        keyColumns = plan.keyPositions();
        savedColumns = new int[keyColumns.length];
        Arrays.setAll(savedColumns, i -> i);
        savedEncoder =
                KeyEncoder.equal(
                        IntStream.range(0, keyColumns.length).boxed().toList(),
                        savedSchema(),
                        allocator);
    }

    @Override
    public int size() {
        return states.size();
    }

    /** The group of all rows is there before any row is. */
    private boolean tryAddGroupOfAll() {
        if (states.size() == 0) {
            if (!states.reserve(1)) {
                return false;
            }
            states.grow(1);
        }
        return true;
    }

    @Override
    public boolean tryAdd(NumberedRows input) {
        RecordBatch batch = input.batch();
        int count = batch.rowCount();
        makeRoom(count);
        if (plan.keys().isEmpty()) {
            return tryAddGroupOfAll() && tryUpdate(batch, all, ids, count);
        }
        try (EncodedKeys encoded = encoder.encode(batch)) {
            if (!table.reserve(encoded)
                    || !states.reserve(size() + (long) count)
                    || !keys.reserve(batch, keyColumns, 0)) {
                return false;
            }
            table.ids(encoded, ids);
        }
        addGroups(input);
        return tryUpdate(batch, all, ids, count);
    }

    private void makeRoom(int count) {
        if (ids.length < count) {
            ids = new int[count];
            fresh = new int[count];
            all = new int[count];
            for (int i = 0; i < count; i++) {
                all[i] = i;
            }
        }
    }

    /** The first row of a new group is the first that has the next number. */
    private void addGroups(NumberedRows input) {
        int count = input.count();
        int before = size();
        int next = before;
        states.grow(table.size());
        for (int i = 0; i < count && next < table.size(); i++) {
            if (ids[i] == next) {
                fresh[next - before] = i;
                OffHeap.putLong(states.address(next) + FIRST_ROW, input.number(i));
                next++;
            }
        }
        keys.add(input.batch(), keyColumns, fresh, next - before);
    }

    @Override
    public void find(RecordBatch batch, int[] to) {
        try (EncodedKeys encoded = encoder.encode(batch)) {
            table.find(encoded, to);
        }
    }

    @Override
    public boolean tryUpdate(RecordBatch batch, int[] rows, int[] idsOf, int count) {
        if (!calls.reserve(batch, rows, idsOf, count)) {
            return false;
        }
        calls.add(batch, rows, idsOf, count);
        return true;
    }

    @Override
    public void hashes(RecordBatch rows, int level, long[] to) {
        try (EncodedKeys encoded = encoder.encode(rows)) {
            KeyHash.of(encoded, level, to);
        }
    }

    @Override
    public void savedHashes(RecordBatch saved, int level, long[] to) {
        try (EncodedKeys encoded = savedEncoder.encode(saved)) {
            KeyHash.of(encoded, level, to);
        }
    }

    @Override
    public @Nullable RecordBatch next(boolean ended) {
        if (!ended) {
            return null;
        }
        if (plan.keys().isEmpty() && !tryAddGroupOfAll()) {
            throw Failures.tooLarge("The state of one group");
        }
        int count = Math.min(batchRows(), size() - given);
        if (count == 0) {
            return null;
        }
        RecordBatch results = results(given, count);
        given += count;
        return results;
    }

    private int batchRows() {
        return keys.size() == 0
                ? batchRows
                : Math.clamp(MAX_BYTES * keys.size() / (keys.bytes() + 1), 1, batchRows);
    }

    private RecordBatch results(int from, int count) {
        List<ColumnVector> columns = new ArrayList<>();
        try {
            addKeys(from, count, columns);
            for (int i = 0; i < plan.calls().size(); i++) {
                columns.add(calls.results(i, plan.result(i), from, count));
            }
            columns.add(firstRows(from, count));
            return new RecordBatch(NumberedRows.schema(plan.schema()), columns, count);
        } catch (Throwable t) {
            columns.forEach(ColumnVector::close);
            throw t;
        }
    }

    private ColumnVector firstRows(int from, int count) {
        long[] numbers = new long[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = OffHeap.getLong(states.address(from + i) + FIRST_ROW);
        }
        return NumberedRows.column(numbers, count, allocator);
    }

    private void addKeys(int from, int count, List<ColumnVector> to) {
        if (!plan.keys().isEmpty()) {
            try (RecordBatch values = keys.take(from, count)) {
                for (int i = 0; i < plan.keys().size(); i++) {
                    to.add(values.column(i).slice(0, count));
                }
            }
        }
    }

    @Override
    public RowSchema savedSchema() {
        List<ColumnSchema> columns = new ArrayList<>();
        for (ColumnSchema key : plan.keySchema().columns()) {
            columns.add(new ColumnSchema("key" + columns.size(), key.type(), key.nullable()));
        }
        columns.add(new ColumnSchema("state", new ColumnType.FixedBinary(states.stride()), false));
        for (ColumnSchema column : calls.savedColumns()) {
            columns.add(
                    new ColumnSchema(
                            column.name() + columns.size(), column.type(), column.nullable()));
        }
        return new RowSchema(columns);
    }

    @Override
    public RecordBatch save(int from, int count) {
        List<ColumnVector> columns = new ArrayList<>();
        try {
            addKeys(from, count, columns);
            columns.add(savedStates(from, count));
            calls.save(from, count, columns);
            return new RecordBatch(savedSchema(), columns, count);
        } catch (Throwable t) {
            columns.forEach(ColumnVector::close);
            throw t;
        }
    }

    private ColumnVector savedStates(int from, int count) {
        int stride = states.stride();
        FixedSizeBinaryVector vector = new FixedSizeBinaryVector("state", allocator, stride);
        try {
            vector.allocateNew(count);
            OffHeap.fill(vector.getValidityBuffer().memoryAddress(), (count + 7L) / 8, (byte) -1);
            vector.setValueCount(count);
            long to = vector.getDataBuffer().memoryAddress();
            for (int i = 0; i < count; i++) {
                OffHeap.copy(states.address(from + i), to + (long) stride * i, stride);
            }
            return new ColumnVector.Plain(vector);
        } catch (Throwable t) {
            vector.close();
            throw t;
        }
    }

    @Override
    public boolean tryLoad(RecordBatch saved) {
        int count = saved.rowCount();
        int width = plan.keys().size();
        makeRoom(count);
        int first = size();
        try (EncodedKeys encoded = savedEncoder.encode(saved)) {
            if (!table.reserve(encoded)
                    || !states.reserve(first + (long) count)
                    || !keys.reserve(saved, savedColumns, 0)) {
                return false;
            }
            if (!calls.reserveSaved(saved, width + 1)) {
                keys.unreserve();
                return false;
            }
            table.ids(encoded, ids);
        }
        states.grow(table.size());
        keys.add(saved, savedColumns, all, count);
        loadStates(saved.column(width), first, count);
        calls.load(saved, width + 1, first);
        return true;
    }

    private void loadStates(ColumnVector column, int first, int count) {
        if (column instanceof ColumnVector.Plain(FieldVector vector)) {
            int stride = states.stride();
            long from = vector.getDataBuffer().memoryAddress();
            for (int i = 0; i < count; i++) {
                OffHeap.copy(from + (long) stride * i, states.address(first + i), stride);
            }
        }
    }

    @Override
    public void clear() {
        calls.close();
        keys.close();
        table.close();
    }

    @Override
    public void close() {
        clear();
        encoder.close();
        savedEncoder.close();
    }
}
