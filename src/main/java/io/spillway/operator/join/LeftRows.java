package io.spillway.operator.join;

import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.spill.SpillFile;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Left rows on disk to look for matches of. They are read in order, and so ascend by their numbers:
 * these, then the columns that {@linkplain JoinLayout#deciding decide}.
 */
sealed interface LeftRows {

    /** How many there are. */
    long rows();

    /** Reads them; the stream keeps nobody waiting. */
    PollStream<RecordBatch> read(BufferAllocator allocator);

    /** They are not needed any more. */
    void close();

    /**
     * All left rows; the file, in which their places are their numbers, stays its owner's.
     *
     * @param layout of the rows as they are in the file
     */
    record All(JoinLayout layout, SpillFile file) implements LeftRows {

        @Override
        public long rows() {
            return file.rows();
        }

        @Override
        public PollStream<RecordBatch> read(BufferAllocator allocator) {
            return new NumberedLeft(
                    RowTags.before(layout.narrow().left()),
                    file.read(0, layout.deciding(), allocator),
                    allocator);
        }

        @Override
        public void close() {}
    }

    /** Those of a partition; owns the file, which has the numbers. */
    record Part(SpillFile file) implements LeftRows {

        @Override
        public long rows() {
            return file.rows();
        }

        @Override
        public PollStream<RecordBatch> read(BufferAllocator allocator) {
            return file.read(allocator);
        }

        @Override
        public void close() {
            file.close();
        }
    }
}
