package io.spillway.operator.partition;

import io.spillway.batch.HeldBytes;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Compact;
import io.spillway.operator.key.RowGather;
import io.spillway.spill.SpillFile;
import io.spillway.spill.SpillSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Spreads rows over one file a partition, each partition's in their order. Batches wait until there
 * are enough rows for each file, so that its blocks are not too small; then they are put together
 * partition by partition. Not thread-safe. Closing frees what waits, and deletes what is not
 * finished.
 */
public final class PartitionWriter implements AutoCloseable {

    /** In place of a partition: the row is in none. */
    public static final int OUTSIDE = -1;

    private final RowSchema schema;
    private final int bits;
    private final long blockBytes;
    private final int mostRows;
    private final @Nullable RunWriter outside;
    private final BufferAllocator allocator;
    private final List<RunWriter> writers = new ArrayList<>();
    private final List<RecordBatch> waiting = new ArrayList<>();
    private final List<int[]> partitions = new ArrayList<>();
    private int waitingRows;

    /** What waits, and keeps from being freed. */
    private HeldBytes held = new HeldBytes();

    private long waitingBytes;
    private long mostBytes;

    /**
     * A writer that lets the bytes of one block wait.
     *
     * @param bits two to the power of that is the number of partitions
     * @param blockRows rows of a file's blocks, if they are even in size; as many rows wait for
     *     each file at most
     * @param blockBytes bytes of a block at most, about
     * @param outside takes the rows of no partition; null if they are not wanted; stays the
     *     caller's
     */
    public PartitionWriter(
            RowSchema schema,
            int bits,
            int blockRows,
            long blockBytes,
            @Nullable RunWriter outside,
            SpillSpace space,
            BufferAllocator allocator) {
        this.schema = schema;
        this.bits = bits;
        this.blockBytes = blockBytes;
        this.mostRows = blockRows << bits;
        this.outside = outside;
        this.allocator = allocator;
        this.mostBytes = blockBytes;
        for (int i = 0; i < 1 << bits; i++) {
            writers.add(new RunWriter(space, schema));
        }
    }

    /** Sets how many bytes wait at most, with the batch that is added last. */
    public void setWaitingBytes(long bytes) {
        mostBytes = bytes;
    }

    /** The partition of a hash: its highest bits. */
    public int partition(long hash) {
        return (int) (hash >>> (Long.SIZE - bits));
    }

    /**
     * Adds rows.
     *
     * @param batch taken over, whether this fails or not
     * @param partitionOf for each row its partition, or {@link #OUTSIDE}; not changed after
     */
    public void add(RecordBatch batch, int[] partitionOf) {
        RecordBatch own = Compact.compact(batch, allocator);
        waiting.add(own);
        partitions.add(partitionOf);
        waitingRows += own.rowCount();
        waitingBytes += held.columns(own);
        if (waitingBytes >= mostBytes || waitingRows >= mostRows) {
            flush();
        }
    }

    /** Writes what waits. */
    public void flush() {
        if (waitingRows > 0) {
            write();
        }
        forget();
    }

    private void write() {
        // One for the rows outside, which stand first, and one for each partition.
        int[] ends = new int[(1 << bits) + 1];
        for (int b = 0; b < waiting.size(); b++) {
            int[] partitionOf = partitions.get(b);
            for (int row = 0; row < waiting.get(b).rowCount(); row++) {
                ends[partitionOf[row] + 1]++;
            }
        }
        int[] next = new int[ends.length];
        for (int i = 1; i < ends.length; i++) {
            next[i] = ends[i - 1];
            ends[i] += ends[i - 1];
        }
        int[] sourceOf = new int[waitingRows];
        int[] rowOf = new int[waitingRows];
        for (int b = 0; b < waiting.size(); b++) {
            int[] partitionOf = partitions.get(b);
            for (int row = 0; row < waiting.get(b).rowCount(); row++) {
                int at = next[partitionOf[row] + 1]++;
                sourceOf[at] = b;
                rowOf[at] = row;
            }
        }
        RowGather gather = new RowGather(schema, waiting);
        int piece = Math.clamp(blockBytes * waitingRows / (waitingBytes + 1), 1, waitingRows);
        for (int i = 0; i < ends.length; i++) {
            RunWriter writer = i == 0 ? outside : writers.get(i - 1);
            if (writer == null) {
                continue;
            }
            for (int from = i == 0 ? 0 : ends[i - 1]; from < ends[i]; from += piece) {
                int to = Math.min(ends[i], from + piece);
                try (RecordBatch rows =
                        gather.gather(
                                Arrays.copyOfRange(sourceOf, from, to),
                                Arrays.copyOfRange(rowOf, from, to),
                                to - from,
                                allocator)) {
                    writer.append(rows);
                }
            }
        }
    }

    private void forget() {
        waiting.forEach(RecordBatch::close);
        waiting.clear();
        partitions.clear();
        waitingRows = 0;
        waitingBytes = 0;
        held = new HeldBytes();
    }

    /** The files, owned by the caller. */
    public PartitionFiles finish() {
        flush();
        List<@Nullable SpillFile> files = new ArrayList<>();
        try {
            for (RunWriter writer : writers) {
                files.add(writer.finish());
            }
            return new PartitionFiles(files);
        } catch (Throwable t) {
            new PartitionFiles(files).close();
            throw t;
        }
    }

    @Override
    public void close() {
        forget();
        writers.forEach(RunWriter::close);
    }
}
