package io.spillway.operator.join;

import io.spillway.batch.RecordBatch;
import io.spillway.operator.key.RowGather;
import org.apache.arrow.memory.BufferAllocator;

/** The rows of a table that have found no match, in order, a batch at a time. */
final class UnmatchedRows {

    private final RightTable table;
    private final RowGather columns;
    private final BatchLimit size;
    private final BufferAllocator allocator;
    private final int[] rows;
    private final int[] sourceOf;
    private final int[] rowOf;
    private int next;

    /**
     * The rows of a table that has been probed with all that there is.
     *
     * @param columns of the table's rows that come out
     */
    UnmatchedRows(RightTable table, RowGather columns, BatchLimit size, BufferAllocator allocator) {
        this.table = table;
        this.columns = columns;
        this.size = size;
        this.allocator = allocator;
        this.rows = new int[size.rows()];
        this.sourceOf = new int[size.rows()];
        this.rowOf = new int[size.rows()];
    }

    boolean hasNext() {
        return next < table.rowCount();
    }

    /** The next rows, of which there may be none; a bounded number is looked at. */
    RecordBatch next() {
        int count = 0;
        long bytes = 0;
        int end = Math.min(table.rowCount(), next + size.rows());
        for (; next < end; next++) {
            if (!table.marks().get(next)) {
                bytes += table.bytes().of(next);
                if (bytes > size.bytes() && count > 0) {
                    break;
                }
                rows[count++] = next;
            }
        }
        table.rows().locate(rows, 0, count, sourceOf, rowOf);
        return columns.gather(sourceOf, rowOf, count, allocator);
    }
}
