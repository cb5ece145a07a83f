package io.spillway.scan.parquet.value;

import io.spillway.batch.OffHeap;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.bytes.ScratchBuffer;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Delta-encoded lengths, of which some are decoded before they are used up: what a value will take
 * has to be known before it is decided whether the batch takes it.
 */
final class IntegersAhead implements AutoCloseable {

    private final DeltaReader deltas;
    private final ScratchBuffer decoded;

    /** The next of the decoded integers, and how many there are. */
    private int first;

    private int count;

    IntegersAhead(BufferAllocator allocator, Place place) {
        this.deltas = new DeltaReader(place);
        this.decoded = new ScratchBuffer(allocator);
    }

    /**
     * Starts over.
     *
     * @return where the bytes behind the integers are
     */
    long start(long from, long to, int most) {
        first = 0;
        count = 0;
        deltas.start(from, to, most);
        long end = deltas.finish();
        deltas.start(from, to, most);
        return end;
    }

    /** Integers that have not been used up. */
    int left() {
        return count + deltas.left();
    }

    /** Where the next integers are, 4 bytes each; valid until the next call. */
    long look(int values) {
        if (values > count) {
            long start = decoded.grown(4L * values);
            if (first > 0) {
                OffHeap.copy(start + 4L * first, start, 4L * count);
                first = 0;
            }
            deltas.ints(start + 4L * count, values - count);
            count = values;
        }
        return decoded.grown(0) + 4L * first;
    }

    /** Uses up integers that have been looked at. */
    void use(int values) {
        first += values;
        count -= values;
    }

    @Override
    public void close() {
        decoded.close();
    }
}
