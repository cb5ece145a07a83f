package io.spillway.operator.window;

import io.spillway.batch.ColumnVector;

/** A call at work on one segment, batch by batch. */
interface Computation extends AutoCloseable {

    /**
     * The call's values.
     *
     * @param starts of the rows' frames, if the function looks at them
     * @param ends behind the frames' last rows; no more than the start if a frame is empty
     * @return owned by the caller
     */
    ColumnVector compute(Rows rows, long[] starts, long[] ends);

    @Override
    void close();
}
