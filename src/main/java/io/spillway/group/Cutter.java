package io.spillway.group;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cuts batches. The same rows are always cut in the same way. */
public interface Cutter {

    /**
     * Some batches, one behind the other.
     *
     * @param cuts as many as can be cut now
     * @param end number of the row behind the last batch that there will ever be, if that is known
     *     by now
     */
    record Cuts(List<Cut> cuts, @Nullable Long end) {

        public Cuts {
            cuts = List.copyOf(cuts);
        }
    }

    /**
     * Cuts what is known already; never waits.
     *
     * @param firstRow where the first batch begins
     * @param batches how many are wanted
     */
    Cuts cut(long firstRow, long batches);
}
