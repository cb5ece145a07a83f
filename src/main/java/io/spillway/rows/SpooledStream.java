package io.spillway.rows;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import org.jspecify.annotations.Nullable;

/** Rows of a source whose spools are not there yet: builds them, or waits for them, and reads. */
final class SpooledStream implements BatchStream {

    private final SpooledSource source;
    private final long from;
    private final long to;
    private final ReadContext context;
    private @Nullable PollStream<CountProgress> building;
    private @Nullable BatchStream reading;
    private boolean closed;

    SpooledStream(SpooledSource source, long from, long to, ReadContext context) {
        this.source = source;
        this.from = from;
        this.to = to;
        this.context = context;
    }

    @Override
    public RowSchema schema() {
        return source.schema();
    }

    @Override
    public Poll<RecordBatch> poll() {
        if (closed) {
            return Poll.finished();
        }
        if (reading != null) {
            return reading.poll();
        }
        RowSource built = source.built();
        if (built != null) {
            closeBuilding();
            reading = built.open(from, to, context);
            return Poll.again();
        }
        PollStream<CountProgress> stream = building;
        if (stream == null) {
            stream = source.count(0, context);
            building = stream;
        }
        return switch (stream.poll()) {
            case Poll.Output<CountProgress> _ -> Poll.again();
            case Poll.Blocked<CountProgress>(var until) -> Poll.blocked(until);
            case Poll.Finished<CountProgress>() -> {
                closeBuilding();
                yield Poll.again();
            }
        };
    }

    private void closeBuilding() {
        PollStream<CountProgress> open = building;
        building = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void release() {
        if (reading != null) {
            reading.release();
        }
    }

    @Override
    public void close() {
        closed = true;
        closeBuilding();
        if (reading != null) {
            reading.close();
        }
    }
}
