package io.spillway.encode;

import io.spillway.batch.RecordBatch;

/**
 * Rows as JSON text of which it is known where they end and what they weigh. Owned by whoever holds
 * it.
 */
public final class MeasuredRows implements AutoCloseable {

    private final EncodedChunk chunk;
    private final long first;
    private final int[] ends;
    private final double[] weights;

    /**
     * Takes over the text.
     *
     * @param first position of the first row
     * @param ends where each row ends in the text
     * @param weights of each row; none if weights do not matter
     */
    MeasuredRows(EncodedChunk chunk, long first, int[] ends, double[] weights) {
        this.chunk = chunk;
        this.first = first;
        this.ends = ends;
        this.weights = weights;
    }

    EncodedChunk chunk() {
        return chunk;
    }

    /** Position of the first row. */
    long first() {
        return first;
    }

    /** How many rows there are. */
    public int rows() {
        return ends.length;
    }

    /** Where a row begins, with what stands in front of it. */
    int start(int row) {
        return row == 0 ? 0 : ends[row - 1];
    }

    /** Where a row ends. */
    public int end(int row) {
        return ends[row];
    }

    double weight(int row) {
        return weights.length == 0 ? 0 : weights[row];
    }

    /** Bytes of all rows. */
    public long length() {
        return chunk.length();
    }

    /** What rows weigh. One thread at a time. */
    public interface Weights extends AutoCloseable {

        /** For rows whose weights do not matter. */
        Weights NONE =
                new Weights() {

                    @Override
                    public double[] of(RecordBatch batch, int from, int to) {
                        return new double[0];
                    }

                    @Override
                    public void close() {
                        // Holds nothing.
                    }
                };

        /** Those of rows {@code [from, to)} of a batch; none if weights do not matter. */
        double[] of(RecordBatch batch, int from, int to);

        @Override
        void close();
    }

    /**
     * The first of the rows as a chunk, which takes the place of this: the caller's.
     *
     * @param count how many, at least one
     */
    public EncodedChunk take(int count) {
        return new EncodedChunk(chunk.bytes(), ends[count - 1], count);
    }

    @Override
    public void close() {
        chunk.close();
    }
}
