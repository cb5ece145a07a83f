package io.spillway.scan.parquet.pruning;

import io.spillway.scan.Pruned;
import io.spillway.scan.parquet.index.OffsetIndex;
import io.spillway.scan.parquet.index.PagePlan;
import io.spillway.scan.parquet.index.RowRanges;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a row group that a stream reads, and where the pages are that hold them.
 *
 * @param rows all that may match; within the task's
 * @param places of the pages of chunks, by the chunk's number; chunks without one are read from
 *     their start
 * @param pruned what was ruled out
 */
public record RowSelection(RowRanges rows, Map<Integer, OffsetIndex> places, List<Pruned> pruned) {

    public RowSelection {
        places = Map.copyOf(places);
        pruned = List.copyOf(pruned);
    }

    /** All of one range, without any places. */
    static RowSelection of(RowRanges rows) {
        return new RowSelection(rows, Map.of(), List.of());
    }

    static RowSelection none(Pruned pruned) {
        return new RowSelection(RowRanges.none(), Map.of(), List.of(pruned));
    }

    /** The pages of a chunk that are to be read, or null if that is not known. */
    public @Nullable PagePlan pages(int chunk) {
        OffsetIndex index = places.get(chunk);
        return index == null ? null : PagePlan.of(index, rows);
    }
}
