package io.spillway.web;

import io.spillway.encode.EncodedChunk;
import java.util.function.LongFunction;

/** A stream that is nothing but a head, rows, and a tail that only a complete stream has. */
final class PlainFraming implements Framing {

    private final byte[] head;
    private final LongFunction<byte[]> tail;
    private final long from;
    private boolean begun;
    private volatile long rows;

    /**
     * @param from number of the first row
     * @param tail what follows the last row, by the number of the row that would come next
     */
    PlainFraming(byte[] head, long from, LongFunction<byte[]> tail) {
        this.head = head;
        this.from = from;
        this.tail = tail;
    }

    /** Number of rows so far. */
    long rows() {
        return rows;
    }

    private void begin(Out out) {
        if (!begun) {
            begun = true;
            out.text(head);
        }
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes at a time
    public void rows(EncodedChunk chunk, Out out) {
        begin(out);
        rows += chunk.rows();
        out.chunk(chunk, 0, chunk.length());
    }

    @Override
    public void end(Out out) {
        begin(out);
        out.text(tail.apply(from + rows));
    }

    @Override
    public void failure(Throwable cause, Out out) {
        // There is no place for anything behind the rows.
    }

    @Override
    public void tick(long now, boolean waiting, Out out) {
        // There is no place for anything between rows.
    }

    @Override
    public boolean ticks() {
        return false;
    }

    @Override
    public void close() {
        // Holds nothing back.
    }
}
