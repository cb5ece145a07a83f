package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.SpillwayException;
import io.spillway.operator.ProjectOperator;
import io.spillway.scan.FileColumns;
import io.spillway.scan.ScanStream;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A file's own columns as those that a plan wants. A value that does not fit the wider type, such
 * as a date beyond the years of nanoseconds, is an error that names the file.
 */
final class WidenedStream implements ScanStream {

    private final ScanStream own;
    private final BatchStream projected;
    private final String file;

    /**
     * @param own the file's own columns; closed with this stream
     */
    WidenedStream(
            ScanStream own,
            FileColumns columns,
            RowSchema wanted,
            String file,
            BufferAllocator allocator) {
        this.own = own;
        this.projected =
                new ProjectOperator(columns.expressions(), columns.inner(), wanted)
                        .over(own, 0, allocator);
        this.file = file;
    }

    @Override
    public RowSchema schema() {
        return projected.schema();
    }

    @Override
    public long position() {
        return own.position();
    }

    @Override
    public Poll<RecordBatch> poll() {
        try {
            return projected.poll();
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.FILE, file);
        }
    }

    @Override
    public void release() {
        projected.release();
    }

    @Override
    public void close() {
        projected.close();
    }
}
