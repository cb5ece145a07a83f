package io.spillway.operator.join;

import io.spillway.batch.BatchStream;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** One run of a {@link RunMerge}, with the batch that it is at. */
final class RunSource implements AutoCloseable {

    private final Run run;
    private final BatchStream stream;
    private @Nullable RecordBatch batch;
    private long numbers;

    /** Where in the file the batch begins. */
    private long firstRow;

    /** The next row of the batch. */
    private int row;

    /** Rows before it that the merge has just taken. */
    private int taken;

    /** What of the run had not come out when the merge began to collect rows. */
    private Run rest;

    /** The batch's place among those that rows are collected from, or -1. */
    private int place = -1;

    RunSource(Run run, BufferAllocator allocator) {
        this.run = run;
        this.rest = run;
        this.firstRow = run.from();
        this.stream = run.file().read(run.from(), allocator);
    }

    /**
     * Comes to the next row that has a number, if there is any.
     *
     * @param left takes batches that rows have been collected from; the owner closes them
     */
    boolean load(List<RecordBatch> left) {
        while (true) {
            RecordBatch now = batch;
            if (now != null) {
                while (row < now.rowCount() && number(row) < 0) {
                    row++;
                }
                if (row < now.rowCount()) {
                    return true;
                }
                firstRow += row;
                batch = null;
                if (place >= 0) {
                    left.add(now);
                    place = -1;
                } else {
                    now.close();
                }
            }
            row = 0;
            now = SpillReads.next(stream);
            if (now == null) {
                return false;
            }
            batch = now;
            numbers = RowTags.address(now);
        }
    }

    boolean isLoaded() {
        return batch != null;
    }

    RecordBatch batch() {
        return Objects.requireNonNull(batch);
    }

    private long number(int at) {
        return OffHeap.getLong(numbers + (long) Long.BYTES * at);
    }

    /** The next row's number. */
    long number() {
        return number(row);
    }

    /** All rows of the run with numbers below this are loaded. */
    long completeBelow() {
        int last = batch().rowCount() - 1;
        if (firstRow + last + 1 == run.file().rows()) {
            return Long.MAX_VALUE;
        }
        while (number(last) < 0) {
            last--;
        }
        return number(last);
    }

    /** Takes the loaded rows with numbers below one; gives how many these are. */
    int take(long end) {
        int rows = batch().rowCount();
        int from = row;
        while (row < rows && number(row) < end) {
            row++;
        }
        taken = row - from;
        return taken;
    }

    /** How many rows are taken. */
    int taken() {
        return taken;
    }

    /** The first row taken. */
    int takenFrom() {
        return row - taken;
    }

    /** The number of a row taken, or less than 0 if it has none any more. */
    long takenNumber(int at) {
        return number(row - taken + at);
    }

    /** Nothing is collected now. */
    void begin() {
        place = -1;
        rest = new Run(run.file(), firstRow + row);
    }

    /** The batch's place among those that rows are collected from, or -1. */
    int place() {
        return place;
    }

    void setPlace(int at) {
        place = at;
    }

    /** Where in the file the batch begins. */
    long firstRow() {
        return firstRow;
    }

    /** What had not come out when the collection began. */
    Run rest() {
        return rest;
    }

    @Override
    public void close() {
        RecordBatch last = batch;
        batch = null;
        if (last != null) {
            last.close();
        }
        stream.close();
    }
}
