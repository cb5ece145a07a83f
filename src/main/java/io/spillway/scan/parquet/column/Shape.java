package io.spillway.scan.parquet.column;

import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.footer.ColumnNode;
import io.spillway.scan.parquet.footer.Slots;
import io.spillway.scan.parquet.value.Validity;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.jspecify.annotations.Nullable;

/**
 * What one leaf's levels tell of a node above it, for the batch under way: which of its slots are
 * null, and for a list or map where the elements of each one are.
 */
public final class Shape implements AutoCloseable {

    private final Validity validity;
    private final @Nullable ListOffsets offsets;

    /**
     * @param node a struct, list or map
     * @param where its slots
     */
    Shape(ColumnNode node, Slots where, BufferAllocator allocator, Place place) {
        this.validity = new Validity(where, node.presentAt(), allocator);
        this.offsets =
                node instanceof ColumnNode.Repeated list
                        ? new ListOffsets(list, where, allocator, place)
                        : null;
    }

    /**
     * Appends what some entries tell.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT} if levels contradict each
     *     other
     */
    void append(long definitions, long repetitions, int count) {
        validity.append(definitions, repetitions, count);
        if (offsets != null) {
            offsets.append(definitions, repetitions, count, validity.slots());
        }
    }

    /** Loads an empty vector with the batch; its child is not touched. The next batch begins. */
    void take(FieldVector into) {
        ArrowFieldNode counts = new ArrowFieldNode(validity.slots(), validity.nulls());
        try (ArrowBuf bitmap = validity.take()) {
            if (offsets == null) {
                into.loadFieldBuffers(counts, List.of(bitmap));
            } else {
                try (ArrowBuf starts = offsets.take()) {
                    into.loadFieldBuffers(counts, List.of(bitmap, starts));
                }
            }
        }
    }

    @Override
    public void close() {
        validity.close();
        if (offsets != null) {
            offsets.close();
        }
    }
}
