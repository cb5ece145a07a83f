package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.execution.Partition;
import io.spillway.memory.MemoryReservation;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;

/**
 * Chosen rows of a source as ranges to read, one after the other: rows that are near each other are
 * read together with what lies between.
 */
final class SampleRanges implements Iterator<Partition> {

    /** Rows that are read in about the time that it takes to open a file. */
    private static final long GAP = 16_384;

    private final RowSource input;
    private final long[] rows;
    private final int to;
    private final ReadContext context;
    private int next;

    /**
     * @param rows ascending, of which {@code [from, to)} are wanted
     */
    SampleRanges(RowSource input, long[] rows, int from, int to, ReadContext context) {
        this.input = input;
        this.rows = rows;
        this.next = from;
        this.to = to;
        this.context = context;
    }

    @Override
    public boolean hasNext() {
        return next < to;
    }

    @Override
    public Partition next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        int first = next;
        do {
            next++;
        } while (next < to && rows[next] - rows[next - 1] < GAP);
        return new Range(input, rows, first, next, context);
    }

    /** Rows of a range. What its stream holds is admitted where the input's parts are. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Range(RowSource input, long[] rows, int from, int to, ReadContext context)
            implements Partition {

        @Override
        public CompletableFuture<MemoryReservation> admit() {
            return context.pool().admit(0);
        }

        @Override
        public BatchStream open() {
            return new PickStream(
                    input.open(rows[from], rows[to - 1] + 1, context),
                    rows,
                    from,
                    to,
                    context.pool().allocator());
        }
    }
}
