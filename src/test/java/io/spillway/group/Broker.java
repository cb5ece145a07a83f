package io.spillway.group;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Hands out batches, however it is spoken to. Thread-safe. */
interface Broker {

    /**
     * A batch in somebody's hands.
     *
     * @param token what the broker knows it by
     */
    record Held(long firstRow, long rows, long epoch, Object token) {

        long end() {
            return firstRow + rows;
        }
    }

    /** Batches; none if none is free now; empty if all are committed. */
    Optional<List<Held>> claim(String reader, int batches, Duration life);

    /** False if it does not count any more. */
    boolean renew(Held held, Duration life);

    /** False if it does not count any more. */
    boolean commit(Held held);

    /** False if it does not count any more. */
    boolean release(Held held);
}
