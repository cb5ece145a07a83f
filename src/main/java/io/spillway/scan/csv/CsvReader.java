package io.spillway.scan.csv;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.text.RecordReader;
import io.spillway.scan.text.TextHead;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Finds records and notes where the wanted fields stand; then makes a vector of each column in
 * turn.
 */
final class CsvReader implements RecordReader {

    private final RowSchema schema;
    private final CsvRecords records;

    /** One a column; null for one that the file does not have. */
    private final List<@Nullable FieldColumn> columns;

    private final BufferAllocator allocator;
    private final MemoryReservation held;
    private int found;

    private CsvReader(
            RowSchema schema,
            CsvRecords records,
            List<@Nullable FieldColumn> columns,
            BufferAllocator allocator,
            MemoryReservation held) {
        this.schema = schema;
        this.records = records;
        this.columns = columns;
        this.allocator = allocator;
        this.held = held;
    }

    static CsvReader open(
            CsvDialect dialect, TextHead head, RowSchema schema, int batchRows, MemoryPool pool) {
        int[] places = new int[head.names().size()];
        Arrays.fill(places, -1);
        NullFields nulls = new NullFields(dialect.nullStrings());
        List<@Nullable FieldColumn> columns = new ArrayList<>();
        for (int i = 0; i < schema.size(); i++) {
            ColumnSchema column = schema.column(i);
            int field = head.names().indexOf(column.name());
            if (field >= 0) {
                places[field] = i;
                columns.add(FieldColumn.of(column, dialect, nulls, pool.allocator()));
            } else {
                columns.add(null);
            }
        }
        MemoryReservation held = pool.account(CsvRecords.bytes(schema.size(), batchRows));
        return new CsvReader(
                schema,
                new CsvRecords(dialect, places.length, places, schema.size(), batchRows),
                columns,
                pool.allocator(),
                held);
    }

    /** What a reader and its batch hold at most. */
    static long bytes(RowSchema schema, int batchRows, int window) {
        long sum = CsvRecords.bytes(schema.size(), batchRows);
        boolean texts = false;
        for (ColumnSchema column : schema.columns()) {
            sum += Buffers.rounded(batchRows / Byte.SIZE + (long) Long.BYTES);
            boolean text = column.type() instanceof ColumnType.Utf8;
            int width = text ? Integer.BYTES : column.type() instanceof ColumnType.Decimal ? 16 : 8;
            sum += Buffers.rounded((batchRows + 1L) * width);
            texts |= text;
        }
        // All texts of a batch stand in one window; each column's buffer may be rounded up.
        return texts ? sum + 2 * Buffers.rounded(window) : sum;
    }

    @Override
    public int find(long from, long to, boolean last, int most) {
        found = records.read(from, to, to, last, most);
        return found;
    }

    @Override
    public int skip(long from, long to, boolean last, long most) {
        return records.skip(from, to, last, most);
    }

    @Override
    public long next() {
        return records.next();
    }

    @Override
    public RecordBatch decode() {
        List<ColumnVector> vectors = new ArrayList<>(schema.size());
        try {
            for (int i = 0; i < schema.size(); i++) {
                FieldColumn column = columns.get(i);
                vectors.add(
                        new ColumnVector.Plain(
                                column == null
                                        ? FieldColumn.missing(schema.column(i), found, allocator)
                                        : column.decode(
                                                records.base(),
                                                records.starts(i),
                                                records.lengths(i),
                                                found)));
            }
            return new RecordBatch(schema, vectors, found);
        } catch (Throwable t) {
            vectors.forEach(ColumnVector::close);
            throw t;
        }
    }

    @Override
    public void close() {
        held.close();
    }
}
