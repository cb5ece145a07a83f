package io.spillway.operator.aggregate;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.spill.SpillFile;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** Reads a partition, a batch at a time: saved keys, then rows. Deletes what has been read. */
final class PartitionReader implements AutoCloseable {

    private final Partition partition;
    private final BufferAllocator allocator;
    private final Deque<SpillFile> saved;
    private @Nullable BatchStream stream;
    private boolean atEnd;

    /**
     * @param partition taken over
     */
    PartitionReader(Partition partition, BufferAllocator allocator) {
        this.partition = partition;
        this.allocator = allocator;
        this.saved = new ArrayDeque<>(partition.saved());
    }

    int level() {
        return partition.level();
    }

    boolean isAtEnd() {
        return atEnd;
    }

    /** Adds the next batch to what is kept of keys. */
    void addNext(KeyedLevel keys) {
        SpillFile file = saved.isEmpty() ? partition.rows() : saved.peek();
        if (file == null) {
            atEnd = true;
            return;
        }
        BatchStream open = stream;
        if (open == null) {
            open = file.read(allocator);
            stream = open;
        }
        switch (open.poll()) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                try (batch) {
                    if (saved.isEmpty()) {
                        keys.add(NumberedRows.of(batch));
                    } else {
                        keys.addSaved(batch);
                    }
                }
            }
            case Poll.Blocked<RecordBatch> _ -> {}
            case Poll.Finished<RecordBatch> _ -> {
                open.close();
                stream = null;
                file.close();
                if (saved.poll() == null) {
                    atEnd = true;
                }
            }
        }
    }

    @Override
    public void close() {
        if (stream != null) {
            stream.close();
            stream = null;
        }
        partition.close();
    }
}
