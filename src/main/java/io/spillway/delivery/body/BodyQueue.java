package io.spillway.delivery.body;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Bodies of batches that follow each other, asked for and not made yet: for one who reads the rows
 * once, in order. Thread-safe.
 */
final class BodyQueue {

    private final long to;
    // Guarded by this.
    private final Deque<BodyRequest> asked = new ArrayDeque<>();

    /** The row behind what was asked for; null while that depends on rows that are not read yet. */
    private @Nullable Long end;

    private boolean ending;
    private CompletableFuture<Void> changed = new CompletableFuture<>();
    private @Nullable BodyTask task;
    private boolean stopped;

    /**
     * Of one request.
     *
     * @param to the row behind the last one that will ever be wanted
     */
    BodyQueue(BodyRequest first, long to) {
        this.to = to;
        asked.add(first);
        end = first.end();
    }

    long to() {
        return to;
    }

    /** Adds a request if it goes on where the last one ends, and any may follow. */
    synchronized boolean offer(BodyRequest request) {
        if (ending || end == null || end != request.firstRow()) {
            return false;
        }
        asked.add(request);
        end = request.end();
        changed.complete(null);
        return true;
    }

    /** What is to be made next, which stays; null if that is nothing. */
    synchronized @Nullable BodyRequest first() {
        return asked.peek();
    }

    /**
     * The first has been made, unless it was taken out meanwhile.
     *
     * @param next the row behind its batch
     */
    synchronized void made(BodyRequest request, long next) {
        asked.remove(request);
        if (asked.isEmpty()) {
            end = next;
        }
    }

    /**
     * What is to be made next, after what nobody waits for any more was taken out; null if that is
     * nothing, and then nothing follows.
     */
    synchronized @Nullable BodyRequest sweep() {
        asked.removeIf(request -> request.answer().isDone());
        ending |= asked.isEmpty();
        return asked.peek();
    }

    /** Takes out everything; nothing follows. */
    synchronized List<BodyRequest> drain() {
        release();
        List<BodyRequest> all = new ArrayList<>(asked);
        asked.clear();
        return all;
    }

    /** Done as soon as there is something to do: a request, or to end. */
    synchronized CompletableFuture<Void> changed() {
        if (changed.isDone()) {
            changed = new CompletableFuture<>();
        }
        if (!asked.isEmpty() || ending) {
            changed.complete(null);
        }
        return changed;
    }

    /** Nothing follows what has been asked for. */
    synchronized void release() {
        ending = true;
        changed.complete(null);
    }

    /** Nothing follows if nothing is asked for now. */
    synchronized void releaseIfEmpty() {
        if (asked.isEmpty()) {
            release();
        }
    }

    /** Whether all is made, and nothing follows. */
    synchronized boolean isEnded() {
        return ending && asked.isEmpty();
    }

    /** Somebody is about to read for it. */
    void begun(BodyTask reading) {
        boolean stop;
        synchronized (this) {
            task = reading;
            stop = stopped;
            stopped = false;
        }
        if (stop) {
            reading.stop();
        }
    }

    /** Ends the reading that is under way, or about to begin. */
    void stop() {
        BodyTask reading;
        synchronized (this) {
            reading = task;
            stopped = reading == null;
        }
        if (reading != null) {
            reading.stop();
        }
    }

    /** The reading has ended; another one may begin. */
    synchronized void ended() {
        task = null;
    }
}
