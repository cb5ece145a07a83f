package io.spillway.operator.aggregate;

import io.spillway.batch.BatchStream;
import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.operator.WorkContext;
import io.spillway.operator.key.EncodedKeys;
import io.spillway.operator.key.KeyEncoder;
import io.spillway.operator.key.SortKey;
import io.spillway.operator.sort.SortOperator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;

/**
 * Rows as a {@link SortedCall} wants them sorted.
 *
 * <pre>
 *   key       the group's key as bytes; left out if all rows are one group
 *   skipped   whether the call does not count the row; such rows come last in their group
 *   value     the call's argument
 *   order …   what the call's order is by, if not by the value
 *   number    of the row in the input
 * </pre>
 */
final class SortedInput implements BatchStream {

    private final BatchStream input;
    private final BufferAllocator allocator;
    private final KeyEncoder encoder;
    private final boolean keyed;
    private final CallRows counted;
    private final int[] columns;
    private final RowSchema schema;
    private long rows;

    private SortedInput(
            BatchStream input,
            BufferAllocator allocator,
            KeyEncoder encoder,
            boolean keyed,
            CallRows counted,
            int[] columns,
            RowSchema schema) {
        this.input = input;
        this.allocator = allocator;
        this.encoder = encoder;
        this.keyed = keyed;
        this.counted = counted;
        this.columns = columns;
        this.schema = schema;
    }

    /**
     * The rows, sorted.
     *
     * @param schema of the rows, which keys and call are over
     * @param rows taken over
     */
    static BatchStream sorted(
            RowSchema schema,
            List<Integer> keys,
            AggregateCall call,
            BatchStream rows,
            WorkContext context) {
        BufferAllocator allocator = context.pool().allocator();
        KeyEncoder encoder = KeyEncoder.equal(keys, schema, allocator);
        boolean keyed = !keys.isEmpty();
        List<ColumnSchema> columns = new ArrayList<>();
        List<SortKey> order = new ArrayList<>();
        if (keyed) {
            order.add(new SortKey(0, false, false));
            columns.add(
                    new ColumnSchema(
                            "key",
                            encoder.width() < 0
                                    ? new ColumnType.Binary()
                                    : new ColumnType.FixedBinary(encoder.width()),
                            false));
        }
        order.add(new SortKey(columns.size(), false, false));
        columns.add(new ColumnSchema("skipped", new ColumnType.Bool(), false));
        List<Integer> taken = new ArrayList<>(List.of(call.arguments().getFirst()));
        int first = columns.size();
        for (SortKey key : call.order()) {
            if (!taken.contains(key.column())) {
                taken.add(key.column());
            }
            order.add(
                    new SortKey(
                            first + taken.indexOf(key.column()),
                            key.descending(),
                            key.nullsFirst()));
        }
        for (int column : taken) {
            ColumnSchema own = schema.column(column);
            columns.add(new ColumnSchema("c" + columns.size(), own.type(), own.nullable()));
        }
        columns.add(new ColumnSchema("number", new ColumnType.Int(Long.SIZE, true), false));
        RowSchema sorted = new RowSchema(columns);
        SortedInput input =
                new SortedInput(
                        rows,
                        allocator,
                        encoder,
                        keyed,
                        CallRows.of(call),
                        taken.stream().mapToInt(Integer::intValue).toArray(),
                        sorted);
        return new SortOperator(order, Long.MAX_VALUE, sorted).over(List.of(input), context);
    }

    @Override
    public RowSchema schema() {
        return schema;
    }

    @Override
    public Poll<RecordBatch> poll() {
        Poll<RecordBatch> in = input.poll();
        if (!(in instanceof Poll.Output<RecordBatch>(RecordBatch batch))) {
            return in;
        }
        try (batch) {
            return Poll.output(values(batch));
        }
    }

    private RecordBatch values(RecordBatch batch) {
        int count = batch.rowCount();
        List<ColumnVector> parts = new ArrayList<>(schema.size());
        try {
            if (keyed) {
                parts.add(keys(batch));
            }
            parts.add(skipped(batch));
            for (int column : columns) {
                parts.add(batch.column(column).slice(0, count));
            }
            long[] numbers = new long[count];
            for (int i = 0; i < count; i++) {
                numbers[i] = rows++;
            }
            parts.add(NumberedRows.column(numbers, count, allocator));
            return new RecordBatch(schema, parts, count);
        } catch (Throwable t) {
            parts.forEach(ColumnVector::close);
            throw t;
        }
    }

    private ColumnVector keys(RecordBatch batch) {
        int count = batch.rowCount();
        try (EncodedKeys keys = encoder.encode(batch)) {
            if (keys.width() < 0) {
                long bytes = 0;
                for (int i = 0; i < count; i++) {
                    bytes += keys.length(i);
                }
                try (BytesColumn column =
                        new BytesColumn(schema.column(0), count, bytes, allocator)) {
                    for (int i = 0; i < count; i++) {
                        column.add(keys.address(i), keys.length(i));
                    }
                    return column.take();
                }
            }
            FixedSizeBinaryVector vector =
                    new FixedSizeBinaryVector("key", allocator, keys.width());
            try {
                vector.allocateNew(count);
                setAll(vector.getValidityBuffer().memoryAddress(), count);
                vector.setValueCount(count);
                if (count > 0) {
                    OffHeap.copy(
                            keys.address(0),
                            vector.getDataBuffer().memoryAddress(),
                            (long) count * keys.width());
                }
                return new ColumnVector.Plain(vector);
            } catch (Throwable t) {
                vector.close();
                throw t;
            }
        }
    }

    private static void setAll(long bitmap, int count) {
        OffHeap.fill(bitmap, (count + 7L) / 8, (byte) -1);
    }

    private ColumnVector skipped(RecordBatch batch) {
        int count = batch.rowCount();
        int[] all = new int[count];
        Arrays.setAll(all, i -> i);
        int[] chosen = new int[count];
        int size = counted.bind(batch).choose(all, 0, count, chosen);
        BitVector vector = new BitVector("skipped", allocator);
        try {
            vector.allocateNew(count);
            setAll(vector.getValidityBuffer().memoryAddress(), count);
            vector.setValueCount(count);
            long data = vector.getDataBuffer().memoryAddress();
            setAll(data, count);
            for (int i = 0; i < size; i++) {
                long at = data + (chosen[i] >>> 3);
                OffHeap.putByte(at, (byte) (OffHeap.getByte(at) & ~(1 << (chosen[i] & 7))));
            }
            return new ColumnVector.Plain(vector);
        } catch (Throwable t) {
            vector.close();
            throw t;
        }
    }

    @Override
    public void release() {
        input.release();
    }

    @Override
    public void close() {
        encoder.close();
        input.close();
    }
}
