package io.spillway.group;

import io.spillway.encode.ShortReason;
import io.spillway.job.KnownRows;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts batches of one size: they end at multiples of it, and where the job ends.
 *
 * @param rows rows of a batch
 * @param dropLast whether a last batch that is shorter is left out
 * @param known what is known of the job's rows
 */
record EvenCutter(long rows, boolean dropLast, KnownRows known) implements Cutter {

    @Override
    public Cuts cut(long firstRow, long batches) {
        Long total = known.total();
        Long end = total == null ? null : Long.valueOf(dropLast ? total - total % rows : total);
        List<Cut> cuts = new ArrayList<>();
        long from = firstRow;
        while (cuts.size() < batches) {
            Cut cut;
            if (known.atLeast() - from >= rows) {
                cut = new Cut(from, rows, null);
            } else if (end != null && from < end) {
                cut = new Cut(from, end - from, ShortReason.END);
            } else {
                break;
            }
            cuts.add(cut);
            from = cut.end();
        }
        return new Cuts(cuts, end);
    }
}
