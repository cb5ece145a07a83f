package io.spillway.operator.window;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.OffHeap;
import io.spillway.batch.RecordBatch;
import org.apache.arrow.vector.FieldVector;

/**
 * The rows of one batch of a segment, and for each where its partition and its peers begin and end
 * (behind the last). All are positions in the segment.
 */
final class Rows {

    final RecordBatch batch;
    final long first;
    final long[] partition;
    final long[] partitionEnd;
    final long[] peers;
    final long[] peersEnd;

    Rows(RecordBatch batch, long first) {
        int count = batch.rowCount();
        this.batch = batch;
        this.first = first;
        this.partition = new long[count];
        this.partitionEnd = new long[count];
        this.peers = new long[count];
        this.peersEnd = new long[count];
    }

    int count() {
        return partition.length;
    }

    /** A column that is in plain form. */
    FieldVector plain(int column) {
        return plain(batch, column);
    }

    private static FieldVector plain(RecordBatch batch, int column) {
        if (batch.column(column) instanceof ColumnVector.Plain(FieldVector vector)) {
            return vector;
        }
        throw new IllegalStateException("column " + column + " has a dictionary");
    }

    /** Looks ahead for the ends of what begins somewhere. */
    static final class Ends implements AutoCloseable {

        private final Segment segment;
        private final Reader ahead;
        private final int column;
        private long end;
        private long begin = -1;

        Ends(Segment segment, int column) {
            this.segment = segment;
            this.ahead = new Reader(segment);
            this.column = column;
        }

        /**
         * Reads where rows begin, and finds where they end.
         *
         * @param begins filled
         * @param ends filled
         */
        void fill(Rows rows, long[] begins, long[] ends) {
            long data = longs(rows.batch, column);
            for (int i = 0; i < begins.length; i++) {
                begins[i] = OffHeap.getLong(data + 8L * i);
                ends[i] = end(begins[i]);
            }
        }

        private long end(long of) {
            if (of != begin) {
                begin = of;
                end = of + 1;
                while (end < segment.rows() && at(end) == of) {
                    end++;
                }
            }
            return end;
        }

        private long at(long position) {
            int row = ahead.moveTo(position);
            return OffHeap.getLong(longs(ahead.batch(), column) + 8L * row);
        }

        private static long longs(RecordBatch batch, int column) {
            return plain(batch, column).getDataBuffer().memoryAddress();
        }

        @Override
        public void close() {
            ahead.close();
        }
    }
}
