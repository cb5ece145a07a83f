package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;

/**
 * The last rows below a limit. If the input has as many rows as the limit lets through, that is the
 * number of rows; else the input comes to its end before, and tells.
 */
final class LimitStream implements BatchStream, EndListener {

    private final LimitSource source;
    private final EndListener end;
    private final BatchStream input;
    private boolean told;

    /** Opens rows {@code [first, rows)} of the limit's source. */
    LimitStream(LimitSource source, long first, ReadContext context) {
        this.source = source;
        this.end = context.end();
        Ending ending = context.ending() == Ending.STOP ? Ending.STOP : Ending.COUNT;
        this.told = ending == Ending.STOP;
        this.input =
                source.input()
                        .open(
                                LimitSource.plus(source.offset(), first),
                                LimitSource.plus(source.offset(), source.rows()),
                                context.withEnd(this, ending));
    }

    @Override
    public void reached(long total) {
        told = true;
        end.reached(source.within(total));
    }

    @Override
    public RowSchema schema() {
        return input.schema();
    }

    @Override
    public Poll<RecordBatch> poll() {
        Poll<RecordBatch> answer = input.poll();
        if (answer instanceof Poll.Finished && !told) {
            told = true;
            end.reached(source.rows());
        }
        return answer;
    }

    @Override
    public void release() {
        input.release();
    }

    @Override
    public void close() {
        input.close();
    }
}
