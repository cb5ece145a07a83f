package io.spillway.operator.sort;

import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import io.spillway.operator.key.EncodedKeys;
import io.spillway.operator.key.KeyBytes;
import io.spillway.operator.key.KeyEncoder;
import io.spillway.operator.key.RowGather;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Leaves out rows that cannot be among those that are asked for: their keys are not below a bound.
 */
final class BestRows implements AutoCloseable {

    private final SortShape shape;
    private final KeyEncoder encoder;
    private byte @Nullable [] bound;
    private @Nullable ArrowBuf memory;

    BestRows(SortShape shape) {
        this.shape = shape;
        this.encoder = shape.encoder();
    }

    /**
     * The rows of a batch below a bound.
     *
     * @param batch taken over
     * @param key the bound; null if there is none yet
     * @return the caller's
     */
    RecordBatch keep(RecordBatch batch, byte @Nullable [] key) {
        if (key == null) {
            return batch;
        }
        ArrowBuf at = set(key);
        int count = 0;
        int[] rows = new int[batch.rowCount()];
        try (EncodedKeys keys = encoder.encode(batch)) {
            for (int i = 0; i < rows.length; i++) {
                int order =
                        KeyBytes.compare(
                                keys.address(i), keys.length(i), at.memoryAddress(), key.length);
                if (order < 0) {
                    rows[count++] = i;
                }
            }
        } catch (Throwable t) {
            batch.close();
            throw t;
        }
        if (count == rows.length) {
            return batch;
        }
        BufferAllocator allocator = shape.allocator();
        try (batch) {
            return new RowGather(shape.schema(), List.of(batch))
                    .gather(new int[count], rows, count, allocator);
        }
    }

    private ArrowBuf set(byte[] key) {
        ArrowBuf now = memory;
        if (now != null && Arrays.equals(bound, key)) {
            return now;
        }
        close();
        now = shape.allocator().buffer(key.length + Long.BYTES);
        OffHeap.write(key, 0, now.memoryAddress(), key.length);
        memory = now;
        bound = key;
        return now;
    }

    @Override
    public void close() {
        encoder.close();
        ArrowBuf now = memory;
        memory = null;
        if (now != null) {
            now.close();
        }
    }
}
