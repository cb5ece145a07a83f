package io.spillway.delivery;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What a delivery's thread is told by others, in the order in which they say it: as much as is
 * under way at a time, and a few words from outside.
 */
final class Events {

    private final BlockingQueue<Consumer<Dispatch>> told = new LinkedBlockingQueue<>();

    private boolean closed;

    /**
     * Never waits.
     *
     * @return whether somebody listens
     */
    synchronized boolean tell(Consumer<Dispatch> event) {
        return !closed && told.add(event);
    }

    /** Nobody listens any more. What was told and not dealt with is dealt with now. */
    void close(Dispatch dispatch) {
        synchronized (this) {
            closed = true;
        }
        deal(dispatch, Duration.ZERO);
    }

    /** Waits for the first one, so long at most, and deals with all that are there. */
    void deal(Dispatch dispatch, Duration patience) {
        try {
            Consumer<Dispatch> event = told.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
            while (event != null) {
                event.accept(dispatch);
                event = told.poll();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a delivery", e);
        }
    }
}
