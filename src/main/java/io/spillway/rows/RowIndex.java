package io.spillway.rows;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/** Prefix sums of partition row counts: which partition holds a row. */
final class RowIndex {

    /** First row of each partition, then the total. */
    private final long[] starts;

    private RowIndex(long[] starts) {
        this.starts = starts;
    }

    static <T> RowIndex of(List<T> partitions, ToLongFunction<T> rows) {
        long[] starts = new long[partitions.size() + 1];
        for (int i = 0; i < partitions.size(); i++) {
            starts[i + 1] = Math.addExact(starts[i], rows.applyAsLong(partitions.get(i)));
        }
        return new RowIndex(starts);
    }

    long total() {
        return starts[starts.length - 1];
    }

    /** The number of the first row of a partition. */
    long start(int partition) {
        return starts[partition];
    }

    /** The partition that holds a row, {@code 0 ≤ row < total}; never an empty one. */
    int partition(long row) {
        int found = Arrays.binarySearch(starts, row);
        if (found < 0) {
            return -found - 2;
        }
        // Empty partitions share their start with the next one: the last of equals holds the row.
        while (starts[found + 1] == row) {
            found++;
        }
        return found;
    }
}
