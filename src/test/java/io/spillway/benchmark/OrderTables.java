package io.spillway.benchmark;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VarCharVector;

/**
 * Tables in memory in the shape of sales and of who they were to: a key, a number, an amount and a
 * name, of sales perhaps more of the same. Values follow from the row's number alone. Closing frees
 * the rows.
 */
final class OrderTables implements AutoCloseable {

    static final ColumnType LONG = new ColumnType.Int(Long.SIZE, true);
    static final ColumnType DOUBLE = new ColumnType.FloatingPoint(Double.SIZE);

    private final BufferAllocator allocator;
    private final int batchRows;
    private final long keys;

    /** Sales: their keys come in no order, each about as often as the others. */
    final List<RecordBatch> left;

    /** One row a key, in no order of the keys. */
    final List<RecordBatch> right;

    OrderTables(long rows, long keys, int batchRows, BufferAllocator allocator) {
        this.allocator = allocator;
        this.batchRows = batchRows;
        this.keys = keys;
        this.left = table("sale", rows, true);
        this.right = table("customer", keys, false);
    }

    static RowSchema schema(String prefix) {
        return new RowSchema(
                List.of(
                        new ColumnSchema(prefix + " key", LONG, true),
                        new ColumnSchema(prefix + " number", LONG, true),
                        new ColumnSchema(prefix + " amount", DOUBLE, true),
                        new ColumnSchema(prefix + " name", new ColumnType.Utf8(), true)));
    }

    /** Some of a table's columns, by position, perhaps more than once. */
    static RowSchema schema(RowSchema table, List<Integer> columns) {
        List<ColumnSchema> chosen = new ArrayList<>();
        for (int column : columns) {
            ColumnSchema of = table.column(column);
            chosen.add(
                    new ColumnSchema(
                            of.name() + " " + chosen.size(), of.type(), of.nullable()));
        }
        return new RowSchema(chosen);
    }

    private List<RecordBatch> table(String prefix, long rows, boolean random) {
        List<RecordBatch> batches = new ArrayList<>();
        for (long first = 0; first < rows; first += batchRows) {
            batches.add(batch(prefix, first, (int) Math.min(batchRows, rows - first), random));
        }
        return batches;
    }

    private RecordBatch batch(String prefix, long first, int rows, boolean random) {
        RowSchema schema = schema(prefix);
        BigIntVector key = new BigIntVector(schema.column(0).toArrow(), allocator);
        BigIntVector number = new BigIntVector(schema.column(1).toArrow(), allocator);
        Float8Vector amount = new Float8Vector(schema.column(2).toArrow(), allocator);
        VarCharVector name = new VarCharVector(schema.column(3).toArrow(), allocator);
        List<FieldVector> vectors = List.of(key, number, amount, name);
        vectors.forEach(FieldVector::allocateNew);
        for (int i = 0; i < rows; i++) {
            long mixed = mix(first + i);
            long of = random ? Long.remainderUnsigned(mixed, keys) : spread(first + i);
            key.setSafe(i, of);
            number.setSafe(i, mixed >>> 40);
            amount.setSafe(i, (mixed & 0xFFFFF) / 100.0);
            byte[] text = "%s#%09d".formatted(prefix, of).getBytes(StandardCharsets.UTF_8);
            name.setSafe(i, text);
        }
        vectors.forEach(vector -> vector.setValueCount(rows));
        List<ColumnVector> columns = new ArrayList<>();
        vectors.forEach(vector -> columns.add(new ColumnVector.Plain(vector)));
        return new RecordBatch(schema, columns, rows);
    }

    /** Each key once, as long as their number has no divisor in common with the factor. */
    private long spread(long row) {
        return row * 7_919 % keys;
    }

    /** The last steps of MurmurHash3 (Austin Appleby, public domain). */
    private static long mix(long value) {
        long mixed = (value + 1) * 0xFF51AFD7ED558CCDL;
        mixed = (mixed ^ mixed >>> 33) * 0xC4CEB9FE1A85EC53L;
        return mixed ^ mixed >>> 33;
    }

    /** The sum of a table's keys, for a check. */
    static long keys(RecordBatch batch) {
        long sum = 0;
        if (batch.column(0) instanceof ColumnVector.Plain(FieldVector vector)) {
            long data = vector.getDataBufferAddress();
            for (int i = 0; i < batch.rowCount(); i++) {
                sum += OffHeap.getLong(data + (long) Long.BYTES * i);
            }
        }
        return sum;
    }

    /** The rows of a table, which stay there, with columns as of {@link #schema}. */
    static BatchStream stream(List<RecordBatch> table, List<Integer> columns) {
        RowSchema schema = schema(table.getFirst().schema(), columns);
        return new BatchStream() {

            private int next;

            @Override
            public RowSchema schema() {
                return schema;
            }

            @Override
            public Poll<RecordBatch> poll() {
                if (next == table.size()) {
                    return Poll.finished();
                }
                RecordBatch batch = table.get(next++);
                List<ColumnVector> parts = new ArrayList<>();
                columns.forEach(i -> parts.add(batch.column(i).slice(0, batch.rowCount())));
                return Poll.output(new RecordBatch(schema, parts, batch.rowCount()));
            }

            @Override
            public void close() {
                next = table.size();
            }
        };
    }

    @Override
    public void close() {
        left.forEach(RecordBatch::close);
        right.forEach(RecordBatch::close);
    }
}
