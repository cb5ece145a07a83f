package io.spillway.delivery.body;

import io.spillway.encode.BatchEncoders;
import io.spillway.encode.Caps;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.execution.Failures;
import io.spillway.job.Job;
import io.spillway.job.JobBatches;
import io.spillway.job.JobService;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Makes the bodies of one delivery, in the turns and within the memory of its job. Bodies that are
 * asked for one behind the other come out of one stream of rows, which is read no further than they
 * need, but for the engine's batch that it is in the middle of; others come out of streams of their
 * own. Where a stream stands never shows in the bodies.
 *
 * <p>Thread-safe. Several bodies may be asked for at a time. Futures are completed where waiting is
 * allowed. Cancelling one stops what is done for it; whoever gets a {@link Body} closes it.
 */
public final class BodyReader implements AutoCloseable {

    private final JobService jobs;
    private final Job job;
    private final BodyForm form;
    private final Executor waiting;
    private final @Nullable Links links;
    private final long least;
    private final BodyTask.Owner owner = new Finished();
    // Guarded by this.
    private final Set<BodyQueue> queues = new HashSet<>();

    /** The one that is read on. */
    private @Nullable BodyQueue stream;

    private boolean closed;

    /**
     * Reads nothing yet.
     *
     * @param job whose life somebody else extends
     * @param waiting runs what may wait
     * @param links what links in the bodies are; null if the form has none
     */
    public BodyReader(
            JobService jobs, Job job, BodyForm form, Executor waiting, @Nullable Links links) {
        if (form.usesLinks() && links == null) {
            throw new IllegalArgumentException("no links for a form that has some");
        }
        this.jobs = jobs;
        this.job = job;
        this.form = form;
        this.waiting = waiting;
        this.links = links;
        this.least = form.slots().size() * (long) BatchEncoders.CHUNK_BYTES;
    }

    /**
     * Cuts and makes the batch that begins at a row, by the shape of the form: the same rows are
     * cut in the same way at all times. A batch that is short has the reason in its cut. Rows are
     * read on from there afterwards.
     *
     * @return {@link NoRows} at the end; fails with a {@code SpillwayException} if the rows cannot
     *     be had: if the job failed, ended or is interrupted
     */
    public CompletableFuture<BodyRead> next(long firstRow) {
        int linkBytes = links == null ? 0 : links.maxBytes();
        BodyRequest request =
                new BodyRequest(firstRow, form.caps(firstRow, linkBytes), form.shape().dropLast());
        return ask(request, Long.MAX_VALUE);
    }

    /**
     * Makes a batch that was cut before, or a part of one. As {@link #next}, whose answer it
     * repeats to the byte if that had the same rows; but no cap closes it, and a short one is not
     * left out.
     *
     * @param rows how many it has, ≥ 1; fewer if the job has no more
     */
    public CompletableFuture<BodyRead> read(long firstRow, long rows) {
        Caps caps = form.exactly(rows);
        return ask(new BodyRequest(firstRow, caps, false), firstRow + rows);
    }

    /**
     * @param to where to stop reading if the stream does not stand at the request's first row
     */
    private CompletableFuture<BodyRead> ask(BodyRequest request, long to) {
        BodyQueue queue;
        BodyQueue begun = null;
        synchronized (this) {
            if (closed) {
                return CompletableFuture.failedFuture(
                        new SpillwayException(ErrorCode.CANCELED, "The delivery is stopped"));
            }
            BodyQueue open = stream;
            if (open != null && open.offer(request)) {
                queue = open;
            } else {
                queue = new BodyQueue(request, to);
                begun = queue;
                queues.add(queue);
                if (to == Long.MAX_VALUE) {
                    if (open != null) {
                        open.release();
                    }
                    stream = queue;
                }
            }
        }
        var _ =
                request.answer()
                        .whenComplete(
                                (read, failure) -> {
                                    if (request.answer().isCancelled()) {
                                        queue.stop();
                                    }
                                });
        if (begun != null) {
            open(begun, least);
        }
        return request.answer();
    }

    private void open(BodyQueue queue, long besides) {
        waiting.execute(
                () -> {
                    BodyRequest first = queue.sweep();
                    if (first == null) {
                        forget(queue);
                        return;
                    }
                    try {
                        read(queue, first, besides);
                    } catch (Throwable t) {
                        fail(queue, Failures.asSpillway(t));
                    }
                });
    }

    /** Starts to read for a queue. Waits. */
    private void read(BodyQueue queue, BodyRequest first, long besides) {
        JobBatches batches;
        try {
            batches = jobs.part(job, first.firstRow(), queue.to(), form.columns(), besides);
        } catch (SpillwayException e) {
            if (e.code() != ErrorCode.MEMORY_LIMIT || besides == least) {
                throw e;
            }
            // The body needs more than there ever is.
            first.spoil(e);
            batches = jobs.part(job, first.firstRow(), queue.to(), form.columns(), least);
        }
        BodyTask task;
        try {
            task = new BodyTask(owner, form, links, queue, batches, least);
        } catch (Throwable t) {
            batches.close();
            throw t;
        }
        queue.begun(task);
        task.started(batches.start(task));
        var _ = batches.interrupted().thenAccept(task::interrupt);
    }

    private void fail(BodyQueue queue, SpillwayException failure) {
        forget(queue);
        for (BodyRequest request : queue.drain()) {
            request.answer().completeExceptionally(failure.copy());
        }
    }

    private synchronized void forget(BodyQueue queue) {
        queue.release();
        queues.remove(queue);
        if (stream == queue) {
            stream = null;
        }
    }

    /**
     * Gives back all that is kept for reading on: to be called when nothing will be asked for soon.
     * Bodies that are being made are not touched. What is not read on is given back by itself,
     * after a while.
     */
    public synchronized void release() {
        BodyQueue open = stream;
        stream = null;
        if (open != null) {
            open.release();
        }
    }

    /** Cancels what is being made, and frees everything but the bodies that were handed out. */
    @Override
    public void close() {
        List<BodyQueue> open;
        synchronized (this) {
            closed = true;
            open = List.copyOf(queues);
        }
        for (BodyQueue queue : open) {
            queue.drain().forEach(request -> request.answer().cancel(false));
            queue.stop();
        }
    }

    /** What becomes of readings. */
    private final class Finished implements BodyTask.Owner {

        @Override
        public void made(BodyRequest request, BodyRead read) {
            waiting.execute(
                    () -> {
                        if (!request.answer().complete(read) && read instanceof Body body) {
                            body.close();
                        }
                    });
        }

        @Override
        public void ended(BodyQueue queue, @Nullable SpillwayException failure, long besides) {
            queue.ended();
            if (failure != null) {
                waiting.execute(() -> fail(queue, failure));
            } else {
                open(queue, besides);
            }
        }
    }
}
