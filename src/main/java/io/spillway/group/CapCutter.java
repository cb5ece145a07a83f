package io.spillway.group;

import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.encode.BatchEncoder;
import io.spillway.encode.BatchEncoders;
import io.spillway.encode.EncodedChunk;
import io.spillway.encode.JsonFormat;
import io.spillway.encode.RowLengths;
import io.spillway.job.Job;
import io.spillway.job.JobBatches;
import io.spillway.job.JobService;
import io.spillway.operator.ColumnSet;
import io.spillway.plan.document.BatchShape;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads a job's rows to find where batches with caps end. Only the weight is read where bytes do not
 * matter. The rows are read by one thread, in order: they are few.
 */
final class CapCutter {

    /** What a batch's bytes are counted of. Text that is not valid is counted as it may be read. */
    private static final JsonFormat FORMAT =
            new JsonFormat(JsonFormat.Layout.ARRAY_ELEMENTS, false, false, true);

    private final JobService jobs;

    CapCutter(JobService jobs) {
        this.jobs = jobs;
    }

    /**
     * Cuts the next batches; those that are found by the deadline.
     *
     * @param most how many at most
     * @param deadline as {@link System#nanoTime()} tells it
     */
    Cutter.Cuts cut(Job job, Group group, int most, long deadline) {
        BatchShape shape = group.batch();
        BatchShape.Weight weight = shape.weight();
        int column = weight == null ? -1 : job.plan().schema().indexOf(weight.column());
        long from = group.nextRow();
        long rows = saturated(shape.rows(), most);
        long to = from > Long.MAX_VALUE - rows ? Long.MAX_VALUE : from + rows;
        CapCuts cuts = new CapCuts(shape, from, most);
        boolean isNarrow = shape.maxBytes() == null;
        ColumnSet columns =
                isNarrow
                        ? ColumnSet.none().and(column)
                        : ColumnSet.first(job.plan().schema().size());
        try (JobBatches batches =
                        jobs.part(job, from, to, columns, BatchEncoders.chunkBytes(FORMAT));
                BatchEncoder encoder = BatchEncoders.of(batches.schema(), FORMAT)) {
            long position = from;
            while (!cuts.isFull()) {
                switch (next(batches, deadline)) {
                    case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                        try (batch) {
                            cuts.add(
                                    batch.rowCount(),
                                    isNarrow ? null : bytes(encoder, batch, position, batches),
                                    column < 0
                                            ? null
                                            : Weights.of(batch.column(isNarrow ? 0 : column)));
                            position += batch.rowCount();
                        }
                    }
                    case Poll.Finished<RecordBatch>() -> {
                        return cuts.atEnd();
                    }
                    case Poll.Blocked<RecordBatch> _ -> {
                        return cuts.soFar();
                    }
                }
            }
            return cuts.soFar();
        }
    }

    private static long saturated(long rows, int times) {
        return rows > Long.MAX_VALUE / times ? Long.MAX_VALUE : rows * times;
    }

    /** Waits for rows; blocked if they do not come in time. */
    private static Poll<RecordBatch> next(JobBatches batches, long deadline) {
        while (true) {
            Poll<RecordBatch> answer = batches.poll();
            if (!(answer instanceof Poll.Blocked<RecordBatch>(CompletableFuture<?> until))
                    || !isDone(CompletableFuture.anyOf(until, batches.interrupted()), deadline)) {
                return answer;
            }
        }
    }

    private static boolean isDone(CompletableFuture<?> until, long deadline) {
        try {
            until.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            // The next pull says it better.
            return true;
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a claim", e);
        }
    }

    private static int[] bytes(
            BatchEncoder encoder, RecordBatch batch, long firstRow, JobBatches batches) {
        int[] bytes = new int[batch.rowCount()];
        for (int row = 0; row < bytes.length; ) {
            try (EncodedChunk chunk =
                    encoder.encode(
                            batch, firstRow, row, bytes.length, batches.pool().allocator())) {
                RowLengths lengths = new RowLengths(chunk);
                while (lengths.hasNext()) {
                    bytes[row++] = lengths.next();
                }
            }
        }
        return bytes;
    }
}
