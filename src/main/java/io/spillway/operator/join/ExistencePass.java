package io.spillway.operator.join;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RecordBatch;
import io.spillway.expression.Gather;
import io.spillway.expression.Selection;
import java.util.BitSet;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** Parts left rows into those that have a match in the block and those that have none. */
final class ExistencePass implements BlockPass {

    private final BatchStream left;
    private final Probe probe;
    private final PairBytes bytes;
    private final @Nullable RunWriter matched;
    private final RunWriter unmatched;
    private final Runnable whenFinished;
    private final BufferAllocator allocator;
    private final BitSet found = new BitSet();
    private @Nullable RecordBatch batch;

    /**
     * Takes over all but {@code bytes}.
     *
     * @param probe gives the rows that have a match
     * @param bytes the probe's
     * @param matched null if these rows are not wanted
     */
    ExistencePass(
            BatchStream left,
            Probe probe,
            PairBytes bytes,
            @Nullable RunWriter matched,
            RunWriter unmatched,
            Runnable whenFinished,
            BufferAllocator allocator) {
        this.left = left;
        this.probe = probe;
        this.bytes = bytes;
        this.matched = matched;
        this.unmatched = unmatched;
        this.whenFinished = whenFinished;
        this.allocator = allocator;
    }

    @Override
    public boolean step() {
        RecordBatch now = batch;
        if (now == null) {
            now = SpillReads.next(left);
            if (now == null) {
                return false;
            }
            batch = now;
            found.clear();
            bytes.begin(now);
            probe.begin(now);
        } else if (probe.hasNext()) {
            probe.next();
            for (int i = 0; i < probe.count(); i++) {
                found.set(probe.lefts()[i]);
            }
        } else {
            write(now);
            now.close();
            batch = null;
        }
        return true;
    }

    private void write(RecordBatch now) {
        if (matched != null) {
            append(matched, now);
        }
        found.flip(0, now.rowCount());
        append(unmatched, now);
    }

    private void append(RunWriter writer, RecordBatch now) {
        long[] words = new long[(now.rowCount() + Long.SIZE - 1) / Long.SIZE];
        long[] bits = found.toLongArray();
        System.arraycopy(bits, 0, words, 0, bits.length);
        try (RecordBatch part =
                Gather.gather(now, Selection.of(words, now.rowCount()), allocator)) {
            writer.append(part);
        }
    }

    @Override
    public void finish() {
        whenFinished.run();
    }

    @Override
    public void close() {
        RecordBatch last = batch;
        batch = null;
        if (last != null) {
            last.close();
        }
        probe.close();
        left.close();
        if (matched != null) {
            matched.close();
        }
        unmatched.close();
    }
}
