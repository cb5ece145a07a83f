package io.spillway.delivery.capture;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.SpillwayException;
import io.spillway.job.Job;
import io.spillway.job.JobBatches;
import io.spillway.job.JobService;
import io.spillway.sink.parquet.ParquetSink;
import io.spillway.storage.FileStatus;
import io.spillway.storage.FileWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Joins all that a delivery has captured to the columns of its rows that are kept, by position, and
 * writes it as one Parquet file, in the order of the rows. Rows of batches that were not captured
 * are not in it.
 *
 * <pre>
 *   job, columns that are kept ─▶ batch ──┐
 *   places, by row ─▶ part ─▶ values ─────┴─▶ rows [place] ─▶ row group ─▶ file, hidden ─▶ visible
 * </pre>
 */
public final class CaptureDataset {

    /** A row group takes such a part of what its job may hold at most. */
    private static final int PART_OF_POOL = 16;

    private static final long LEAST_ROW_GROUP_BYTES = 256 << 10;
    private static final long MOST_ROW_GROUP_BYTES = 64 << 20;

    /** Values in vectors, beside their text, and room for vectors to grow. */
    private static final long FORMS = 4;

    /**
     * What was written.
     *
     * @param schema of the file
     * @param rows in it
     * @param file the state that it has
     */
    public record Written(RowSchema schema, long rows, FileStatus file) {}

    private final JobService jobs;
    private final Job job;
    private final CaptureForm form;
    private final CaptureParts parts;
    private final BooleanSupplier isCanceled;

    /**
     * Writes nothing yet.
     *
     * @param isCanceled asked now and then whether to give up
     */
    public CaptureDataset(
            JobService jobs,
            Job job,
            CaptureForm form,
            CaptureParts parts,
            BooleanSupplier isCanceled) {
        this.jobs = jobs;
        this.job = job;
        this.form = form;
        this.parts = parts;
        this.isCanceled = isCanceled;
    }

    /**
     * Writes the file and makes it visible. Waits for rows and for the file system. Memory is the
     * job's, asked for before.
     *
     * @param places by ascending rows, without overlaps; gone through twice
     * @param file where to; closed and given up if anything fails
     * @return null if it was canceled, and there is no file then
     * @throws SpillwayException as reading the job's rows, the parts, and writing may
     */
    public @Nullable Written write(Iterable<CapturePlace> places, FileWriter file) {
        RowSchema schema = form.schema(form.kinds(places));
        long longest = 0;
        long first = Long.MAX_VALUE;
        long end = 0;
        for (CapturePlace place : places) {
            longest = Math.max(longest, place.length());
            first = Math.min(first, place.firstRow());
            end = Math.max(end, place.firstRow() + place.rows());
        }
        long rowGroup =
                Math.clamp(
                        job.memoryLimit() / PART_OF_POOL,
                        LEAST_ROW_GROUP_BYTES,
                        MOST_ROW_GROUP_BYTES);
        long besides = ParquetSink.memory(rowGroup) + FORMS * longest;
        try (file;
                JobBatches keys = jobs.part(job, Math.min(first, end), end, form.keys(), besides);
                ParquetSink sink =
                        new ParquetSink(
                                schema,
                                rowGroup,
                                Long.MAX_VALUE,
                                keys.pool().allocator(),
                                Map.of());
                Rows rows = new Rows(keys)) {
            sink.open(file);
            long written = 0;
            for (CapturePlace place : places) {
                if (isCanceled.getAsBoolean()) {
                    return null;
                }
                write(place, rows, schema, sink);
                written += place.rows();
            }
            flush(sink);
            sink.finish();
            return new Written(schema, written, file.commit());
        }
    }

    private void write(CapturePlace place, Rows keys, RowSchema schema, ParquetSink sink) {
        List<Captured.Json> texts = parts.read(place);
        int count = Math.toIntExact(place.rows());
        int kept = form.keys().size();
        List<ColumnVector> values = new ArrayList<>();
        try {
            for (int i = 0; i < texts.size(); i++) {
                values.add(
                        ValueVectors.of(
                                schema.column(kept + i), texts.get(i), count, keys.allocator()));
            }
            keys.skipTo(place.firstRow());
            int done = 0;
            while (done < count) {
                try (RecordBatch own = keys.take(count - done)) {
                    int rows = own.rowCount();
                    List<ColumnVector> columns = new ArrayList<>();
                    for (int i = 0; i < kept; i++) {
                        columns.add(own.column(i).slice(0, rows));
                    }
                    for (ColumnVector value : values) {
                        columns.add(value.slice(done, rows));
                    }
                    try (RecordBatch joined = new RecordBatch(schema, columns, rows)) {
                        write(joined, sink);
                    }
                    done += rows;
                }
            }
        } finally {
            values.forEach(ColumnVector::close);
        }
    }

    private static void write(RecordBatch batch, ParquetSink sink) {
        for (int at = 0; at < batch.rowCount(); ) {
            at = sink.write(batch, at, batch.rowCount());
            if (sink.isFull()) {
                flush(sink);
            }
        }
    }

    private static void flush(ParquetSink sink) {
        sink.seal();
        sink.flush();
    }

    /** The rows of the job, one behind the other. */
    private static final class Rows implements AutoCloseable {

        private final JobBatches batches;
        private @Nullable RecordBatch batch;
        private int at;
        private long next;

        Rows(JobBatches batches) {
            this.batches = batches;
            this.next = batches.position();
        }

        BufferAllocator allocator() {
            return batches.pool().allocator();
        }

        void skipTo(long row) {
            while (next < row) {
                RecordBatch open = batch();
                int count = (int) Math.min(open.rowCount() - at, row - next);
                moved(count);
            }
        }

        /** Rows that come next, at most so many, at least one. */
        RecordBatch take(int most) {
            RecordBatch open = batch();
            int count = Math.min(open.rowCount() - at, most);
            RecordBatch taken = open.slice(at, count);
            moved(count);
            return taken;
        }

        private void moved(int count) {
            at += count;
            next += count;
        }

        private RecordBatch batch() {
            while (true) {
                RecordBatch open = batch;
                if (open != null && at < open.rowCount()) {
                    return open;
                }
                close();
                batch = pull();
                at = 0;
            }
        }

        private RecordBatch pull() {
            while (true) {
                switch (batches.poll()) {
                    case Poll.Output<RecordBatch>(RecordBatch next) -> {
                        return next;
                    }
                    case Poll.Blocked<RecordBatch>(CompletableFuture<?> until) ->
                            CompletableFuture.anyOf(until, batches.interrupted())
                                    .handle((done, failure) -> null)
                                    .join();
                    case Poll.Finished<RecordBatch>() ->
                            throw new IllegalStateException(
                                    "the job has no row %,d, but one was sent".formatted(next));
                }
            }
        }

        @Override
        public void close() {
            RecordBatch open = batch;
            batch = null;
            if (open != null) {
                open.close();
            }
        }
    }
}
