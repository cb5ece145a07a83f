package io.spillway.job;

import io.spillway.cursor.Split;
import io.spillway.error.SpillwayException;
import io.spillway.rows.RowSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The splits of a job that were read lately, with what is known of their rows. Holds a bounded
 * number of them; one that is gone is made anew when it is asked for again. Thread-safe.
 */
final class SplitParts {

    private static final int MOST = 1_024;

    private final PartRows job;
    private final Function<RowSource, CountBuild> counts;

    // Guarded by this.
    private final Map<Split, PartRows> views = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * @param job all rows of the job
     * @param counts makes the count of a part of the job's input
     */
    SplitParts(PartRows job, Function<RowSource, CountBuild> counts) {
        this.job = job;
        this.counts = counts;
    }

    /** The rows of a split of the job. */
    synchronized PartRows of(Split split) {
        PartRows known = views.get(split);
        if (known != null) {
            return known;
        }
        RowSource all = job.source();
        PartRows made =
                switch (split.range()) {
                    case Split.Rows rows -> PartRows.rows(split, rows, all, job.count());
                    case Split.Share share -> PartRows.share(split, share, all, job.count());
                    case Split.Input(int fromPart, long fromRow, int toPart, long toRow) -> {
                        RowSource input = all.input(fromPart, fromRow, toPart, toRow);
                        yield PartRows.input(split, input, counts.apply(input));
                    }
                };
        views.put(split, made);
        forgetSome();
        return made;
    }

    private void forgetSome() {
        Iterator<PartRows> oldest = views.values().iterator();
        while (views.size() > MOST && oldest.hasNext()) {
            PartRows view = oldest.next();
            if (!isCounting(view)) {
                oldest.remove();
            }
        }
    }

    /** Whether rows of a split, and not all of the job's, are being counted for it. */
    private boolean isCounting(PartRows view) {
        return view.count() != job.count() && view.count().isRunning();
    }

    /** Whether rows of any split alone are being counted. */
    synchronized boolean isCounting() {
        return views.values().stream().anyMatch(this::isCounting);
    }

    /** Stops counts that nobody wants any more. */
    void sweep(long now) {
        for (PartRows view : all()) {
            if (view.count() != job.count()) {
                view.count().sweep(now);
            }
        }
    }

    /** No more counts. */
    void end(SpillwayException reason) {
        for (PartRows view : all()) {
            if (view.count() != job.count()) {
                view.count().end(reason);
            }
        }
    }

    private synchronized List<PartRows> all() {
        return new ArrayList<>(views.values());
    }
}
