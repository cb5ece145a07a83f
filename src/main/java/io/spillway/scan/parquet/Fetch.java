package io.spillway.scan.parquet;

import io.spillway.batch.OffHeap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.arrow.memory.ArrowBuf;

/**
 * A read into a buffer on a virtual thread. The buffer belongs to the reading thread until it has
 * ended, then to whoever made the fetch; who comes second after {@link #abandon} frees it.
 */
final class Fetch {

    private enum State {
        READING,
        ENDED,
        ABANDONED
    }

    private final ArrowBuf buffer;
    private final long position;
    private final int length;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final AtomicReference<State> state = new AtomicReference<>(State.READING);

    private Fetch(ArrowBuf buffer, long position, int length) {
        this.buffer = buffer;
        this.position = position;
        this.length = length;
    }

    /**
     * Starts reading.
     *
     * @param buffer taken over
     * @param position in the file, of the buffer's first byte
     * @param present bytes at the buffer's start that are there already
     * @param length bytes that there are at the end, at most the buffer's capacity less padding
     */
    static Fetch start(OpenFile file, ArrowBuf buffer, long position, int present, int length) {
        Fetch fetch = new Fetch(buffer, position, length);
        Thread.ofVirtual().name("spillway-read").start(() -> fetch.run(file, present));
        return fetch;
    }

    private void run(OpenFile file, int present) {
        Throwable failure = null;
        try {
            file.readFully(
                    position + present,
                    OffHeap.view(buffer.memoryAddress() + present, length - present));
        } catch (Throwable t) {
            failure = t;
        }
        if (!state.compareAndSet(State.READING, State.ENDED)) {
            buffer.close();
        }
        if (failure == null) {
            done.complete(null);
        } else {
            done.completeExceptionally(failure);
        }
    }

    /** Done once the read has ended, well or not. */
    CompletableFuture<Void> done() {
        return done;
    }

    long position() {
        return position;
    }

    int length() {
        return length;
    }

    /**
     * The filled buffer, now the caller's; only once {@link #done} is done.
     *
     * @throws io.spillway.error.SpillwayException why the read failed; the buffer is freed then
     */
    ArrowBuf take() {
        try {
            done.join();
            return buffer;
        } catch (CompletionException e) {
            buffer.close();
            throw Failures.typed(e);
        }
    }

    /** Gives the read up; its buffer is freed now, or when the read has ended. */
    void abandon() {
        if (!state.compareAndSet(State.READING, State.ABANDONED)) {
            buffer.close();
        }
    }
}
