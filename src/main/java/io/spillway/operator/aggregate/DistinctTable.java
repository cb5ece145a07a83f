package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.memory.StateMemory;
import io.spillway.operator.key.EncodedKeys;
import io.spillway.operator.key.KeyEncoder;
import io.spillway.operator.key.KeyHash;
import io.spillway.operator.key.KeyTable;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.jspecify.annotations.Nullable;

/** Keys that have been seen; the rows that are the first of theirs come out at once. */
final class DistinctTable implements KeyedState {

    private static final RowSchema SAVED =
            new RowSchema(List.of(new ColumnSchema("key", new ColumnType.Binary(), false)));

    private final RowSchema schema;
    private final BufferAllocator allocator;
    private final KeyEncoder encoder;
    private final KeyTable table;
    private final Deque<RecordBatch> fresh = new ArrayDeque<>();
    private int[] ids = new int[0];
    private int[] rows = new int[0];

    /**
     * @param keys positions of columns
     * @param schema of the rows
     */
    DistinctTable(
            List<Integer> keys, RowSchema schema, BufferAllocator allocator, StateMemory memory) {
        this.schema = schema;
        this.allocator = allocator;
        this.encoder = KeyEncoder.equal(keys, schema, allocator);
        this.table = new KeyTable(encoder.width(), allocator, memory);
    }

    @Override
    public int size() {
        return table.size();
    }

    @Override
    public boolean tryAdd(NumberedRows input) {
        int count = input.count();
        if (ids.length < count) {
            ids = new int[count];
            rows = new int[count];
        }
        int before = table.size();
        try (EncodedKeys encoded = encoder.encode(input.batch())) {
            if (!table.reserve(encoded)) {
                return false;
            }
            table.ids(encoded, ids);
        }
        int next = before;
        for (int i = 0; i < count && next < table.size(); i++) {
            if (ids[i] == next) {
                rows[next - before] = i;
                next++;
            }
        }
        if (next > before) {
            fresh.add(input.take(schema, rows, next - before, allocator));
        }
        return true;
    }

    @Override
    public void find(RecordBatch batch, int[] to) {
        try (EncodedKeys encoded = encoder.encode(batch)) {
            table.find(encoded, to);
        }
    }

    @Override
    public boolean tryUpdate(RecordBatch batch, int[] rowsOf, int[] idsOf, int count) {
        return true;
    }

    @Override
    public RowSchema savedSchema() {
        return SAVED;
    }

    @Override
    public RecordBatch save(int from, int count) {
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += table.length(from + i);
        }
        try (BytesColumn column = new BytesColumn(SAVED.column(0), count, bytes, allocator)) {
            for (int i = 0; i < count; i++) {
                column.add(table.address(from + i), table.length(from + i));
            }
            return new RecordBatch(SAVED, List.of(column.take()), count);
        }
    }

    @Override
    public boolean tryLoad(RecordBatch saved) {
        if (ids.length < saved.rowCount()) {
            ids = new int[saved.rowCount()];
            rows = new int[saved.rowCount()];
        }
        try (EncodedKeys encoded = saved(saved)) {
            if (!table.reserve(encoded)) {
                return false;
            }
            table.ids(encoded, ids);
            return true;
        }
    }

    private EncodedKeys saved(RecordBatch saved) {
        if (saved.column(0) instanceof ColumnVector.Plain(FieldVector vector)) {
            return EncodedKeys.of((VarBinaryVector) vector, encoder.width(), allocator);
        }
        throw new IllegalStateException("saved keys are encoded");
    }

    @Override
    public void hashes(RecordBatch batch, int level, long[] to) {
        try (EncodedKeys encoded = encoder.encode(batch)) {
            KeyHash.of(encoded, level, to);
        }
    }

    @Override
    public void savedHashes(RecordBatch saved, int level, long[] to) {
        try (EncodedKeys encoded = saved(saved)) {
            KeyHash.of(encoded, level, to);
        }
    }

    @Override
    public @Nullable RecordBatch next(boolean ended) {
        return fresh.poll();
    }

    @Override
    public void clear() {
        table.close();
    }

    @Override
    public void close() {
        fresh.forEach(RecordBatch::close);
        fresh.clear();
        table.close();
        encoder.close();
    }
}
