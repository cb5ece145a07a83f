package io.spillway.export;

import io.spillway.catalog.ExportRoots;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.job.Job;
import io.spillway.job.JobIds;
import io.spillway.job.JobService;
import io.spillway.job.JobStore.IdempotencyKey;
import io.spillway.plan.document.ExportRequest;
import io.spillway.plan.document.PlanRequestParser;
import io.spillway.sink.parquet.ParquetSink;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What callers can do with exports. Calls wait for disk and database; run them where waiting is
 * allowed. An export of another owner does not exist.
 */
public final class ExportService {

    private static final String JOB = "/job";
    private static final String PATH = "/path";

    private final PlanRequestParser parser;
    private final JobService jobs;
    private final ExportRoots roots;
    private final ExportStore store;
    private final Exporter exporter;
    private final ExportSettings settings;
    private final Clock clock;

    public ExportService(
            PlanRequestParser parser,
            JobService jobs,
            ExportRoots roots,
            ExportStore store,
            Exporter exporter,
            ExportSettings settings,
            Clock clock) {
        this.parser = parser;
        this.jobs = jobs;
        this.roots = roots;
        this.store = store;
        this.exporter = exporter;
        this.settings = settings;
        this.clock = clock;
    }

    /** An export, and whether this call made it. */
    public record Submission(Export export, boolean created) {}

    /**
     * Begins to write a job's rows, behind the caller's back.
     *
     * @param idempotencyKey makes a repeat return the first one's export
     * @throws SpillwayException what is wrong with the body; {@code UNKNOWN_JOB}, {@code
     *     JOB_EXPIRED}, {@code JOB_CANCELED}; {@code PATH_NOT_ALLOWED}, {@code TARGET_EXISTS};
     *     {@code NOT_SUPPORTED} if no Parquet file can hold such rows; {@code TOO_MANY_EXPORTS};
     *     {@code IDEMPOTENCY_CONFLICT}
     */
    public Submission submit(String owner, byte[] body, @Nullable String idempotencyKey) {
        ExportRequest request = parser.parseExport(body);
        IdempotencyKey key =
                idempotencyKey == null ? null : IdempotencyKey.of(idempotencyKey, body);
        // Before all checks: what the first one has written may stand in its own way.
        Optional<Export> first = key == null ? Optional.empty() : store.find(owner, key);
        if (first.isPresent()) {
            return new Submission(first.get(), false);
        }
        try {
            Job job = jobs.toRead(owner, request.job());
            ParquetSink.check(job.plan().schema());
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.POINTER, JOB);
        }
        try {
            check(request);
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.POINTER, PATH);
        }
        if (store.open() >= settings.maxOpen()) {
            throw new SpillwayException(
                            ErrorCode.TOO_MANY_EXPORTS,
                            "%,d exports are under way, as many as may be"
                                    .formatted(settings.maxOpen()))
                    .with(SpillwayException.LIMIT, settings.maxOpen());
        }
        Export export =
                new Export(
                        JobIds.next(),
                        owner,
                        request,
                        clock.instant().truncatedTo(ChronoUnit.MILLIS),
                        ExportState.QUEUED,
                        0,
                        0,
                        List.of(),
                        null,
                        null);
        Export stored = store.add(export, key);
        exporter.look();
        return new Submission(stored, stored.id().equals(export.id()));
    }

    /** What would fail in any case fails at once. */
    private void check(ExportRequest request) {
        ExportRoots.Target target = roots.target(request.path());
        if (!target.files().exists(target.uri())) {
            return;
        }
        if (!request.overwrite()) {
            throw exists(target, "is there already, and is kept");
        }
        try {
            target.files().status(target.uri());
        } catch (SpillwayException e) {
            if (e.code() == ErrorCode.FILE_NOT_FOUND) {
                throw exists(target, "is no file, so it is never replaced");
            }
            throw e;
        }
    }

    private static SpillwayException exists(ExportRoots.Target target, String why) {
        return new SpillwayException(ErrorCode.TARGET_EXISTS, "'" + target.uri() + "' " + why)
                .with(SpillwayException.FILE, target.uri());
    }

    /** The caller's export, or {@code UNKNOWN_EXPORT}. */
    public Export get(String owner, String id) {
        return store.find(id)
                .filter(export -> export.owner().equals(owner))
                .orElseThrow(
                        () ->
                                new SpillwayException(
                                        ErrorCode.UNKNOWN_EXPORT, "There is no export " + id));
    }

    /** The caller's exports, newest first. */
    public List<Export> list(String owner, @Nullable String before, int limit) {
        return store.list(owner, before, limit);
    }

    /**
     * Ends an export that has not come to its end: nothing of it is left. Nothing if it has, or if
     * all is written and about to be visible.
     */
    public void cancel(String owner, String id) {
        get(owner, id);
        store.cancel(id);
        exporter.canceled(id);
    }
}
