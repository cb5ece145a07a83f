package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.RowSchema;
import io.spillway.memory.StateMemory;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * What an aggregation computes.
 *
 * @param input the columns that keys and calls are over
 * @param keys positions of columns; none for one group of all rows
 * @param calls whose states are bounded, none of them distinct
 * @param schema keys, then calls
 */
record Aggregation(RowSchema input, List<Integer> keys, List<AggregateCall> calls, RowSchema schema)
        implements KeyedOperation {

    Aggregation {
        keys = List.copyOf(keys);
        calls = List.copyOf(calls);
    }

    @Override
    public boolean hasKeys() {
        return !keys.isEmpty();
    }

    @Override
    public KeyedState open(int batchRows, BufferAllocator allocator, StateMemory memory) {
        return new GroupTable(this, batchRows, allocator, memory);
    }

    int[] keyPositions() {
        return keys.stream().mapToInt(Integer::intValue).toArray();
    }

    /** The key columns as they come in. */
    RowSchema keySchema() {
        return new RowSchema(keys.stream().map(input::column).toList());
    }

    /** The column that comes out for a call. */
    ColumnSchema result(int call) {
        return schema.column(keys.size() + call);
    }
}
