package io.spillway.delivery.body;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.encode.JsonFormat;
import io.spillway.encode.MeasuredEncoder;
import io.spillway.encode.MeasuredRows;
import io.spillway.operator.ColumnSet;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** Writes the rows of one slot, for body after body. One thread at a time. */
final class SlotWriter {

    private final List<Integer> columns;
    private final MeasuredEncoder encoder;
    private @Nullable RecordBatch seen;
    private @Nullable RecordBatch view;

    /**
     * @param read the columns that batches have
     * @param schema of these
     */
    SlotWriter(Piece.Slot slot, ColumnSet read, RowSchema schema) {
        columns = slot.columns().stream().map(read::indexOf).toList();
        RowSchema written = new RowSchema(columns.stream().map(schema::column).toList());
        encoder =
                switch (slot.layout()) {
                    case OBJECTS ->
                            MeasuredEncoder.rows(written, format(JsonFormat.Layout.ARRAY_ELEMENTS));
                    case LINES -> MeasuredEncoder.rows(written, format(JsonFormat.Layout.LINES));
                    case VALUES ->
                            MeasuredEncoder.values(
                                    written.column(0), format(JsonFormat.Layout.ARRAY_ELEMENTS));
                };
    }

    private static JsonFormat format(JsonFormat.Layout layout) {
        return new JsonFormat(layout, false, false, false);
    }

    /** As {@link MeasuredEncoder#encode}. */
    MeasuredRows write(RecordBatch batch, int from, int to, BufferAllocator allocator) {
        RecordBatch own = view;
        if (own == null || seen != batch) {
            own = view(batch);
            view = own;
            seen = batch;
        }
        return encoder.encode(own, 0, from, to, MeasuredRows.Weights.NONE, allocator);
    }

    /** The slot's columns, which stay the batch's. */
    private RecordBatch view(RecordBatch batch) {
        List<ColumnVector> picked = new ArrayList<>(columns.size());
        columns.forEach(column -> picked.add(batch.column(column)));
        return new RecordBatch(encoder.schema(), picked, batch.rowCount());
    }

    /** Forgets the batch, which is about to be closed. */
    void forget() {
        seen = null;
        view = null;
    }
}
