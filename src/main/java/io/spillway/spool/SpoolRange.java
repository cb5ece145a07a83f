package io.spillway.spool;

import java.util.List;

/**
 * Some rows of a spool.
 *
 * @param segment which segment they are in
 * @param from first row, counted in the segment
 * @param to row after the last; at most the segment's rows
 * @param columns positions of those to read, ascending
 */
public record SpoolRange(int segment, long from, long to, List<Integer> columns) {

    public SpoolRange {
        columns = List.copyOf(columns);
    }
}
