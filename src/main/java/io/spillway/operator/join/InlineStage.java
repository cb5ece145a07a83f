package io.spillway.operator.join;

import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import java.util.concurrent.CompletableFuture;

/** A lane that works in its consumer's turns; what a parallel stage is with many. */
final class InlineStage implements PollStream<RecordBatch> {

    private final PollStream<RecordBatch> input;
    private final ProbeLane lane;

    /** Takes over both. */
    InlineStage(PollStream<RecordBatch> input, ProbeLane lane) {
        this.input = input;
        this.lane = lane;
    }

    @Override
    public Poll<RecordBatch> poll() {
        if (lane.hasNext()) {
            return Poll.output(lane.next());
        }
        return switch (input.poll()) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> {
                lane.begin(batch);
                yield lane.hasNext() ? Poll.output(lane.next()) : Poll.again();
            }
            case Poll.Blocked<RecordBatch>(CompletableFuture<?> until) -> Poll.blocked(until);
            case Poll.Finished<RecordBatch>() -> Poll.finished();
        };
    }

    @Override
    public void release() {
        input.release();
    }

    @Override
    public void close() {
        lane.close();
        input.close();
    }
}
