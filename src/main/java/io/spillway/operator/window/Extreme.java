package io.spillway.operator.window;

import io.spillway.batch.ColumnVector;
import io.spillway.operator.key.EncodedKeys;
import io.spillway.operator.key.KeyEncoder;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/**
 * The least value of frames, or the greatest, by a queue of the rows that may still be it: those of
 * which no later row in the frame is better. Its head is the frame's best; where frames only grow,
 * there is never more than that.
 *
 * <p>Equal values differ at most as -0.0 and 0.0 do; the first one is taken.
 */
final class Extreme implements Computation {

    private final int column;
    private final boolean growing;
    private final Reader reader;
    private final KeyEncoder encoder;
    private final RowValues values;
    private final KeyQueue queue;
    private @Nullable EncodedKeys keys;
    private long number = -1;
    private long to;

    /**
     * The best of frames.
     *
     * @param growing whether all frames of a partition begin where it does
     * @param encoder of the argument's column, such that the best has the least key; taken over
     * @param values of the argument; taken over
     * @param queue taken over
     */
    Extreme(
            Segment segment,
            int column,
            boolean growing,
            KeyEncoder encoder,
            RowValues values,
            KeyQueue queue) {
        this.column = column;
        this.growing = growing;
        this.reader = new Reader(segment);
        this.encoder = encoder;
        this.values = values;
        this.queue = queue;
    }

    @Override
    public ColumnVector compute(Rows rows, long[] starts, long[] ends) {
        long[] positions = new long[rows.count()];
        for (int i = 0; i < positions.length; i++) {
            slide(starts[i], ends[i]);
            positions[i] = queue.isEmpty() ? RowValues.NONE : queue.firstPosition();
        }
        return values.take(positions, rows.batch, 0);
    }

    private void slide(long start, long end) {
        while (!queue.isEmpty() && queue.firstPosition() < start) {
            queue.removeFirst();
        }
        for (to = Math.max(to, start); to < end; to++) {
            enter(reader.moveTo(to));
        }
    }

    private void enter(int row) {
        if (reader.number() != number) {
            dropKeys();
            number = reader.number();
            keys = encoder.encode(reader.batch());
        }
        EncodedKeys all = keys;
        if (all == null || isNull(row)) {
            return;
        }
        long address = all.address(row);
        int length = all.length(row);
        if (growing && !queue.isEmpty() && !queue.isBeforeFirst(address, length)) {
            return;
        }
        while (!queue.isEmpty() && queue.isBeforeLast(address, length)) {
            queue.removeLast();
        }
        queue.add(to, address, length);
    }

    private boolean isNull(int row) {
        return switch (reader.batch().column(column)) {
            case ColumnVector.Plain(FieldVector vector) -> vector.isNull(row);
            case ColumnVector.Encoded encoded -> encoded.indices().isNull(row);
        };
    }

    private void dropKeys() {
        EncodedKeys old = keys;
        keys = null;
        if (old != null) {
            old.close();
        }
    }

    @Override
    public void close() {
        queue.close();
        dropKeys();
        reader.close();
        encoder.close();
        values.close();
    }
}
