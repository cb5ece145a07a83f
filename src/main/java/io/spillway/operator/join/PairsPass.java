package io.spillway.operator.join;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RecordBatch;
import io.spillway.spill.SpillFile;
import java.util.List;

/** Writes what comes of left rows by the block alone: a run. */
final class PairsPass implements BlockPass {

    private final BatchStream left;
    private final ProbeLane lane;
    private final RunWriter writer;
    private final List<SpillFile> runs;

    /**
     * Takes over all but the list.
     *
     * @param runs takes the run
     */
    PairsPass(BatchStream left, ProbeLane lane, RunWriter writer, List<SpillFile> runs) {
        this.left = left;
        this.lane = lane;
        this.writer = writer;
        this.runs = runs;
    }

    @Override
    public boolean step() {
        if (lane.hasNext()) {
            try (RecordBatch batch = lane.next()) {
                writer.append(batch);
            }
            return true;
        }
        RecordBatch batch = SpillReads.next(left);
        if (batch == null) {
            return false;
        }
        lane.begin(batch);
        return true;
    }

    @Override
    public void finish() {
        SpillFile run = writer.finish();
        if (run != null) {
            runs.add(run);
        }
    }

    @Override
    public void close() {
        lane.close();
        left.close();
        writer.close();
    }
}
