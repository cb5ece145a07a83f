package io.spillway.rows;

import java.util.Arrays;

/**
 * What has been found out by reading about the rows that come of a run of input rows: places at
 * regular distances, and the furthest one, the frontier. It only grows. Streams that read the same
 * rows tell the same places, so that it does not matter who tells which, nor how often.
 */
final class Checkpoints implements PartPlaces {

    /** Input rows between two places that are kept, at least. */
    static final long STRIDE = 8_192;

    /** Places that are kept at most; beyond that every second one is dropped. */
    static final int MAX = 65_536;

    // Guarded by this: ascending in both coordinates; the first place is the start.
    private long[] in = new long[4];
    private long[] out = new long[4];
    private int used = 1;
    private long stride;
    private Place frontier = Place.START;
    private boolean complete;

    private final long end;

    /**
     * @param stride input rows between two places that are kept
     * @param end number of input rows; {@code Long.MAX_VALUE} if that is not known
     */
    Checkpoints(long stride, long end) {
        this.stride = stride;
        this.end = end;
    }

    /** Somebody who has counted from a known place on has come to a place. */
    synchronized void reached(long row, long rowsOut) {
        if (complete || row <= frontier.in()) {
            return;
        }
        frontier = new Place(row, rowsOut);
        complete = row == end;
        if (row - in[used - 1] >= stride) {
            keep(row, rowsOut);
        }
    }

    /** Somebody who has counted from a known place on has come to the end. */
    synchronized void finished(long row, long rowsOut) {
        reached(row, rowsOut);
        if (!complete) {
            complete = true;
            frontier = new Place(row, rowsOut);
        }
    }

    private void keep(long row, long rowsOut) {
        if (used == MAX) {
            for (int i = 1; i < MAX / 2; i++) {
                in[i] = in[2 * i];
                out[i] = out[2 * i];
            }
            used = MAX / 2;
            stride *= 2;
        }
        if (used == in.length) {
            in = Arrays.copyOf(in, 2 * used);
            out = Arrays.copyOf(out, 2 * used);
        }
        in[used] = row;
        out[used++] = rowsOut;
    }

    /** Whether the end has been reached. */
    synchronized boolean isComplete() {
        return complete;
    }

    synchronized Place frontier() {
        return frontier;
    }

    /** The kept places behind the start, and the frontier as the last one. */
    synchronized Place[] places() {
        int behind = in[used - 1] < frontier.in() ? 1 : 0;
        Place[] places = new Place[used - 1 + behind];
        for (int i = 1; i < used; i++) {
            places[i - 1] = new Place(in[i], out[i]);
        }
        if (behind > 0) {
            places[used - 1] = frontier;
        }
        return places;
    }

    @Override
    public synchronized long rows() {
        return complete ? frontier.out() : -1;
    }

    @Override
    public synchronized long placed() {
        return frontier.out();
    }

    @Override
    public synchronized Place before(long row) {
        if (frontier.out() <= row) {
            return frontier;
        }
        // The last of equals: behind rows of which none came out.
        int low = 0;
        int high = used - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (out[middle] <= row) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return new Place(in[low], out[low]);
    }

    @Override
    public synchronized long after(long row) {
        if (frontier.out() < row) {
            return -1;
        }
        int low = 0;
        int high = used;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (out[middle] >= row) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low < used ? in[low] : frontier.in();
    }
}
