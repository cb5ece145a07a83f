package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.memory.MemoryReservation;
import io.spillway.plan.physical.PhysicalPlan;
import io.spillway.scan.ScanFormat;
import io.spillway.scan.ScanTask;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** A run of rows that one task reads, before any operator. */
sealed interface SourcePart {

    long rows();

    /** Rows {@code [from, to)} of this part. */
    SourcePart slice(long from, long to);

    CompletableFuture<MemoryReservation> admit(ReadContext context);

    BatchStream open(ReadContext context);

    /** Rows of a file's partition. */
    record Scan(String format, ScanTask task) implements SourcePart {

        @Override
        public long rows() {
            return task.rows();
        }

        @Override
        public SourcePart slice(long from, long to) {
            return new Scan(
                    format,
                    new ScanTask(
                            task.file(),
                            task.partition(),
                            task.fromRow() + from,
                            task.fromRow() + to,
                            task.columns()));
        }

        @Override
        public CompletableFuture<MemoryReservation> admit(ReadContext context) {
            return CompletableFuture.supplyAsync(
                            () -> scanFormat(context).estimateBytes(task, context.batchRows()),
                            context.waiting())
                    .thenCompose(context.pool()::admit);
        }

        @Override
        public BatchStream open(ReadContext context) {
            return scanFormat(context)
                    .open(task, context.batchRows(), context.pool(), context.metrics());
        }

        private ScanFormat scanFormat(ReadContext context) {
            return Objects.requireNonNull(context.formats().get(format), format);
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
