package io.spillway.export;

import io.spillway.catalog.ExportRoots;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.execution.Failures;
import io.spillway.execution.PartitionScheduler.TaskHandle;
import io.spillway.job.Job;
import io.spillway.job.JobBatches;
import io.spillway.plan.document.ExportRequest;
import io.spillway.sink.parquet.ParquetSink;
import io.spillway.storage.FileSystemAccess;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt at an export, under a lease: cleans up after attempts before it, has the rows
 * written, makes them visible. However it ends, nothing is left that is not to be seen.
 *
 * <pre>
 *   claimed ─▶ cleaned ─▶ rows written, hidden ─▶ whole, stored ─▶ visible ─▶ completed, stored
 * </pre>
 *
 * One who dies between the last two steps is followed by one who finds the files there.
 */
final class ExportRun {

    private static final Logger LOG = LoggerFactory.getLogger(ExportRun.class);

    /** A process that ends each time somebody writes an export would never be up. */
    private static final int MOST_ATTEMPTS = 3;

    /** A row group takes such a part of what its job may hold at most. */
    private static final int PART_OF_POOL = 16;

    private static final long LEAST_ROW_GROUP_BYTES = 256 << 10;

    private final Exporter exporter;
    private final ExportStore.Claim claim;
    private final ExportLease lease;
    private final ExportRequest request;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile boolean lost;
    private volatile boolean canceled;
    private volatile @Nullable ExportTask task;
    private volatile @Nullable TaskHandle handle;
    private volatile @Nullable SpillwayException interruption;

    ExportRun(Exporter exporter, ExportStore.Claim claim) {
        this.exporter = exporter;
        this.claim = claim;
        this.lease = claim.lease();
        this.request = claim.export().request();
        this.canceled = claim.canceled();
    }

    String id() {
        return lease.export();
    }

    /** Done when nothing of it is left to be done here. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /** Cleans up, and starts to write. Waits. */
    void start() {
        @Nullable ExportTarget target = null;
        try {
            ExportRoots.Target place = exporter.roots().target(request.path());
            if (isDone(place)) {
                exporter.store().complete(lease);
                ended.complete(null);
                return;
            }
            cleanUp(place);
            if (canceled) {
                settle(null, new CancellationException());
                return;
            }
            if (claim.attempts() > MOST_ATTEMPTS) {
                throw new SpillwayException(
                        ErrorCode.INTERNAL,
                        "The service ended %d times while it wrote the export"
                                .formatted(MOST_ATTEMPTS));
            }
            target = new ExportTarget(place.files(), place.uri(), request, lease.tag());
            write(target);
        } catch (RuntimeException e) {
            settle(target, e);
        }
    }

    /** Whether an attempt before came so far that all is visible. */
    private boolean isDone(ExportRoots.Target place) {
        List<ExportedFile> files = claim.export().files();
        return claim.isWhole() && ExportTarget.isVisible(place.files(), files);
    }

    private void cleanUp(ExportRoots.Target place) {
        FileSystemAccess files = place.files();
        for (long epoch = 1; epoch < lease.epoch(); epoch++) {
            files.abandon(place.uri(), lease.tag(epoch));
        }
        if (claim.isWhole() && request.isFolder()) {
            ExportTarget.deleteVisible(files, claim.export().files());
        }
    }

    private void write(ExportTarget target) {
        Job job = exporter.jobs().toRead(claim.export().owner(), request.job());
        long rowGroup =
                Math.clamp(
                        job.memoryLimit() / PART_OF_POOL,
                        LEAST_ROW_GROUP_BYTES,
                        Math.max(LEAST_ROW_GROUP_BYTES, exporter.settings().rowGroupBytes()));
        JobBatches batches = exporter.manager().batches(job, ParquetSink.memory(rowGroup));
        ExportTask made;
        try {
            ParquetSink sink =
                    new ParquetSink(
                            batches.schema(),
                            rowGroup,
                            request.maxFileBytes() == null
                                    ? Long.MAX_VALUE
                                    : request.maxFileBytes(),
                            batches.pool().allocator(),
                            Map.of());
            made = new ExportTask(batches, sink, target, request, exporter.waiting());
        } catch (Throwable t) {
            batches.close();
            throw t;
        }
        task = made;
        var _ =
                made.written()
                        .whenComplete(
                                (done, failure) -> {
                                    if (failure == null) {
                                        publish(target);
                                    } else {
                                        settle(target, failure);
                                    }
                                });
        TaskHandle started = batches.start(made);
        handle = started;
        var _ = batches.interrupted().thenAccept(this::interrupt);
        if (lost || canceled) {
            started.cancel();
        }
    }

    /** Stops; the reason is what it ends with, unless it has one. */
    void interrupt(SpillwayException reason) {
        if (interruption == null) {
            interruption = reason;
        }
        stop();
    }

    private void stop() {
        TaskHandle running = handle;
        if (running != null) {
            running.cancel();
        }
    }

    /** Keeps the lease, and finds out whether the export is still wanted. Waits. */
    void renew() {
        ExportTask running = task;
        if (ended.isDone()) {
            return;
        }
        switch (exporter.store()
                .renew(
                        lease,
                        exporter.settings().lease(),
                        running == null ? 0 : running.rows(),
                        running == null ? 0 : running.bytes())) {
            case YES -> {}
            case CANCELED -> {
                canceled = true;
                stop();
            }
            case LOST -> {
                lost = true;
                stop();
            }
        }
    }

    /** All is written. */
    private void publish(ExportTarget target) {
        try {
            switch (exporter.store().whole(lease, exporter.settings().lease(), target.ended())) {
                case YES -> {
                    target.commit();
                    exporter.completed(target.ended());
                    exporter.store().complete(lease);
                    ended.complete(null);
                }
                case CANCELED -> {
                    canceled = true;
                    settle(target, new CancellationException());
                }
                case LOST -> {
                    lost = true;
                    settle(target, new CancellationException());
                }
            }
        } catch (RuntimeException e) {
            settle(target, e);
        }
    }

    /** It has ended without being visible. */
    private void settle(@Nullable ExportTarget target, Throwable cause) {
        try {
            if (target != null) {
                target.close();
            }
        } catch (RuntimeException e) {
            LOG.warn("what export {} has written is not deleted", id(), e);
        }
        try {
            tell(cause);
        } catch (RuntimeException e) {
            LOG.warn("the end of export {} is not stored; its lease will end", id(), e);
        } finally {
            ended.complete(null);
        }
    }

    private void tell(Throwable cause) {
        if (lost) {
            return;
        }
        if (canceled) {
            exporter.store().ended(lease);
            return;
        }
        Throwable thrown =
                cause instanceof CompletionException wrapped && wrapped.getCause() != null
                        ? wrapped.getCause()
                        : cause;
        SpillwayException interrupted = interruption;
        SpillwayException failure =
                thrown instanceof CancellationException && interrupted != null
                        ? interrupted
                        : Failures.asSpillway(thrown);
        switch (failure.code()) {
            case SHUTTING_DOWN -> {
                exporter.claimNoMore();
                exporter.store().release(lease);
            }
            // Whoever takes it over begins anew.
            case STORE_FAILED -> LOG.warn("export {} has no store", id(), failure);
            default -> {
                if (failure.code() == ErrorCode.INTERNAL) {
                    LOG.error("export {} failed", id(), failure);
                }
                exporter.failed();
                exporter.store().fail(lease, Export.Failure.of(failure));
            }
        }
    }
}
