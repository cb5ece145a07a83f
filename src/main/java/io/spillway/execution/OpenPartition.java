package io.spillway.execution;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.memory.MemoryReservation;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A partition that a task works on: admitted, opened, pulled, and given back. */
final class OpenPartition implements AutoCloseable {

    private final Partition partition;
    private @Nullable CompletableFuture<MemoryReservation> admission;
    private @Nullable BatchStream stream;

    OpenPartition(Partition partition) {
        this.partition = partition;
    }

    /** As {@link BatchStream#poll()}; blocked while the partition waits for its admission. */
    Poll<RecordBatch> poll() {
        if (admission == null) {
            admission = partition.admit();
        }
        if (!admission.isDone()) {
            return Poll.blocked(admission);
        }
        admission.join();
        if (stream == null) {
            stream = partition.open();
        }
        return stream.poll();
    }

    /** Whether the stream is open: it has been admitted. */
    boolean isOpen() {
        return stream != null;
    }

    /** Holds neither admission nor buffers until the next pull, only its row. */
    void release() {
        if (stream != null) {
            stream.release();
            leave();
        }
    }

    @Override
    public void close() {
        BatchStream open = stream;
        stream = null;
        if (open != null) {
            open.close();
        }
        leave();
    }

    /** Gives the admission back, now or as soon as it is granted. */
    private void leave() {
        CompletableFuture<MemoryReservation> granted = admission;
        admission = null;
        if (granted != null) {
            var _ = granted.thenAccept(MemoryReservation::close);
        }
    }
}
