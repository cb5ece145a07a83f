package io.spillway.execution;

import io.spillway.batch.BatchStream;
import io.spillway.memory.MemoryReservation;
import java.util.concurrent.CompletableFuture;

/**
 * A part of a plan's rows that one task works through: an unopened stream and what opening it
 * takes.
 */
public interface Partition {

    /**
     * Asks for the memory that the stream will hold at most; does not wait. The caller closes the
     * reservation when the stream is closed or released, and asks again before it goes on.
     */
    CompletableFuture<MemoryReservation> admit();

    /** The stream; does not wait. The caller closes it. */
    BatchStream open();
}
