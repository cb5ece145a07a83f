package io.spillway.operator.aggregate;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RowSchema;
import io.spillway.memory.StateMemory;
import io.spillway.operator.BlockingOperator;
import io.spillway.operator.WorkContext;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The first row of each key, in the input's order. Rows come out as they come in for as long as the
 * keys fit in memory.
 *
 * @param schema the columns, which come out as they come in
 * @param keys positions of columns; none for the first row alone
 */
public record DistinctOperator(RowSchema schema, List<Integer> keys) implements BlockingOperator {

    public DistinctOperator {
        keys = List.copyOf(keys);
    }

    @Override
    public BatchStream over(List<BatchStream> inputs, WorkContext context) {
        return new KeyedStream(new Work(schema, keys), inputs.getFirst(), context);
    }

    /** What is kept of keys: that they were seen. */
    record Work(RowSchema input, List<Integer> keys) implements KeyedOperation {

        @Override
        public RowSchema schema() {
            return input;
        }

        @Override
        public boolean hasKeys() {
            return !keys.isEmpty();
        }

        @Override
        public KeyedState open(int batchRows, BufferAllocator allocator, StateMemory memory) {
            return new DistinctTable(keys, input, allocator, memory);
        }
    }
}
