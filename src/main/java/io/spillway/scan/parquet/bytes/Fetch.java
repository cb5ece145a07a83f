package io.spillway.scan.parquet.bytes;

import io.spillway.batch.OffHeap;
import io.spillway.scan.bytes.Failures;
import io.spillway.scan.bytes.OpenFile;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.arrow.memory.ArrowBuf;

/**
 * A read into a buffer on a virtual thread. The reading thread has a reference to the buffer until
 * it has ended, and so has every holder of the fetch until it has {@linkplain #take taken} or
 * {@linkplain #abandon given up} what is read, once; who comes last frees it.
 */
public final class Fetch {

    private final ArrowBuf buffer;
    private final long position;
    private final int length;
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    private Fetch(ArrowBuf buffer, long position, int length) {
        this.buffer = buffer;
        this.position = position;
        this.length = length;
    }

    /**
     * Starts reading; the caller is the first holder.
     *
     * @param buffer its reference is taken over
     * @param position in the file, of the buffer's first byte
     * @param present bytes at the buffer's start that are there already
     * @param length bytes that there are at the end, at most the buffer's capacity less padding
     */
    public static Fetch start(
            OpenFile file, ArrowBuf buffer, long position, int present, int length) {
        Fetch fetch = new Fetch(buffer, position, length);
        buffer.getReferenceManager().retain();
        Thread.ofVirtual().name("spillway-read").start(() -> fetch.run(file, present));
        return fetch;
    }

    private void run(OpenFile file, int present) {
        try {
            file.readFully(
                    position + present,
                    OffHeap.view(buffer.memoryAddress() + present, length - present));
            buffer.close();
            done.complete(null);
        } catch (Throwable t) {
            buffer.close();
            done.completeExceptionally(t);
        }
    }

    /** Makes another holder. */
    public Fetch share() {
        buffer.getReferenceManager().retain();
        return this;
    }

    /** Done once the read has ended, well or not. */
    CompletableFuture<Void> done() {
        return done;
    }

    long position() {
        return position;
    }

    /** Where in the file the bytes end. */
    long end() {
        return position + length;
    }

    /**
     * The filled buffer, with the holder's reference to it; only once {@link #done} is done.
     *
     * @throws io.spillway.error.SpillwayException why the read failed; the reference is gone then
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

    /** Gives up the holder's part in the read. */
    public void abandon() {
        buffer.close();
    }
}
