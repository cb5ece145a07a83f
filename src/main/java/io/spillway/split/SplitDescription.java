package io.spillway.split;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a split without reading it.
 *
 * @param rows how many it has, if that is known, else how many rows of input they come of; null if
 *     that is not known either
 * @param rowsExact whether {@code rows} is how many rows there are
 * @param repeats how many of them, the last ones, are rows that come before in another split, or in
 *     this one
 * @param range their numbers in the job, without those of repeated rows; null if they are not known
 * @param bytes about how many bytes of the input files they come of; null if that is not known
 * @param files URIs of the input files that they come of, in order; null if these are not known
 */
public record SplitDescription(
        @Nullable Long rows,
        boolean rowsExact,
        long repeats,
        @Nullable RowRange range,
        @Nullable Long bytes,
        @Nullable List<String> files) {

    /** Rows {@code [from, to)} of a job. */
    public record RowRange(long from, long to) {}

    /** Of rows of which nothing is known but, perhaps, their number. */
    static SplitDescription unknown(@Nullable Long rows) {
        return new SplitDescription(rows, rows != null, 0, null, null, null);
    }
}
