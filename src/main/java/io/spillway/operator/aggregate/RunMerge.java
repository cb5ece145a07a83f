package io.spillway.operator.aggregate;

import io.spillway.batch.BatchStream;
import io.spillway.batch.OffHeap;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.operator.key.RowGather;
import io.spillway.spill.SpillFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Puts runs together whose last columns are ascending numbers, in the order of these. Owns the
 * runs' files.
 */
final class RunMerge implements BatchStream {

    private final RowSchema schema;
    private final int batchRows;
    private final long mostBytes;
    private final BufferAllocator allocator;
    private final List<SpillFile> files;
    private final List<Cursor> waiting = new ArrayList<>();
    private final PriorityQueue<Cursor> heads =
            new PriorityQueue<>(Comparator.comparingLong(cursor -> cursor.number));

    /** The batches that rows of the next one are taken from. */
    private final List<RecordBatch> sources = new ArrayList<>();

    /** Their bytes. */
    private long held;

    private int[] sourceOf;
    private int[] rowOf;
    private int count;

    /** Where one run is. */
    private static final class Cursor {

        private final BatchStream rows;
        private @Nullable RecordBatch batch;
        private long numbers;
        private int source;
        private int row;
        private long number;

        Cursor(BatchStream rows) {
            this.rows = rows;
        }
    }

    /**
     * @param schema of the runs
     * @param files taken over
     * @param mostBytes that the blocks may have of which rows are put together, unless those that
     *     are read first have more: as much is about what comes out at most
     */
    RunMerge(
            RowSchema schema,
            List<SpillFile> files,
            int batchRows,
            long mostBytes,
            BufferAllocator allocator) {
        this.schema = schema;
        this.mostBytes = mostBytes;
        this.files = files;
        this.batchRows = batchRows;
        this.allocator = allocator;
        this.sourceOf = new int[batchRows];
        this.rowOf = new int[batchRows];
        for (SpillFile file : files) {
            waiting.add(new Cursor(file.read(allocator)));
        }
    }

    @Override
    public RowSchema schema() {
        return schema;
    }

    @Override
    public Poll<RecordBatch> poll() {
        while (!waiting.isEmpty()) {
            if (count > 0 && held >= mostBytes) {
                return Poll.output(gather());
            }
            Cursor cursor = waiting.getLast();
            switch (cursor.rows.poll()) {
                case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                    if (batch.rowCount() == 0) {
                        batch.close();
                        continue;
                    }
                    open(cursor, batch);
                }
                case Poll.Blocked<RecordBatch> blocked -> {
                    return blocked;
                }
                case Poll.Finished<RecordBatch> _ -> cursor.rows.close();
            }
            waiting.removeLast();
        }
        while (count < batchRows && !heads.isEmpty()) {
            if (!take()) {
                return Poll.again();
            }
        }
        return count == 0 ? Poll.finished() : Poll.output(gather());
    }

    private void open(Cursor cursor, RecordBatch batch) {
        cursor.batch = batch;
        cursor.numbers = NumberedRows.address(batch);
        cursor.source = sources.size();
        cursor.row = 0;
        cursor.number = OffHeap.getLong(cursor.numbers);
        sources.add(batch);
        held += batch.bytes();
        heads.add(cursor);
    }

    /**
     * Takes rows of the run that is first, for as long as it is.
     *
     * @return false if its batch is at its end
     */
    private boolean take() {
        Cursor first = heads.remove();
        RecordBatch batch = first.batch;
        if (batch == null) {
            throw new IllegalStateException("a run without rows");
        }
        Cursor second = heads.peek();
        long end = second == null ? Long.MAX_VALUE : second.number;
        int rows = batch.rowCount();
        do {
            sourceOf[count] = first.source;
            rowOf[count++] = first.row++;
            if (first.row == rows) {
                first.batch = null;
                waiting.add(first);
                return false;
            }
            first.number = OffHeap.getLong(first.numbers + 8L * first.row);
        } while (first.number < end && count < batchRows);
        heads.add(first);
        return true;
    }

    /** Puts the chosen rows together, and drops the batches that are at their end. */
    private RecordBatch gather() {
        RecordBatch out = new RowGather(schema, sources).gather(sourceOf, rowOf, count, allocator);
        count = 0;
        held = 0;
        List<RecordBatch> left = new ArrayList<>();
        for (Cursor cursor : heads) {
            if (cursor.batch != null) {
                cursor.source = left.size();
                left.add(cursor.batch);
                held += cursor.batch.bytes();
            }
        }
        for (RecordBatch source : sources) {
            if (!left.contains(source)) {
                source.close();
            }
        }
        sources.clear();
        sources.addAll(left);
        return out;
    }

    @Override
    public void close() {
        sources.forEach(RecordBatch::close);
        sources.clear();
        heads.forEach(cursor -> cursor.rows.close());
        heads.clear();
        waiting.forEach(cursor -> cursor.rows.close());
        waiting.clear();
        files.forEach(SpillFile::close);
        count = 0;
    }
}
