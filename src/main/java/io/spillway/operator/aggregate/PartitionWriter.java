package io.spillway.operator.aggregate;

import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.operator.key.RowGather;
import io.spillway.spill.SpillFile;
import io.spillway.spill.SpillSpace;
import io.spillway.spill.SpillWriter;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows to one file a partition. Rows are kept until they are enough for blocks of some size,
 * then put together partition by partition. Each partition's rows stay in order.
 */
final class PartitionWriter implements AutoCloseable {

    /** Partitions of a level; a power of two. */
    static final int FAN_OUT = 16;

    private static final int HASH_SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(FAN_OUT);

    /** Bytes and rows that are kept at most before they are written. */
    private static final long MAX_BYTES = 256 << 10;

    private static final int MAX_ROWS = 1_024 * FAN_OUT;

    private final RowSchema schema;
    private final SpillSpace space;
    private final BufferAllocator allocator;
    private final @Nullable SpillWriter[] writers = new SpillWriter[FAN_OUT];
    private final List<RecordBatch> batches = new ArrayList<>();
    private final byte[] partitions = new byte[MAX_ROWS];
    private int rows;
    private long bytes;

    PartitionWriter(RowSchema schema, SpillSpace space, BufferAllocator allocator) {
        this.schema = schema;
        this.space = space;
        this.allocator = allocator;
    }

    /**
     * Adds rows, which are taken over.
     *
     * @param hashes of their keys, whose highest bits choose the partition
     */
    void add(RecordBatch batch, long[] hashes) {
        int count = batch.rowCount();
        for (int from = 0; from < count; ) {
            int length = Math.min(count - from, MAX_ROWS - rows);
            for (int i = 0; i < length; i++) {
                partitions[rows + i] = (byte) (hashes[from + i] >>> HASH_SHIFT);
            }
            boolean whole = length == count;
            try {
                RecordBatch part = whole ? batch : batch.slice(from, length);
                batches.add(part);
                rows += length;
                for (int i = 0; i < schema.size(); i++) {
                    bytes += part.column(i).bytes();
                }
            } catch (Throwable t) {
                batch.close();
                throw t;
            }
            from += length;
            if (!whole && from == count) {
                batch.close();
            }
            if (rows == MAX_ROWS || bytes >= MAX_BYTES) {
                try {
                    flush();
                } catch (Throwable t) {
                    if (!whole && from < count) {
                        batch.close();
                    }
                    throw t;
                }
            }
        }
        if (count == 0) {
            batch.close();
        }
    }

    private void flush() {
        if (rows == 0) {
            return;
        }
        int[] counts = new int[FAN_OUT + 1];
        for (int i = 0; i < rows; i++) {
            counts[partitions[i] + 1]++;
        }
        for (int p = 0; p < FAN_OUT; p++) {
            counts[p + 1] += counts[p];
        }
        int[] sourceOf = new int[rows];
        int[] rowOf = new int[rows];
        int[] next = counts.clone();
        int at = 0;
        for (int b = 0; b < batches.size(); b++) {
            int size = batches.get(b).rowCount();
            for (int i = 0; i < size; i++) {
                int place = next[partitions[at++]]++;
                sourceOf[place] = b;
                rowOf[place] = i;
            }
        }
        RowGather gather = new RowGather(schema, batches);
        for (int p = 0; p < FAN_OUT; p++) {
            int count = counts[p + 1] - counts[p];
            if (count > 0) {
                int[] sources = java.util.Arrays.copyOfRange(sourceOf, counts[p], counts[p + 1]);
                int[] places = java.util.Arrays.copyOfRange(rowOf, counts[p], counts[p + 1]);
                try (RecordBatch part = gather.gather(sources, places, count, allocator)) {
                    writer(p).append(part);
                }
            }
        }
        drop();
    }

    private SpillWriter writer(int partition) {
        SpillWriter writer = writers[partition];
        if (writer == null) {
            writer = space.create(schema);
            writers[partition] = writer;
        }
        return writer;
    }

    private void drop() {
        batches.forEach(RecordBatch::close);
        batches.clear();
        rows = 0;
        bytes = 0;
    }

    /**
     * Writes the rest.
     *
     * @return the partitions' files, which the caller owns; null where there are no rows
     */
    @Nullable SpillFile[] finish() {
        flush();
        @Nullable SpillFile[] files = new SpillFile[FAN_OUT];
        try {
            for (int p = 0; p < FAN_OUT; p++) {
                SpillWriter writer = writers[p];
                if (writer != null) {
                    files[p] = writer.finish();
                }
            }
            return files;
        } catch (Throwable t) {
            for (SpillFile file : files) {
                if (file != null) {
                    file.close();
                }
            }
            throw t;
        }
    }

    /** Deletes what was not finished. */
    @Override
    public void close() {
        drop();
        for (SpillWriter writer : writers) {
            if (writer != null) {
                writer.close();
            }
        }
    }
}
