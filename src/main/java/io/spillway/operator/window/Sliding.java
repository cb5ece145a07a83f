package io.spillway.operator.window;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Sums over frames: rows are added as they come into the frame, and taken off as they leave it.
 *
 * <pre>
 *   rows    a b c d e f g h
 *   before    [     ]            in the sum: b c d
 *   now           [     ]        b and c are taken off, e and f are added
 * </pre>
 */
final class Sliding implements Computation {

    /** What is known of the rows in the frame. */
    interface Total {

        void reset();

        /** Adds the row that the reader is at, or takes it off. */
        void change(Reader reader, int row, boolean add);

        void put(int row, Output out);
    }

    private final Total total;
    private final Reader entering;
    private final Reader leaving;
    private final ColumnSchema schema;
    private final BufferAllocator allocator;

    /** The rows that are in the total. */
    private long from;

    private long to;

    Sliding(Total total, Segment segment, ColumnSchema schema, BufferAllocator allocator) {
        this.total = total;
        this.entering = new Reader(segment);
        this.leaving = new Reader(segment);
        this.schema = schema;
        this.allocator = allocator;
    }

    @Override
    public ColumnVector compute(Rows rows, long[] starts, long[] ends) {
        try (Output out = new Output(schema, rows.count(), allocator)) {
            for (int i = 0; i < rows.count(); i++) {
                slide(starts[i], ends[i]);
                total.put(i, out);
            }
            return out.take();
        }
    }

    private void slide(long start, long end) {
        if (start >= to) {
            total.reset();
            from = start;
            to = start;
        }
        for (; from < start; from++) {
            total.change(leaving, leaving.moveTo(from), false);
        }
        for (; to < end; to++) {
            total.change(entering, entering.moveTo(to), true);
        }
    }

    @Override
    public void close() {
        entering.close();
        leaving.close();
    }
}
