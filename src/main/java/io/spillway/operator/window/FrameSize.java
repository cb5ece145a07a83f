package io.spillway.operator.window;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import org.apache.arrow.memory.BufferAllocator;

/** How many rows the frame has. */
record FrameSize(ColumnSchema schema, BufferAllocator allocator) implements Computation {

    @Override
    public ColumnVector compute(Rows rows, long[] starts, long[] ends) {
        try (Output out = new Output(schema, rows.count(), allocator)) {
            for (int i = 0; i < rows.count(); i++) {
                out.putLong(i, Math.max(0, ends[i] - starts[i]));
            }
            return out.take();
        }
    }

    @Override
    public void close() {}
}
