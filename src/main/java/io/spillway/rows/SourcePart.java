package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.memory.MemoryReservation;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.scan.FileColumns;
import io.spillway.scan.ScanFile;
import io.spillway.scan.ScanFormat;
import io.spillway.scan.ScanTask;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A run of rows that one task reads, before any operator. */
sealed interface SourcePart {

    long rows();

    /** Rows {@code [from, to)} of this part. */
    SourcePart slice(long from, long to);

    CompletableFuture<MemoryReservation> admit(ReadContext context);

    BatchStream open(ReadContext context);

    /**
     * Rows of a file's partition.
     *
     * @param options of the format
     * @param columns that come out, whichever the file has
     * @param filter over the columns: rows for which it is not true may be left out; null if all
     *     rows are wanted
     */
    record Scan(
            String format,
            Map<String, String> options,
            ScanFile file,
            int partition,
            long from,
            long to,
            RowSchema columns,
            @Nullable Expression filter)
            implements SourcePart {

        @Override
        public long rows() {
            return to - from;
        }

        @Override
        public SourcePart slice(long first, long last) {
            return new Scan(
                    format, options, file, partition, from + first, from + last, columns, filter);
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
        public BatchStream open(ReadContext context) {
            FileColumns own = FileColumns.of(file, columns);
            BatchStream stream =
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

        private ScanTask task(FileColumns own) {
            ScanTask all = new ScanTask(file.status(), partition, from, to, own.inner());
            return filter == null ? all : all.where(own.translate(filter));
        }

        private ScanFormat scanFormat(ReadContext context) {
            ScanFormat plain = Objects.requireNonNull(context.formats().get(format), format);
            return options.isEmpty() ? plain : plain.with(options);
        }
    }

    /** Rows that stand in the plan. */
    record Values(PhysicalPlan.Values values, int from, int to) implements SourcePart {

        @Override
        public long rows() {
            return (long) to - from;
        }

        @Override
        public SourcePart slice(long first, long last) {
            return new Values(values, from + (int) first, from + (int) last);
        }

        @Override
        public CompletableFuture<MemoryReservation> admit(ReadContext context) {
            return context.pool().admit(0);
        }

        @Override
        public BatchStream open(ReadContext context) {
            return new ValuesStream(
                    values, from, to, context.batchRows(), context.pool().allocator());
        }
    }
}
