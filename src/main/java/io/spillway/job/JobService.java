package io.spillway.job;

import io.spillway.cursor.Cursor;
import io.spillway.cursor.CursorToken;
import io.spillway.cursor.Ticket;
import io.spillway.cursor.TicketToken;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.operator.ColumnSet;
import io.spillway.plan.document.PlanOptions;
import io.spillway.plan.document.PlanRequest;
import io.spillway.plan.document.PlanRequestParser;
import io.spillway.plan.logical.PlanCompiler;
import io.spillway.plan.physical.CompiledPlan;
import io.spillway.rows.RowSource;
import io.spillway.rows.RowSources;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What callers can do with jobs. Calls wait for disk and database; run them where waiting is
 * allowed. A job of another owner does not exist.
 */
public final class JobService {

    private final PlanRequestParser parser;
    private final PlanCompiler compiler;
    private final PlanCodec codec;
    private final JobStore store;
    private final JobManager manager;
    private final CursorToken cursors;
    private final TicketToken tickets;
    private final JobSettings settings;
    private final Clock clock;

    public JobService(
            PlanRequestParser parser,
            PlanCompiler compiler,
            PlanCodec codec,
            JobStore store,
            JobManager manager,
            CursorToken cursors,
            TicketToken tickets,
            JobSettings settings,
            Clock clock) {
        this.parser = parser;
        this.compiler = compiler;
        this.codec = codec;
        this.store = store;
        this.manager = manager;
        this.cursors = cursors;
        this.tickets = tickets;
        this.settings = settings;
        this.clock = clock;
    }

    /** A submitted job, and whether this call made it. */
    public record Submission(Job job, boolean created) {}

    /**
     * Makes a job of a plan. Nothing is executed: planning reads footers only.
     *
     * <pre>
     *   body ─▶ PlanRequest ─▶ RelNode, optimised ─▶ PhysicalPlan with its snapshot ─▶ Job, stored
     * </pre>
     *
     * @param idempotencyKey makes a repeat return the first one's job
     */
    public Submission submit(String owner, byte[] body, @Nullable String idempotencyKey) {
        PlanRequest request = parser.parse(body);
        JobStore.IdempotencyKey key = null;
        if (idempotencyKey != null) {
            key = JobStore.IdempotencyKey.of(idempotencyKey, body);
            Optional<Job> first = store.find(owner, key);
            if (first.isPresent()) {
                return new Submission(first.get(), false);
            }
        }
        if (store.open(clock.instant()) >= settings.maxOpen()) {
            throw new SpillwayException(
                            ErrorCode.TOO_MANY_JOBS,
                            "%,d jobs are open, as many as may be".formatted(settings.maxOpen()))
                    .with(SpillwayException.LIMIT, settings.maxOpen());
        }
        CompiledPlan compiled = compiler.compile(owner, request);
        String planText = codec.write(compiled.plan());
        Job job = job(owner, body, request, compiled, planText);
        Job stored = store.add(job, planText, key);
        boolean created = stored.id().equals(job.id());
        if (created) {
            manager.made(stored);
        }
        return new Submission(stored, created);
    }

    /** Compiles a plan and makes nothing of it. */
    public CompiledPlan dryRun(String owner, byte[] body) {
        return compiler.compile(owner, parser.parse(body));
    }

    private Job job(
            String owner,
            byte[] body,
            PlanRequest request,
            CompiledPlan compiled,
            String planText) {
        PlanOptions options = request.options();
        Duration ttl = options.ttl() == null ? settings.ttl() : options.ttl();
        if (ttl.compareTo(settings.maxTtl()) > 0) {
            throw outOfRange("/options/ttl", "a life of " + ttl, "at most " + settings.maxTtl());
        }
        long memory =
                options.memoryLimit() == null ? settings.memoryPerJob() : options.memoryLimit();
        if (memory > settings.memoryPerJob()) {
            throw outOfRange(
                    "/options/memoryLimit",
                    memory + " bytes",
                    "at most " + settings.memoryPerJob());
        }
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        OptionalLong rowCount = RowSources.of(compiled.plan()).rowCount();
        return new Job(
                JobIds.next(),
                owner,
                options.name(),
                now,
                ttl,
                now.plus(ttl),
                Job.StoredState.READY,
                null,
                new String(body, StandardCharsets.UTF_8),
                compiled.logicalText(),
                compiled.optimizedText(),
                compiled.plan(),
                Digests.sha256(planText.getBytes(StandardCharsets.UTF_8)),
                options.batchRows() == null ? settings.batchRows() : options.batchRows(),
                memory,
                rowCount.isPresent() ? rowCount.getAsLong() : null);
    }

    private static SpillwayException outOfRange(String pointer, String found, String expected) {
        return new SpillwayException(
                        ErrorCode.INVALID_PLAN, found + " is more than is allowed: " + expected)
                .with(SpillwayException.POINTER, pointer)
                .with(SpillwayException.FOUND, found)
                .with(SpillwayException.EXPECTED, expected);
    }

    /**
     * A job of the owner, in whatever state.
     *
     * @throws SpillwayException {@code UNKNOWN_JOB}
     */
    public Job get(String owner, String id) {
        Job known = manager.known(id);
        Optional<Job> found = known == null ? store.find(id) : store.life(id).map(known::at);
        return found.filter(job -> job.owner().equals(owner))
                .orElseThrow(
                        () ->
                                new SpillwayException(
                                        ErrorCode.UNKNOWN_JOB, "There is no job '" + id + "'"));
    }

    /**
     * The owner's jobs, newest first; {@code before} is the id of the last one of the page before.
     */
    public List<Job> list(String owner, @Nullable String before, int limit) {
        return store.list(owner, before, limit);
    }

    /** What a job is doing, and what is known of its rows. */
    public JobProgress progress(Job job) {
        return manager.progress(job, clock.instant());
    }

    /**
     * What has become of jobs, by id, whoever changed them; without those that are gone.
     *
     * @param jobs as they were seen before
     */
    public Map<String, JobProgress> look(Collection<Job> jobs) {
        Map<String, Job.Life> lives = store.lives(jobs.stream().map(Job::id).toList());
        Instant now = clock.instant();
        Map<String, JobProgress> found = new HashMap<>();
        for (Job job : jobs) {
            Job.Life life = lives.get(job.id());
            if (life != null) {
                found.put(job.id(), manager.progress(job.at(life), now));
            }
        }
        return found;
    }

    /**
     * Counts a job's rows, or joins the count that is under way. The count is kept with the job.
     * Cancelling the future takes the wish back; the count goes on for a while.
     */
    public CompletableFuture<Long> count(Job job) {
        return manager.count(job);
    }

    /** What is known of a job's rows by now, here or in the store. */
    public KnownRows known(Job job) {
        Long rows = job.rowCount();
        return rows == null ? manager.known(job) : new KnownRows(rows, rows);
    }

    /**
     * Counts until it is known where a row is, or that there is none. Cancelling the future takes
     * the wish back; the count goes on for a while.
     */
    public CompletableFuture<Void> reach(Job job, long row) {
        return manager.reach(job, row);
    }

    /**
     * Goes on for a while to make rows from {@code upTo} on readable, though nobody waits, so that
     * one who asks again finds it further on.
     *
     * @param upTo a row number; {@code Long.MAX_VALUE} for the count of all
     */
    public void keepBuilding(JobPart part, long upTo) {
        manager.keepBuilding(part, upTo);
    }

    /**
     * Extends the job's life, to its {@code ttl} from now or to the one that the body asks for.
     *
     * @param body {@code {"ttl": "24h"}}, or empty
     * @throws SpillwayException {@code JOB_EXPIRED} or {@code JOB_CANCELED} if there is no life
     *     left to extend
     */
    public Job renew(String owner, String id, byte[] body) {
        Duration ttl = parser.parseRenewal(body);
        Job job = readable(owner, id);
        if (ttl != null && ttl.compareTo(settings.maxTtl()) > 0) {
            throw outOfRange("/ttl", "a life of " + ttl, "at most " + settings.maxTtl());
        }
        store.renew(job.id(), clock.instant(), ttl);
        return get(owner, id);
    }

    /**
     * Ends a job at once: its readers are cut off, and everything it holds is freed. Its record
     * stays for a while.
     */
    public void cancel(String owner, String id) {
        Job job = get(owner, id);
        store.mark(job.id(), Job.StoredState.CANCELED, null);
        manager.end(
                job.id(), new SpillwayException(ErrorCode.JOB_CANCELED, "The job was canceled"));
    }

    /**
     * A job whose rows can be read, or {@code UNKNOWN_JOB}, {@code JOB_EXPIRED}, {@code
     * JOB_CANCELED}.
     */
    private Job readable(String owner, String id) {
        Job job = get(owner, id);
        SpillwayException ended = JobState.ended(job, clock.instant());
        if (ended != null) {
            throw ended;
        }
        return job;
    }

    /**
     * A job whose rows are about to be read, which renews its life.
     *
     * @throws SpillwayException {@code UNKNOWN_JOB}, {@code JOB_EXPIRED}, {@code JOB_CANCELED}
     */
    public Job toRead(String owner, String id) {
        Job job = readable(owner, id);
        Instant now = clock.instant();
        // A reader that pages quickly need not write to the store with every page.
        if (JobSweep.isRenewalDue(job, now)) {
            store.renew(job.id(), now, null);
        }
        return job;
    }

    /**
     * Opens a reader of a job's rows. Nothing runs before it is pulled. If it is not known where
     * its first row is, the reader waits for the job's count, all who wait together; closing it
     * takes the wish back.
     *
     * @throws SpillwayException {@code TOO_MANY_READERS} if there is no memory for it now
     */
    public JobReader read(JobPart part, Reading reading) {
        return manager.open(part, reading);
    }

    /** All rows of a job, and what is known of them here. */
    public RowSource rows(Job job) {
        return manager.rows(job);
    }

    /**
     * Expects many readers that take a few rows each, one behind the other, as the holders of
     * leases do: for so long from now on, readers of rows with an end leave each other what they
     * have decoded, and where they stopped.
     */
    public void sharePages(Job job, Duration time) {
        manager.sharePages(job, time);
    }

    /**
     * Opens rows {@code [from, to)} of a job, as far as there are, for a look at some of their
     * columns; other columns are not read. If it is not known where row {@code from} is, they wait
     * for the job's count.
     *
     * @param besides bytes that their consumer holds, in the job's pool, beside the batches
     * @throws SpillwayException {@code MEMORY_LIMIT} if there is never memory for it
     */
    public JobBatches part(Job job, long from, long to, ColumnSet columns, long besides) {
        return manager.part(job, from, to, columns, besides);
    }

    /** A ticket's text, and when it expires. */
    public record IssuedTicket(String token, Instant expiresAt) {}

    /**
     * A ticket for the streams of a job, for those who cannot send a credential: to be given to
     * nobody who may not read the job.
     *
     * @throws SpillwayException {@code UNKNOWN_JOB}, {@code JOB_EXPIRED}, {@code JOB_CANCELED}
     */
    public IssuedTicket ticket(String owner, String id) {
        Job job = readable(owner, id);
        Instant end = clock.instant().plus(settings.ticketLife()).truncatedTo(ChronoUnit.MILLIS);
        return new IssuedTicket(tickets.encode(new Ticket(job.id(), job.owner(), end)), end);
    }

    /** A token for going on at a row. */
    public String cursor(JobPart part, long row) {
        return cursors.encode(new Cursor(part.job().id(), part.digest(), row));
    }

    /**
     * The row at which a token goes on.
     *
     * @throws SpillwayException {@code INVALID_CURSOR} if the token is damaged or of other rows
     */
    public long row(JobPart part, String token) {
        return cursors.verify(token, part.job().id(), part.digest()).rowNumber();
    }
}
