package io.spillway.job;

import io.spillway.batch.PollStream;
import io.spillway.encode.EncodedChunk;
import io.spillway.encode.EventFormat;
import io.spillway.encode.RowFormat;
import io.spillway.error.SpillwayException;
import io.spillway.execution.PartitionScheduler.TaskGroup;
import io.spillway.execution.PartitionScheduler.TaskHandle;
import io.spillway.execution.PartitionTask;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import io.spillway.operator.ColumnSet;
import io.spillway.rows.BatchSize;
import io.spillway.rows.EncodedRows;
import io.spillway.rows.Ending;
import io.spillway.rows.ReadContext;
import io.spillway.rows.RowSource;
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
    private final CountBuild count;
    private final Set<JobReader> readers = ConcurrentHashMap.newKeySet();
    private final Set<JobBatches> batches = ConcurrentHashMap.newKeySet();
    private final LongAdder rowsOut = new LongAdder();
    private final AtomicBoolean counted;
    private final AtomicBoolean failed = new AtomicBoolean();
    private volatile @Nullable SpillwayException ended;
    private volatile long lastUsed = System.nanoTime();

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
        this.count =
                new CountBuild(
                        source,
                        () ->
                                context(
                                        Ending.STOP,
                                        engine.scheduler().parallelism(),
                                        job.batchRows()),
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

    CountBuild count() {
        return count;
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
     * A reader over rows {@code [from, to)}. If what it reads first is kept, it needs no seat yet;
     * else, if the place of its first row is known, it has one at once or is refused; else it waits
     * for the count, and takes one then.
     */
    JobReader read(long from, long to, RowFormat format, boolean page) {
        SpillwayException reason = ended;
        if (reason != null) {
            throw reason.copy();
        }
        long bytes = bytesAhead(format);
        pool.checkSeat(bytes);
        boolean ready = format instanceof EventFormat events && shared.hasChunk(events, from);
        MemoryReservation seat = ready || !source.reaches(from) ? null : seats.take(pool, bytes);
        JobReader reader = new JobReader(this, from, to, format, page, seat);
        readers.add(reader);
        if (isShared(format)) {
            shared.joined();
        }
        if (seat != null) {
            seats.sat(reader);
        }
        return reader;
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
                        this, rows.schema(), row -> rows.open(row, to, context), from, bytes);
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

    /** Opens what a reader reads; nothing runs before the first pull. */
    PollStream<EncodedChunk> open(long from, long to, RowFormat format, boolean page) {
        ReadContext context =
                context(page ? Ending.PEEK : Ending.STOP, parallelism(format), batchRows(format));
        return isShared(format)
                ? EncodedRows.encode(shared.open(from, to, context), from, format, context)
                : EncodedRows.open(source, from, to, format, context);
    }

    /** What a reader reads next, owned by the caller, if it was made for another one lately. */
    @Nullable EncodedChunk kept(long row, long to, RowFormat format) {
        return format instanceof EventFormat events ? shared.chunk(events, row, to) : null;
    }

    /** Others may read the same; the chunk stays the caller's. */
    void keep(long row, RowFormat format, EncodedChunk chunk) {
        if (format instanceof EventFormat events) {
            shared.keep(events, row, chunk);
        }
    }

    /** Whether readers of a format are so many that what is decoded for one is kept for others. */
    private static boolean isShared(RowFormat format) {
        return format instanceof EventFormat;
    }

    /**
     * Partitions that are open at a time for one reader: one for each thread, but fewer where they
     * would take more than a reader's part of the job's memory. A reader of events is one of
     * thousands, most of which take little at a time.
     */
    private int parallelism(RowFormat format) {
        int parallelism = format instanceof EventFormat ? 1 : engine.scheduler().parallelism();
        while (parallelism > 1 && bytesAhead(format, parallelism) > pool.limit() / READERS_PART) {
            parallelism--;
        }
        return parallelism;
    }

    private int batchRows(RowFormat format) {
        return format instanceof EventFormat
                ? Math.min(job.batchRows(), EVENT_BATCH_ROWS)
                : job.batchRows();
    }

    /** Other work needs memory: gives up what is only kept for the time being. */
    void spare() {
        shared.drop();
    }

    CompletableFuture<MemoryReservation> awaitSeat(RowFormat format) {
        return awaitSeat(bytesAhead(format));
    }

    CompletableFuture<MemoryReservation> awaitSeat(long bytes) {
        return seats.await(pool, bytes);
    }

    private long bytesAhead(RowFormat format) {
        return bytesAhead(format, parallelism(format));
    }

    private long bytesAhead(RowFormat format, int parallelism) {
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
        if (readers.remove(reader) && isShared(reader.format())) {
            shared.left();
        }
        learned();
    }

    /** Takes over what another replica has counted. */
    void learn(String counts) {
        counted.set(true);
        source.learn(counts);
        count.settle();
    }

    /** Something was learnt, by counting or by reading: if it is all, it is worth keeping. */
    void learned() {
        OptionalLong rows = source.rowCount();
        if (rows.isEmpty() || counted.get()) {
            return;
        }
        count.settle();
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
        return !readers.isEmpty() || !batches.isEmpty() || count.isRunning();
    }

    /** The job has ended: cuts off all readers and the count, and lets nobody in any more. */
    void end(SpillwayException reason) {
        ended = reason;
        count.end(reason);
        readers.forEach(reader -> reader.interrupt(reason));
        batches.forEach(open -> open.interrupt(reason));
    }

    /** Cuts off streams, which go on elsewhere; pages may finish. */
    void endStreams(SpillwayException reason) {
        count.end(reason);
        for (JobReader reader : readers) {
            if (!reader.isPage()) {
                reader.interrupt(reason);
            }
        }
        batches.forEach(open -> open.interrupt(reason));
    }

    /** True if nothing of the job is left here and nobody has asked for it for a while. */
    boolean unused(long now, long keepNanos) {
        return readers.isEmpty()
                && batches.isEmpty()
                && !count.isRunning()
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
