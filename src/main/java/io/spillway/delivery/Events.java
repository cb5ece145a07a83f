package io.spillway.delivery;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What a delivery's thread is told by others, in the order in which they say it. As much as is
 * under way at a time, and a few words from outside.
 */
final class Events {

    private final BlockingQueue<Consumer<Dispatch>> told = new LinkedBlockingQueue<>();

    /** Never waits. */
    void tell(Consumer<Dispatch> event) {
        told.add(event);
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
