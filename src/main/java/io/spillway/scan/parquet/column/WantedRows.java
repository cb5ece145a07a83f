package io.spillway.scan.parquet.column;

import io.spillway.scan.parquet.index.RowRanges;

/**
 * The rows of a row group that a column is read for.
 *
 * @param ranges all of them
 * @param soonTo the row up to which they are wanted before the others, or 0: then all are alike
 */
public record WantedRows(RowRanges ranges, long soonTo) {

    /** Rows of which none is wanted before the others. */
    public static WantedRows of(RowRanges ranges) {
        return new WantedRows(ranges, 0);
    }

    /**
     * How many of a page's first rows have to be decompressed for what is wanted of them now.
     *
     * @param row the page's first; not behind the last one that is wanted
     * @param rows how many it has
     */
    int part(long row, int rows) {
        long to = row < soonTo ? Math.min(soonTo, ranges.to()) : ranges.to();
        return (int) Math.min(rows, to - row);
    }
}
