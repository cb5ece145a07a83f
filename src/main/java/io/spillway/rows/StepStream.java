package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.execution.Failures;
import org.apache.arrow.memory.OutOfMemoryException;

/** The rows of a blocking step, which is named by what fails because there is too little memory. */
final class StepStream implements BatchStream {

    private final String step;
    private final BatchStream rows;

    /**
     * Takes over the rows.
     *
     * @param step the step's name, as plans have it
     */
    StepStream(String step, BatchStream rows) {
        this.step = step;
        this.rows = rows;
    }

    @Override
    public RowSchema schema() {
        return rows.schema();
    }

    @Override
    public Poll<RecordBatch> poll() {
        try {
            return rows.poll();
        } catch (OutOfMemoryException e) {
            throw Failures.asSpillway(e).with(SpillwayException.STEP, step);
        } catch (SpillwayException e) {
            throw e.code() == ErrorCode.MEMORY_LIMIT ? e.with(SpillwayException.STEP, step) : e;
        }
    }

    @Override
    public void release() {
        rows.release();
    }

    @Override
    public void close() {
        rows.close();
    }
}
