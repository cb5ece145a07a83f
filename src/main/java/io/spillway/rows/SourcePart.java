package io.spillway.rows;

import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.memory.MemoryReservation;
import io.spillway.operator.ColumnSet;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.scan.FileColumns;
import io.spillway.scan.ScanFile;
import io.spillway.scan.ScanFormat;
import io.spillway.scan.ScanStream;
import io.spillway.scan.ScanTask;
import io.spillway.spool.Spool;
import io.spillway.spool.SpoolRange;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A run of rows that one task reads, before any operator. */
sealed interface SourcePart {

    long rows();

    /** The position of its streams at their first row. */
    long from();

    /**
     * What the part is to somebody who does not read it.
     *
     * @param firstRow number of the first row that comes of it; -1 if that is not known yet
     */
    default InputPart input(long firstRow) {
        return new InputPart(null, rows(), 0, firstRow);
    }

    /** Rows {@code [from, to)} of this part. */
    SourcePart slice(long from, long to);

    CompletableFuture<MemoryReservation> admit(ReadContext context);

    ScanStream open(ReadContext context);

    /**
     * Whether a condition over the columns is true for each row, as {@link ScanFormat#test}; null
     * if that has to be found out by reading them.
     */
    default @Nullable ScanStream test(Expression condition, ReadContext context) {
        return null;
    }

    /** The same for a reader that waits for its first rows. */
    SourcePart soon();

    /** The same with only some of the columns. */
    SourcePart narrowed(ColumnSet wanted);

    /** About what some of so many rows have of their bytes. */
    private static long share(long bytes, long some, long rows) {
        return rows == 0 ? 0 : (long) ((double) bytes / rows * some);
    }

    /**
     * Rows of a file's partition.
     *
     * @param options of the format
     * @param columns that come out, whichever the file has
     * @param filter over the columns: rows for which it is not true may be left out; null if all
     *     rows are wanted
     * @param soonRows as {@link ScanTask#soonRows}
     */
    record Scan(
            String format,
            Map<String, String> options,
            ScanFile file,
            int partition,
            long from,
            long to,
            RowSchema columns,
            @Nullable Expression filter,
            int soonRows)
            implements SourcePart {

        /** Rows that a reader who waits gets first: about what fills its first message. */
        private static final int SOON_ROWS = 512;

        /** A part none of whose rows is wanted before the others. */
        Scan(
                String format,
                Map<String, String> options,
                ScanFile file,
                int partition,
                long from,
                long to,
                RowSchema columns,
                @Nullable Expression filter) {
            this(format, options, file, partition, from, to, columns, filter, 0);
        }

        @Override
        public long rows() {
            return to - from;
        }

        @Override
        public InputPart input(long firstRow) {
            return new InputPart(
                    file.status().uri().toString(),
                    rows(),
                    share(file.status().size(), rows(), file.rows()),
                    firstRow);
        }

        @Override
        public SourcePart soon() {
            return new Scan(format, options, file, partition, from, to, columns, filter, SOON_ROWS);
        }

        @Override
        public SourcePart slice(long first, long last) {
            return new Scan(
                    format,
                    options,
                    file,
                    partition,
                    from + first,
                    from + last,
                    columns,
                    filter,
                    soonRows);
        }

        @Override
        public CompletableFuture<MemoryReservation> admit(ReadContext context) {
            return CompletableFuture.supplyAsync(() -> estimate(context), context.waiting())
                    .thenCompose(context.pool()::admit);
        }

        private long estimate(ReadContext context) {
            FileColumns own = FileColumns.of(file, columns);
            long bytes = scanFormat(context).estimateBytes(task(own), context.batchRows());
            // Widened columns stand beside the ones they are made from.
            return own.isIdentity()
                    ? bytes
                    : bytes + BatchSize.estimate(columns, context.batchRows());
        }

        @Override
        public SourcePart narrowed(ColumnSet wanted) {
            Expression hint = filter;
            if (hint != null) {
                hint = wanted.containsAll(ColumnSet.readBy(hint)) ? wanted.translate(hint) : null;
            }
            return new Scan(
                    format, options, file, partition, from, to, wanted.of(columns), hint, soonRows);
        }

        @Override
        public ScanStream open(ReadContext context) {
            FileColumns own = FileColumns.of(file, columns);
            ScanStream stream =
                    scanFormat(context)
                            .open(
                                    task(own),
                                    context.batchRows(),
                                    context.pool(),
                                    context.metrics());
            if (own.isIdentity()) {
                return stream;
            }
            try {
                return new WidenedStream(
                        stream, own, columns, file.status().uri(), context.pool().allocator());
            } catch (Throwable t) {
                stream.close();
                throw t;
            }
        }

        @Override
        public @Nullable ScanStream test(Expression condition, ReadContext context) {
            FileColumns own = FileColumns.of(file, columns);
            return scanFormat(context)
                    .test(
                            task(own),
                            own.translate(condition),
                            context.batchRows(),
                            context.pool(),
                            context.metrics());
        }

        private ScanTask task(FileColumns own) {
            ScanTask all = ScanTask.of(file, partition, from, to, own.inner()).soon(soonRows);
            return filter == null ? all : all.where(own.translate(filter));
        }

        private ScanFormat scanFormat(ReadContext context) {
            ScanFormat plain = Objects.requireNonNull(context.formats().get(format), format);
            return options.isEmpty() ? plain : plain.with(options);
        }
    }

    /** Rows that stand in the plan. */
    record Values(PhysicalPlan.Values values, long from, long to) implements SourcePart {

        @Override
        public long rows() {
            return to - from;
        }

        @Override
        public SourcePart slice(long first, long last) {
            return new Values(values, from + first, from + last);
        }

        @Override
        public SourcePart soon() {
            return this;
        }

        @Override
        public CompletableFuture<MemoryReservation> admit(ReadContext context) {
            return context.pool().admit(0);
        }

        @Override
        public SourcePart narrowed(ColumnSet wanted) {
            return new Values(
                    new PhysicalPlan.Values(
                            wanted.of(values.schema()),
                            values.rows().stream().map(wanted::of).toList()),
                    from,
                    to);
        }

        @Override
        public ScanStream open(ReadContext context) {
            return new ValuesStream(
                    values, (int) from, (int) to, context.batchRows(), context.pool().allocator());
        }
    }

    /**
     * Rows of a spool's segment.
     *
     * @param columns which of the spool's come out
     */
    record Spooled(Spool spool, int segment, long from, long to, ColumnSet columns)
            implements SourcePart {

        /** A piece that is read at a time is at most such a part of what a job may hold. */
        private static final int PIECES = 16;

        @Override
        public long rows() {
            return to - from;
        }

        @Override
        public SourcePart slice(long first, long last) {
            return new Spooled(spool, segment, from + first, from + last, columns);
        }

        @Override
        public SourcePart soon() {
            return this;
        }

        @Override
        public CompletableFuture<MemoryReservation> admit(ReadContext context) {
            return context.pool().admit(spool.bytesAhead(segment, pieceBytes(context)));
        }

        private static long pieceBytes(ReadContext context) {
            return context.pool().limit() / PIECES;
        }

        @Override
        public SourcePart narrowed(ColumnSet wanted) {
            return new Spooled(spool, segment, from, to, columns.at(wanted));
        }

        @Override
        public ScanStream open(ReadContext context) {
            return new CountedStream(
                    spool.open(
                            new SpoolRange(segment, from, to, columns.positions()),
                            pieceBytes(context),
                            context.pool().allocator(),
                            context.waiting(),
                            context.metrics()::bytesRead),
                    from);
        }
    }
}
