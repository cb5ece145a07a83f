package io.spillway.batch;

import java.util.ArrayList;
import java.util.List;

/**
 * Some rows, column by column. Owns its columns: whoever holds a batch closes it, once, and hands
 * it on by giving up the right to do so. Not thread-safe, but may move between threads.
 */
public final class RecordBatch implements AutoCloseable {

    private final RowSchema schema;
    private final List<ColumnVector> columns;
    private final int rowCount;
    private boolean closed;

    /**
     * Takes over the columns.
     *
     * @param columns one for each column of the schema, each of {@code rowCount} values
     */
    public RecordBatch(RowSchema schema, List<ColumnVector> columns, int rowCount) {
        this.schema = schema;
        this.columns = List.copyOf(columns);
        this.rowCount = rowCount;
        if (columns.size() != schema.size()) {
            throw new IllegalArgumentException(
                    columns.size() + " columns for a schema of " + schema.size());
        }
        for (ColumnVector c : columns) {
            if (c.size() != rowCount) {
                throw new IllegalArgumentException(
                        "a column of " + c.size() + " values in a batch of " + rowCount);
            }
        }
    }

    public RowSchema schema() {
        return schema;
    }

    public int rowCount() {
        return rowCount;
    }

    /** A column; stays the batch's. */
    public ColumnVector column(int index) {
        return columns.get(index);
    }

    /** Bytes of memory that the columns take. */
    public long bytes() {
        long sum = 0;
        for (ColumnVector c : columns) {
            sum += c.bytes();
        }
        return sum;
    }

    /**
     * Rows {@code [from, from + count)} as a batch of its own, sharing buffers where Arrow can;
     * this batch stays open.
     */
    public RecordBatch slice(int from, int count) {
        if (from < 0 || count < 0 || from > rowCount - count) {
            throw new IndexOutOfBoundsException("rows " + from + " + " + count + " of " + rowCount);
        }
        List<ColumnVector> parts = new ArrayList<>(columns.size());
        try {
            for (ColumnVector c : columns) {
                parts.add(c.slice(from, count));
            }
            return new RecordBatch(schema, parts, count);
        } catch (Throwable t) {
            parts.forEach(ColumnVector::close);
            throw t;
        }
    }

    /** Frees the columns; further calls do nothing. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            columns.forEach(ColumnVector::close);
        }
    }
}
