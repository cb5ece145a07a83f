package io.spillway.delivery.body;

import io.spillway.batch.RecordBatch;
import io.spillway.group.Weights;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * What writers of bodies of text keep from body to body: encoders, and what rows have taken lately.
 * That decides on how many are looked at together, and on nothing else. One thread at a time.
 */
final class Slots {

    private final List<SlotWriter> writers;
    private final BufferAllocator allocator;
    private double meanRow;
    private @Nullable RecordBatch weighed;
    private double[] weights = {};

    Slots(BodyForm form, BufferAllocator allocator) {
        this.writers =
                form.slots().stream()
                        .map(slot -> new SlotWriter(slot, form.columns(), form.schema()))
                        .toList();
        this.allocator = allocator;
    }

    List<SlotWriter> writers() {
        return writers;
    }

    BufferAllocator allocator() {
        return allocator;
    }

    /** Bytes that a row has taken lately, in all slots; 0 if that is not known. */
    double meanRow() {
        return meanRow;
    }

    /** Rows have taken so many bytes. */
    void took(int rows, long bytes) {
        meanRow = Math.max(1, (double) bytes / rows);
    }

    /** What the rows of a batch weigh by a column. */
    double[] weights(RecordBatch batch, int column) {
        if (weighed != batch) {
            weights = Weights.of(batch.column(column));
            weighed = batch;
        }
        return weights;
    }

    /** Forgets the batch, which is about to be closed. */
    void forget() {
        writers.forEach(SlotWriter::forget);
        weighed = null;
    }
}
