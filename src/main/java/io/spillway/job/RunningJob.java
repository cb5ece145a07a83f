package io.spillway.job;

import static io.spillway.rows.SharedRows.Company.PASSES;

import io.spillway.batch.BatchStream;
import io.spillway.batch.PollStream;
import io.spillway.cursor.Split;
import io.spillway.encode.ArrowFormat;
import io.spillway.encode.CappedFormat;
import io.spillway.encode.CsvFormat;
import io.spillway.encode.EncodedChunk;
import io.spillway.encode.GroupFormat;
import io.spillway.encode.JsonFormat;
import io.spillway.encode.RowEvents;
import io.spillway.encode.RowFormat;
import io.spillway.error.SpillwayException;
import io.spillway.execution.PartitionScheduler.TaskGroup;
import io.spillway.execution.PartitionScheduler.TaskHandle;
import io.spillway.execution.PartitionTask;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import io.spillway.operator.ColumnSet;
import io.spillway.rows.AnyOrder;
import io.spillway.rows.BatchSize;
import io.spillway.rows.EncodedRows;
import io.spillway.rows.Ending;
import io.spillway.rows.ReadContext;
import io.spillway.rows.RowSource;
import io.spillway.rows.RowView;
import io.spillway.rows.Shard;
import io.spillway.rows.SharedRows;
import io.spillway.spill.SpillSpace;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What a job has in this process while it is used: its row source, its turn, its memory and its
 * part of the disk, its readers, its count.
 */
final class RunningJob implements AutoCloseable {

    /**
     * Rows a batch at most for a reader of events, of which there may be thousands, each with some
     * batches in hand.
     */
    private static final int EVENT_BATCH_ROWS = 1_024;

    /** What one reader leaves for others: it takes no more than this part of the job's memory. */
    private static final int READERS_PART = 4;

    /** Told, once each, what a job's work has found out; by a thread that must not wait. */
    interface Listener {

        /**
         * The place of every row is known.
         *
         * @param rows how many there are
         * @param counts text from which a new row source learns the same
         */
        void counted(Job job, long rows, String counts);

        /** An execution failed in a way in which it will fail again. */
        void failed(Job job, SpillwayException failure);
    }

    private final Engine engine;
    private final Seats seats;
    private final Job job;
    private final RowSource source;
    private final SharedRows shared;
    private final Listener listener;
    private final MemoryPool pool;
    private final SpillSpace spill;
    private final TaskGroup group;
    private final JobScanMetrics metrics;
    private final Duration linger;
    private final PartRows all;
    private final SplitParts splits;
    private final Set<JobReader> readers = ConcurrentHashMap.newKeySet();
    private final Set<JobBatches> batches = ConcurrentHashMap.newKeySet();
    private final LongAdder rowsOut = new LongAdder();
    private final AtomicBoolean counted;
    private final AtomicBoolean failed = new AtomicBoolean();
    private volatile @Nullable SpillwayException ended;
    private volatile long lastUsed = System.nanoTime();
    private volatile long passingUntil = lastUsed;

    /**
     * @param source the rows of the job's plan, and what is known of them already
     * @param linger how long a count goes on after the last one who waited for it has left
     */
    RunningJob(
            Engine engine,
            Seats seats,
            Job job,
            RowSource source,
            Duration linger,
            Listener listener) {
        this.engine = engine;
        this.seats = seats;
        this.job = job;
        this.source = source;
        this.listener = listener;
        this.pool = engine.memory().child(job.id(), job.memoryLimit());
        this.spill = engine.spill().space(job.id(), pool);
        this.shared = new SharedRows(source, pool);
        this.group = engine.scheduler().group();
        this.metrics = new JobScanMetrics(engine.metrics(), job.plan().pruned());
        this.counted = new AtomicBoolean(source.rowCount().isPresent());
        this.linger = linger;
        this.all = PartRows.all(source, countOf(source));
        this.splits = new SplitParts(all, this::countOf);
    }

    /** Counts rows within what the job may take. */
    private CountBuild countOf(RowSource rows) {
        return new CountBuild(
                rows,
                () -> context(Ending.STOP, engine.scheduler().parallelism(), job.batchRows()),
                group,
                linger,
                new CountBuild.Listener() {
                    @Override
                    public void learned() {
                        RunningJob.this.learned();
                    }

                    @Override
                    public void failed(SpillwayException failure) {
                        RunningJob.this.failed(failure);
                    }
                });
    }

    private ReadContext context(Ending ending, int parallelism, int batchRows) {
        return new ReadContext(
                engine.formats(),
                pool,
                spill,
                group,
                parallelism,
                batchRows,
                engine.waiting(),
                metrics,
                ending);
    }

    Job job() {
        return job;
    }

    Engine engine() {
        return engine;
    }

    Seats seats() {
        return seats;
    }

    RowSource source() {
        return source;
    }

    MemoryPool pool() {
        return pool;
    }

    SpillSpace spill() {
        return spill;
    }

    JobScanMetrics metrics() {
        return metrics;
    }

    /** All rows, or those of a split of the job. */
    PartRows rows(@Nullable Split split) {
        return split == null ? all : splits.of(split);
    }

    /** Of all rows. */
    CountBuild count() {
        return all.count();
    }

    Set<JobReader> readers() {
        return readers;
    }

    /** The number of rows, if it is known by now. */
    @Nullable Long rowCount() {
        OptionalLong rows = source.rowCount();
        return rows.isPresent() ? rows.getAsLong() : null;
    }

    /** What is known of the rows by now. */
    KnownRows known() {
        lastUsed = System.nanoTime();
        Long rows = rowCount();
        return rows == null ? new KnownRows(source.rowsPlaced(), null) : new KnownRows(rows, rows);
    }

    /**
     * A reader of all rows, or of those of a split. If what it reads first is kept, it needs no
     * seat yet; else, if the place of its first row is known, it has one at once or is refused;
     * else it waits for the count, and takes one then.
     */
    JobReader read(@Nullable Split split, Reading asked) {
        boolean passes = split == null && asked.company() == null && passes(asked);
        Reading reading = passes ? asked.in(PASSES) : asked;
        SpillwayException reason = ended;
        if (reason != null) {
            throw reason.copy();
        }
        long bytes = bytesAhead(reading);
        pool.checkSeat(bytes);
        PartRows rows = rows(split);
        GroupFormat chunks = sharedChunks(rows, reading);
        boolean ready = chunks != null && shared.hasChunk(chunks, reading.from());
        boolean waits = ready || !rows.reaches(reading.view().needs(reading.from()));
        MemoryReservation seat = waits ? null : seats.take(pool, bytes);
        JobReader reader = new JobReader(this, rows, reading, seat);
        readers.add(reader);
        if (reading.company() != null) {
            shared.joined(reading.company());
        }
        if (seat != null) {
            seats.sat(reader);
        }
        return reader;
    }

    /** Rows with an end, while others read the rows around these in the same way. */
    private boolean passes(Reading reading) {
        return reading.view() instanceof RowView.All
                && reading.to() < Long.MAX_VALUE
                && System.nanoTime() - passingUntil < 0;
    }

    /** For so long, readers of rows with an end use what others of these have read. */
    void sharePages(Duration time) {
        passingUntil = System.nanoTime() + time.toNanos();
    }

    /**
     * All rows as batches; their seat is waited for.
     *
     * @param besides bytes that their consumer holds beside what is ahead of it
     */
    JobBatches batches(long besides) {
        return batches(source, 0, Long.MAX_VALUE, engine.scheduler().parallelism(), besides);
    }

    /**
     * Rows {@code [from, to)}, or fewer, as batches of some of the columns, read by one thread;
     * their seat is waited for.
     *
     * @param besides bytes that their consumer holds beside what is ahead of it
     */
    JobBatches part(long from, long to, ColumnSet columns, long besides) {
        return batches(source.narrowed(columns), from, to, 1, besides);
    }

    private JobBatches batches(RowSource rows, long from, long to, int parallelism, long besides) {
        SpillwayException reason = ended;
        if (reason != null) {
            throw reason.copy();
        }
        long bytes = besides + BatchSize.bytesAhead(rows.schema(), job.batchRows(), parallelism);
        pool.checkSeat(bytes);
        ReadContext context = context(Ending.STOP, parallelism, job.batchRows());
        JobBatches opened =
                new JobBatches(
                        this,
                        rows.schema(),
                        row -> rows.open(row, to, context),
                        from,
                        bytes,
                        besides);
        batches.add(opened);
        return opened;
    }

    /** Starts work that takes the job's turns. */
    TaskHandle start(PartitionTask task) {
        return group.start(task);
    }

    void left(JobBatches left) {
        lastUsed = System.nanoTime();
        batches.remove(left);
        learned();
    }

    /** Opens what a reader reads from a position on; nothing runs before the first pull. */
    PollStream<EncodedChunk> open(PartRows rows, Reading reading, long from) {
        RowFormat format = reading.format();
        ReadContext context =
                context(
                        reading.page() ? Ending.PEEK : Ending.STOP,
                        parallelism(reading),
                        batchRows(format));
        return EncodedRows.encode(
                stream(rows, reading, from, context), reading.view(), from, format, context);
    }

    private BatchStream stream(PartRows rows, Reading reading, long from, ReadContext context) {
        long to = reading.to();
        SharedRows.Company company = reading.company();
        return switch (reading.view()) {
            case RowView.All _ ->
                    company == null
                            ? rows.source().open(from, to, context)
                            : shared.open(from, to, company, context);
            case Shard shard -> shared.open(shard, from, to, context);
            case AnyOrder order -> shared.open(order, context);
        };
    }

    /** What a reader reads next, owned by the caller, if it was made for another one lately. */
    @Nullable EncodedChunk kept(PartRows rows, Reading reading, long row) {
        GroupFormat chunks = sharedChunks(rows, reading);
        return chunks == null ? null : shared.chunk(chunks, row, reading.to());
    }

    /** Others may read the same; the chunk stays the caller's. */
    void keep(PartRows rows, Reading reading, long row, EncodedChunk chunk) {
        GroupFormat chunks = sharedChunks(rows, reading);
        if (chunks != null) {
            shared.keep(chunks, row, chunk);
        }
    }

    /** The reader's format, if others are likely to read the same rows in it. */
    private @Nullable GroupFormat sharedChunks(PartRows rows, Reading reading) {
        return rows == all
                        && reading.company() != null
                        && reading.view() instanceof RowView.All
                        && reading.format() instanceof GroupFormat groups
                        && groups.text() instanceof RowEvents
                ? groups
                : null;
    }

    private static boolean isEvents(RowFormat format) {
        return switch (format) {
            case GroupFormat groups -> groups.text().isEvents();
            case CappedFormat capped -> capped.text().isEvents();
            case JsonFormat _, CsvFormat _, ArrowFormat _ -> false;
        };
    }

    /**
     * Partitions that are open at a time for one reader: one for each thread, but fewer where they
     * would take more than a reader's part of the job's memory. A reader of events is one of
     * thousands, most of which take little at a time.
     */
    private int parallelism(Reading reading) {
        int parallelism = isEvents(reading.format()) ? 1 : engine.scheduler().parallelism();
        while (parallelism > 1 && bytesAhead(reading, parallelism) > pool.limit() / READERS_PART) {
            parallelism--;
        }
        return parallelism;
    }

    private int batchRows(RowFormat format) {
        return isEvents(format) ? Math.min(job.batchRows(), EVENT_BATCH_ROWS) : job.batchRows();
    }

    /** Gives up what was kept for neighbours that have not come. */
    void settle() {
        shared.settle();
    }

    /** Other work needs memory: gives up what is only kept for the time being. */
    void spare() {
        shared.drop();
    }

    CompletableFuture<MemoryReservation> awaitSeat(Reading reading) {
        return awaitSeat(bytesAhead(reading));
    }

    CompletableFuture<MemoryReservation> awaitSeat(long bytes) {
        return seats.await(pool, bytes);
    }

    private long bytesAhead(Reading reading) {
        return bytesAhead(reading, parallelism(reading));
    }

    private long bytesAhead(Reading reading, int parallelism) {
        RowFormat format = reading.format();
        return EncodedRows.bytesAhead(source, format, batchRows(format), parallelism);
    }

    void handedOut(long rows) {
        rowsOut.add(rows);
    }

    long rowsOut() {
        return rowsOut.sum();
    }

    void left(JobReader reader) {
        lastUsed = System.nanoTime();
        SharedRows.Company company = reader.reading().company();
        if (readers.remove(reader) && company != null) {
            shared.left(company);
        }
        learned();
    }

    /** Takes over what another replica has counted. */
    void learn(String counts) {
        counted.set(true);
        source.learn(counts);
        count().settle();
    }

    /** Something was learnt, by counting or by reading: if it is all, it is worth keeping. */
    void learned() {
        OptionalLong rows = source.rowCount();
        if (rows.isEmpty() || counted.get()) {
            return;
        }
        count().settle();
        String counts = source.counts();
        if (counts != null && counted.compareAndSet(false, true)) {
            listener.counted(job, rows.getAsLong(), counts);
        }
    }

    /** Work has failed; told if it would fail again. */
    void failed(SpillwayException failure) {
        if (JobState.isLasting(failure.code()) && failed.compareAndSet(false, true)) {
            listener.failed(job, failure);
        }
    }

    /** Is anybody reading, be it for an export, or anything counting? */
    boolean isActive() {
        return !readers.isEmpty() || !batches.isEmpty() || isCounting();
    }

    /** Are rows of the job, or of a part of it, being counted? */
    private boolean isCounting() {
        return count().isRunning() || splits.isCounting();
    }

    /** Stops counts that nobody wants any more. */
    void sweepCounts(long now) {
        count().sweep(now);
        splits.sweep(now);
    }

    private void endCounts(SpillwayException reason) {
        count().end(reason);
        splits.end(reason);
    }

    /** The job has ended: cuts off all readers and the count, and lets nobody in any more. */
    void end(SpillwayException reason) {
        ended = reason;
        shared.close();
        endCounts(reason);
        readers.forEach(reader -> reader.interrupt(reason));
        batches.forEach(open -> open.interrupt(reason));
    }

    /** Cuts off streams, which go on elsewhere; pages may finish. */
    void endStreams(SpillwayException reason) {
        endCounts(reason);
        for (JobReader reader : readers) {
            if (!reader.reading().page()) {
                reader.interrupt(reason);
            }
        }
        batches.forEach(open -> open.interrupt(reason));
    }

    /** True if nothing of the job is left here and nobody has asked for it for a while. */
    boolean unused(long now, long keepNanos) {
        return readers.isEmpty()
                && batches.isEmpty()
                && !isCounting()
                && group.live() == 0
                && pool.held() == 0
                && (ended != null || now - lastUsed >= keepNanos);
    }

    /** Gives back what an {@linkplain #unused} job still has. */
    @Override
    public void close() {
        spill.close();
        pool.close();
    }
}
