package io.spillway.operator.partition;

import io.spillway.batch.BatchStream;
import io.spillway.batch.Poll;
import io.spillway.batch.RecordBatch;
import org.jspecify.annotations.Nullable;

/** Reading of spill files, whose streams keep nobody waiting. */
public final class SpillReads {

    private SpillReads() {}

    /** The next batch, owned by the caller; null at the end. */
    public static @Nullable RecordBatch next(BatchStream file) {
        return switch (file.poll()) {
            case Poll.Output<RecordBatch>(RecordBatch batch) -> batch;
            case Poll.Finished<RecordBatch> _ -> null;
            case Poll.Blocked<RecordBatch> _ ->
                    throw new IllegalStateException("a spill file keeps its reader waiting");
        };
    }
}
