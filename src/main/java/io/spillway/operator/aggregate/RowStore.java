package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Decode;
import io.spillway.expression.Gather;
import io.spillway.memory.StateMemory;
import io.spillway.operator.key.RowGather;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/**
 * Rows of some columns, numbered as they are added: what groups have of their first rows. Kept as
 * plain batches; small neighbours are put together, so that there are never many.
 */
final class RowStore implements AutoCloseable {

    /** Batches of so many rows stay as they are. */
    private static final int FULL = 4_096;

    private final RowSchema schema;
    private final BufferAllocator allocator;
    private final StateMemory memory;
    private final List<Chunk> chunks = new ArrayList<>();
    private int size;
    private long reserved;
    private @Nullable RowGather gather;

    /**
     * Some rows.
     *
     * @param first number of the first
     */
    private record Chunk(RecordBatch batch, int first, long bytes) {

        int end() {
            return first + batch.rowCount();
        }

        boolean holds(int row) {
            return row >= first && row < end();
        }
    }

    /**
     * @param schema of the rows that are kept
     */
    RowStore(RowSchema schema, BufferAllocator allocator, StateMemory memory) {
        this.schema = schema;
        this.allocator = allocator;
        this.memory = memory;
    }

    int size() {
        return size;
    }

    /** Bytes of memory that the rows take. */
    long bytes() {
        return chunks.stream().mapToLong(Chunk::bytes).sum();
    }

    /**
     * Makes room for any rows of a batch, and for more bytes beside.
     *
     * @param columns positions of those that are kept
     * @return false if there is no memory for them
     */
    boolean reserve(RecordBatch batch, int[] columns, long more) {
        long bytes = BufferBytes.ofCopy(batch, columns) + more;
        if (!memory.tryGrow(bytes)) {
            return false;
        }
        reserved += bytes;
        return true;
    }

    /** Makes room for a batch of plain columns as it is; false if there is no memory for it. */
    boolean reserveFor(RecordBatch batch) {
        long bytes = bytes(batch);
        if (!memory.tryGrow(bytes)) {
            return false;
        }
        reserved += bytes;
        return true;
    }

    /** Gives back the room that has been made and not been used. */
    void unreserve() {
        memory.shrink(reserved);
        reserved = 0;
    }

    /** Adds rows of a batch for which {@link #reserve} has made room, each at most once. */
    void add(RecordBatch batch, int[] columns, int[] rows, int count) {
        if (count == 0) {
            unreserve();
        } else {
            add(new RecordBatch(schema, copies(batch, columns, rows, count), count));
        }
    }

    /** Adds rows for which room has been made; takes over the batch, which is of plain columns. */
    void add(RecordBatch batch) {
        long bytes = Math.min(reserved, bytes(batch));
        reserved -= bytes;
        unreserve();
        append(new Chunk(batch, size, bytes));
        merge();
    }

    private void append(Chunk chunk) {
        chunks.add(chunk);
        size = chunk.end();
        gather = null;
    }

    private static long bytes(RecordBatch batch) {
        List<FieldVector> vectors = new ArrayList<>();
        for (int i = 0; i < batch.schema().size(); i++) {
            if (batch.column(i) instanceof ColumnVector.Plain(FieldVector vector)) {
                vectors.add(vector);
            }
        }
        return BufferBytes.held(vectors);
    }

    /** Values of columns in plain form; the caller owns them. */
    List<ColumnVector> copies(RecordBatch batch, int[] columns, int[] rows, int count) {
        List<ColumnVector> parts = new ArrayList<>(columns.length + 1);
        try {
            for (int column : columns) {
                parts.add(plain(Gather.take(batch.column(column), rows, count, allocator)));
            }
            return parts;
        } catch (Throwable t) {
            parts.forEach(ColumnVector::close);
            throw t;
        }
    }

    private ColumnVector plain(ColumnVector column) {
        if (column instanceof ColumnVector.Encoded encoded) {
            try (encoded) {
                return new ColumnVector.Plain(Decode.decode(encoded, allocator));
            }
        }
        return column;
    }

    /** Puts the last batches together while that at least doubles what is copied. */
    private void merge() {
        int from = chunks.size() - 1;
        int rows = chunks.get(from).batch.rowCount();
        while (from > 0
                && rows + chunks.get(from - 1).batch.rowCount() <= FULL
                && chunks.get(from - 1).batch.rowCount() <= 2 * rows) {
            rows += chunks.get(--from).batch.rowCount();
        }
        if (from == chunks.size() - 1) {
            return;
        }
        List<Chunk> parts = chunks.subList(from, chunks.size());
        int first = parts.getFirst().first;
        long before = parts.stream().mapToLong(Chunk::bytes).sum();
        RowGather source = new RowGather(schema, parts.stream().map(Chunk::batch).toList());
        RecordBatch whole = range(source, parts, first, rows);
        long bytes = bytes(whole);
        // Rounded to powers of two, the whole may be more than its parts.
        if (bytes > before && !memory.tryGrow(bytes - before)) {
            whole.close();
            return;
        }
        memory.shrink(Math.max(0, before - bytes));
        parts.forEach(chunk -> chunk.batch.close());
        parts.clear();
        append(new Chunk(whole, first, bytes));
    }

    /** Rows {@code [from, from + count)}; the caller owns the batch. */
    RecordBatch take(int from, int count) {
        return range(gather(), chunks, from, count);
    }

    /** Rows by number, in any order; negative ones give nulls. The caller owns the batch. */
    RecordBatch take(int[] numbers, int count) {
        int[] sourceOf = new int[count];
        int[] rowOf = new int[count];
        int part = 0;
        for (int i = 0; i < count; i++) {
            int number = numbers[i];
            if (number < 0) {
                rowOf[i] = -1;
                continue;
            }
            if (!chunks.get(part).holds(number)) {
                part = find(chunks, number);
            }
            sourceOf[i] = part;
            rowOf[i] = number - chunks.get(part).first;
        }
        return gather().gather(sourceOf, rowOf, count, allocator);
    }

    /** The batch that a row is in. */
    Place place(int number) {
        Chunk chunk = chunks.get(find(chunks, number));
        return new Place(chunk.batch, number - chunk.first);
    }

    /** Where a row is; stays the store's. */
    record Place(RecordBatch batch, int row) {}

    private RowGather gather() {
        RowGather known = gather;
        if (known == null) {
            known = new RowGather(schema, chunks.stream().map(Chunk::batch).toList());
            gather = known;
        }
        return known;
    }

    private RecordBatch range(RowGather source, List<Chunk> parts, int from, int count) {
        int[] sourceOf = new int[count];
        int[] rowOf = new int[count];
        int part = find(parts, from);
        for (int i = 0; i < count; i++) {
            while (from + i >= parts.get(part).end()) {
                part++;
            }
            sourceOf[i] = part;
            rowOf[i] = from + i - parts.get(part).first;
        }
        return source.gather(sourceOf, rowOf, count, allocator);
    }

    private static int find(List<Chunk> parts, int row) {
        int low = 0;
        int high = parts.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (parts.get(middle).first <= row) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    @Override
    public void close() {
        long bytes = bytes() + reserved;
        chunks.forEach(chunk -> chunk.batch.close());
        chunks.clear();
        gather = null;
        size = 0;
        reserved = 0;
        memory.shrink(bytes);
    }
}
