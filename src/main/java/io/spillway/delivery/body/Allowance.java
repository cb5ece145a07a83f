package io.spillway.delivery.body;

import io.spillway.memory.MemoryReservation;
import java.util.ArrayDeque;
import java.util.Deque;

/** Memory that one body may take. One thread at a time. */
final class Allowance implements AutoCloseable {

    private final Deque<MemoryReservation> parts = new ArrayDeque<>();
    private long bytes;

    /** Takes over some. */
    void add(MemoryReservation more) {
        parts.push(more);
        bytes += more.bytes();
    }

    long bytes() {
        return bytes;
    }

    /** Gives back all but so much. */
    void shrink(long needed) {
        while (bytes > needed) {
            MemoryReservation last = parts.element();
            long less = Math.min(bytes - needed, last.bytes());
            bytes -= less;
            if (less == last.bytes()) {
                parts.pop().close();
            } else {
                last.split(less).close();
            }
        }
    }

    @Override
    public void close() {
        shrink(0);
    }
}
