package io.spillway.operator.window;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.memory.MemoryHolding;
import io.spillway.operator.key.EncodedKeys;
import io.spillway.operator.key.KeyEncoder;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
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

    /** What an entry takes beside its key, about. */
    private static final long ENTRY_BYTES = 64;

    private final int column;
    private final boolean growing;
    private final Reader reader;
    private final KeyEncoder encoder;
    private final RowValues values;
    private final MemoryHolding holding;
    private final Deque<Candidate> queue = new ArrayDeque<>();
    private @Nullable EncodedKeys keys;
    private long number = -1;
    private long to;
    private long held;

    /** A row that may be the best of a frame. */
    private record Candidate(long position, Key key) {}

    /** A copy of an ordered key. */
    private static final class Key {

        private final byte[] bytes;

        Key(EncodedKeys keys, int row) {
            bytes = new byte[keys.length(row)];
            OffHeap.read(keys.address(row), bytes, 0, bytes.length);
        }

        boolean isBefore(Key other) {
            return Arrays.compareUnsigned(bytes, other.bytes) < 0;
        }

        long size() {
            return ENTRY_BYTES + bytes.length;
        }
    }

    /**
     * The best of frames.
     *
     * @param growing whether all frames of a partition begin where it does
     * @param encoder of the argument's column, such that the best has the least key; taken over
     * @param values of the argument; taken over
     */
    Extreme(
            Segment segment,
            int column,
            boolean growing,
            KeyEncoder encoder,
            RowValues values,
            MemoryHolding holding) {
        this.column = column;
        this.growing = growing;
        this.reader = new Reader(segment);
        this.encoder = encoder;
        this.values = values;
        this.holding = holding;
    }

    @Override
    public ColumnVector compute(Rows rows, long[] starts, long[] ends) {
        long[] positions = new long[rows.count()];
        for (int i = 0; i < positions.length; i++) {
            slide(starts[i], ends[i]);
            Candidate best = queue.peekFirst();
            positions[i] = best == null ? RowValues.NONE : best.position;
        }
        return values.take(positions, rows.batch, 0);
    }

    private void slide(long start, long end) {
        while (!queue.isEmpty() && queue.getFirst().position < start) {
            forget(queue.removeFirst());
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
        Key key = new Key(all, row);
        if (growing && !queue.isEmpty() && !key.isBefore(queue.getFirst().key)) {
            return;
        }
        while (!queue.isEmpty() && key.isBefore(queue.getLast().key)) {
            forget(queue.removeLast());
        }
        remember(new Candidate(to, key));
    }

    private boolean isNull(int row) {
        return switch (reader.batch().column(column)) {
            case ColumnVector.Plain(FieldVector vector) -> vector.isNull(row);
            case ColumnVector.Encoded encoded -> encoded.indices().isNull(row);
        };
    }

    private void remember(Candidate candidate) {
        long bytes = candidate.key.size();
        if (queue.size() > 1 && !holding.tryGrow(bytes)) {
            throw new SpillwayException(
                    ErrorCode.MEMORY_LIMIT,
                    "The frames of a window function are too large for the job's memory");
        }
        held += queue.size() > 1 ? bytes : 0;
        queue.addLast(candidate);
    }

    private void forget(Candidate candidate) {
        long bytes = Math.min(held, candidate.key.size());
        held -= bytes;
        if (bytes > 0) {
            holding.shrink(bytes);
        }
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
        queue.clear();
        holding.shrink(held);
        held = 0;
        dropKeys();
        reader.close();
        encoder.close();
        values.close();
    }
}
