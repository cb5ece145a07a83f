package io.spillway.delivery.body;

import io.spillway.job.Job;
import io.spillway.job.JobService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Makes the bodies of one delivery, in the turns and within the memory of its job. Bodies that are
 * asked for one behind the other come out of one stream of rows, which is read no further than they
 * need, but for the engine's batch that it is in the middle of; others come out of streams of their
 * own. Where the stream stands never shows in the bodies.
 *
 * <p>Thread-safe. Several bodies may be asked for at a time. Futures are completed where waiting is
 * allowed. Cancelling one stops what is done for it; whoever gets a {@link Body} closes it.
 */
public final class BodyReader implements AutoCloseable {

    /**
     * Reads nothing yet.
     *
     * @param waiting runs what may wait
     * @param links what links in the bodies are; null if the form has none
     */
    public BodyReader(
            JobService jobs, Job job, BodyForm form, Executor waiting, @Nullable Links links) {
        throw new UnsupportedOperationException();
    }

    /**
     * Cuts and reads the batch that begins at a row, by the shape of the form: the same rows are
     * cut in the same way at all times. A batch that is short has the reason in its cut.
     *
     * @return {@link NoRows} at the end; fails with a {@code SpillwayException} if the rows cannot
     *     be had: if the job failed, ended or is interrupted
     */
    public CompletableFuture<BodyRead> next(long firstRow) {
        throw new UnsupportedOperationException();
    }

    /**
     * Reads a batch that was cut before, or a part of one. As {@link #next}, whose answer it
     * repeats to the byte if that had the same rows; but its cut has no reason.
     *
     * @param rows how many it has, ≥ 1; all of them are there
     */
    public CompletableFuture<BodyRead> read(long firstRow, long rows) {
        throw new UnsupportedOperationException();
    }

    /**
     * Gives back all that is kept for reading on: to be called when nothing will be asked for soon.
     * Bodies that are being made are not touched. What is not read on is given back by itself,
     * after a while.
     */
    public void release() {
        throw new UnsupportedOperationException();
    }

    /** Cancels what is being made, and frees everything but the bodies that were handed out. */
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
