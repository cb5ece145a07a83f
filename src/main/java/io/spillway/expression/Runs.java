package io.spillway.expression;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.Arrays;

/**
 * Which values make up a new column: runs of neighbours out of some sources, one run after the
 * other, nulls among them. Neighbours that are added one by one become one run.
 */
final class Runs {

    /** In place of a source: a run of nulls. */
    static final int NULLS = -1;

    private int[] sources;
    private int[] starts;
    private int[] lengths;
    private int count;
    private int total;

    Runs(int expected) {
        sources = new int[expected];
        starts = new int[expected];
        lengths = new int[expected];
    }

    /**
     * Positions in one source.
     *
     * @param rows of which the first {@code count} are used; a negative one gives null
     */
    static Runs of(int[] rows, int count) {
        Runs runs = new Runs(Math.min(count, 16));
        for (int i = 0; i < count; i++) {
            if (rows[i] < 0) {
                runs.add(NULLS, 0, 1);
            } else {
                runs.add(0, rows[i], 1);
            }
        }
        return runs;
    }

    /** Nulls alone. */
    static Runs nulls(int rows) {
        Runs runs = new Runs(1);
        runs.add(NULLS, 0, rows);
        return runs;
    }

    /**
     * Adds values {@code [start, start + length)} of a source.
     *
     * @throws SpillwayException {@code MEMORY_LIMIT} if these are more values than offsets reach
     */
    void add(int source, int start, int length) {
        if (length > Integer.MAX_VALUE - 1 - total) {
            throw new SpillwayException(
                    ErrorCode.MEMORY_LIMIT,
                    "The values of one batch of a column have over %,d elements or bytes"
                            .formatted(Integer.MAX_VALUE - 1));
        }
        if (length == 0) {
            return;
        }
        total += length;
        if (count > 0 && continues(source, start)) {
            lengths[count - 1] += length;
            return;
        }
        if (count == sources.length) {
            int more = Math.max(16, 2 * count);
            sources = Arrays.copyOf(sources, more);
            starts = Arrays.copyOf(starts, more);
            lengths = Arrays.copyOf(lengths, more);
        }
        sources[count] = source;
        starts[count] = start;
        lengths[count++] = length;
    }

    private boolean continues(int source, int start) {
        int last = count - 1;
        return sources[last] == source
                && (source == NULLS || starts[last] + lengths[last] == start);
    }

    /** Number of runs. */
    int count() {
        return count;
    }

    /** Number of values. */
    int total() {
        return total;
    }

    int source(int run) {
        return sources[run];
    }

    int start(int run) {
        return starts[run];
    }

    int length(int run) {
        return lengths[run];
    }
}
