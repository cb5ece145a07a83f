package io.spillway.scan.ndjson;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.text.RecordReader;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonParser;

/** Reads objects, field by field, into the columns that are wanted. */
final class NdjsonReader implements RecordReader {

    /** Elements of lists, or rows, that buffers have room for at first. */
    private static final int USUAL_ELEMENTS = 4;

    private final RowSchema schema;
    private final JsonLines lines;
    private final JsonRows rows;
    private final JsonFields fields;
    private final MemoryReservation held;
    private int found;

    NdjsonReader(RowSchema schema, int batchRows, MemoryPool pool) {
        this.schema = schema;
        this.held = pool.account(JsonLines.bytes(batchRows));
        this.lines = new JsonLines(batchRows);
        this.rows = new JsonRows(pool);
        this.fields = new JsonFields(schema.columns(), pool.allocator());
    }

    /** What a reader and its batch hold at most, as a rule. */
    static long bytes(RowSchema schema, int batchRows, int window) {
        long sum = JsonLines.bytes(batchRows) + window;
        boolean texts = false;
        for (ColumnSchema column : schema.columns()) {
            sum += bytes(column.type(), batchRows);
            texts |= column.type() instanceof ColumnType.Utf8 || column.type().isNested();
        }
        return texts ? sum + 2 * Buffers.rounded(window) : sum;
    }

    private static long bytes(ColumnType type, long rows) {
        long own = Buffers.rounded(rows / Byte.SIZE + Long.BYTES);
        return own
                + switch (type) {
                    case ColumnType.ListOf(ColumnType element, boolean _) ->
                            Buffers.rounded((rows + 1) * Integer.BYTES)
                                    + bytes(element, USUAL_ELEMENTS * rows);
                    case ColumnType.Struct(List<ColumnSchema> fields) ->
                            fields.stream().mapToLong(field -> bytes(field.type(), rows)).sum();
                    case ColumnType.Utf8 _ -> Buffers.rounded((rows + 1) * Integer.BYTES);
                    case ColumnType.Decimal _ -> Buffers.rounded(rows * 16);
                    case ColumnType _ -> Buffers.rounded(rows * Long.BYTES);
                };
    }

    @Override
    public int find(long from, long to, boolean last, int most) {
        found = lines.find(from, to, to, last, most, Integer.MAX_VALUE);
        return found;
    }

    @Override
    public int skip(long from, long to, boolean last, long most) {
        return lines.skip(from, to, last, most);
    }

    @Override
    public long next() {
        return lines.next();
    }

    @Override
    public RecordBatch decode() {
        fields.start(found);
        List<ColumnVector> vectors = new ArrayList<>(schema.size());
        try {
            rows.read(lines, found, this::take);
            for (JsonColumn column : fields.columns()) {
                vectors.add(new ColumnVector.Plain(column.finish()));
            }
            return new RecordBatch(schema, vectors, found);
        } catch (Throwable t) {
            vectors.forEach(ColumnVector::close);
            throw t;
        } finally {
            fields.close();
        }
    }

    private void take(JsonRows all, JsonParser parser) {
        fields.append(all, parser);
    }

    @Override
    public void close() {
        fields.close();
        rows.close();
        held.close();
    }
}
