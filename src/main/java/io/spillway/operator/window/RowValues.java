package io.spillway.operator.window;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.operator.key.RowGather;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Values of a column in rows of a segment, which never go back from one to the next. */
final class RowValues implements AutoCloseable {

    /** In place of a position: null. */
    static final long NONE = -1;

    /** In place of a position: the row's own value of another column. */
    static final long OWN = -2;

    private final Reader reader;
    private final int column;
    private final RowSchema schema;
    private final BufferAllocator allocator;

    /**
     * Values of a column.
     *
     * @param schema of what comes out
     */
    RowValues(Segment segment, int column, ColumnSchema schema, BufferAllocator allocator) {
        this.reader = new Reader(segment);
        this.column = column;
        this.schema = new RowSchema(List.of(schema));
        this.allocator = allocator;
    }

    /**
     * The values at some positions, as a column that the caller owns.
     *
     * @param positions or {@link #NONE} or {@link #OWN}
     * @param own the rows themselves, and the column of theirs that is taken for {@link #OWN}
     */
    ColumnVector take(long[] positions, RecordBatch own, int ownColumn) {
        List<RecordBatch> sources = new ArrayList<>();
        int[] sourceOf = new int[positions.length];
        int[] rowOf = new int[positions.length];
        try {
            if (Arrays.stream(positions).anyMatch(position -> position == OWN)) {
                sources.add(single(own, ownColumn));
            }
            int ofReader = -1;
            long number = -1;
            for (int i = 0; i < positions.length; i++) {
                if (positions[i] == NONE) {
                    rowOf[i] = -1;
                } else if (positions[i] == OWN) {
                    rowOf[i] = i;
                } else {
                    rowOf[i] = reader.moveTo(positions[i]);
                    if (reader.number() != number) {
                        number = reader.number();
                        ofReader = sources.size();
                        sources.add(single(reader.batch(), column));
                    }
                    sourceOf[i] = ofReader;
                }
            }
            try (RecordBatch taken =
                    new RowGather(schema, sources)
                            .gather(sourceOf, rowOf, positions.length, allocator)) {
                return taken.column(0).slice(0, positions.length);
            }
        } finally {
            sources.forEach(RecordBatch::close);
        }
    }

    private RecordBatch single(RecordBatch batch, int of) {
        return new RecordBatch(
                schema, List.of(batch.column(of).slice(0, batch.rowCount())), batch.rowCount());
    }

    @Override
    public void close() {
        reader.close();
    }
}
