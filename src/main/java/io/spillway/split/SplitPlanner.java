package io.spillway.split;

import io.spillway.cursor.Split;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.plan.document.SplitsRequest;
import io.spillway.plan.document.SplitsRequest.Equal;
import io.spillway.rows.RowSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Takes a job's rows apart. Where nothing else is asked for, splits end where parts of the input do
 * (row groups, for Parquet), so that no two readers read the same bytes, and take about as many
 * bytes each:
 *
 * <pre>
 *   row groups   |    1    |  2  |    3    |  4  |      5      |
 *   3 splits     |      0        |       1       |      2      |
 * </pre>
 *
 * <p>Rows that are not counted come from parts of the input all the same, if these can be read by
 * themselves; rows of which that is not true are shared out when they are read.
 */
final class SplitPlanner {

    /** Rows that are repeated more often are not what anybody wants. */
    private static final long MOST_ROUNDS = 1_000;

    private final SplitsRequest request;
    private final OptionalLong total;
    private final @Nullable InputMap inputs;

    private SplitPlanner(SplitsRequest request, RowSource source) {
        this.request = request;
        // In this order: what is counted is known of each part, too.
        this.total = source.rowCount();
        this.inputs = InputMap.of(source);
    }

    /**
     * Reads nothing.
     *
     * @throws SpillwayException {@code ROW_COUNT_UNKNOWN} if how many rows there are has to be
     *     known for what is asked, {@code INVALID_PLAN} if something else has to be
     */
    static SplitPlan plan(SplitsRequest request, RowSource source) {
        SplitPlanner planner = new SplitPlanner(request, source);
        int count = planner.count();
        Equal equal = request.equal();
        if (equal != null) {
            return planner.equal(count, equal);
        }
        Long alignTo = request.alignTo();
        return new SplitPlan(
                alignTo == null ? planner.natural(count) : planner.aligned(count, alignTo));
    }

    private int count() {
        return switch (request.size()) {
            case SplitsRequest.Count(int count) -> count;
            case SplitsRequest.TargetRows(long rows) -> parts(rowsAtMost(), rows);
            case SplitsRequest.TargetBytes(long bytes) -> {
                if (inputs == null) {
                    throw new SpillwayException(
                                    ErrorCode.INVALID_PLAN,
                                    "How many bytes these rows take is not known: tell a number of"
                                            + " splits or of rows")
                            .with(SpillwayException.POINTER, "/targetBytes");
                }
                yield parts(inputs.bytes(), bytes);
            }
        };
    }

    private long rowsAtMost() {
        if (total.isPresent() || inputs == null) {
            return known("/targetRows");
        }
        return inputs.rows();
    }

    /** No more than parts that can be read by themselves, unless rows are to be cut anywhere. */
    private int parts(long size, long each) {
        long most =
                request.equal() == null && request.alignTo() == null && inputs != null
                        ? inputs.parts()
                        : SplitsRequest.MOST_SPLITS;
        long parts = Math.max(Math.ceilDiv(size, each), 1);
        if (parts > most && most == SplitsRequest.MOST_SPLITS) {
            throw new SpillwayException(
                            ErrorCode.INVALID_PLAN,
                            "That would be %,d splits; there may be %,d".formatted(parts, most))
                    .with(SpillwayException.LIMIT, most)
                    .with(SpillwayException.FOUND, parts);
        }
        return (int) Math.min(parts, most);
    }

    private long known(String pointer) {
        return total.orElseThrow(
                () ->
                        new SpillwayException(
                                        ErrorCode.ROW_COUNT_UNKNOWN,
                                        "The rows of this job are not counted yet: ask for its"
                                                + " :count first")
                                .with(SpillwayException.POINTER, pointer));
    }

    /** Splits that end where parts do, or by rows where there are no parts. */
    private List<Split.Range> natural(int count) {
        List<Split.Range> ranges = new ArrayList<>(count);
        int[] borders = inputs == null ? null : inputs.borders(count);
        for (int i = 0; i < count; i++) {
            if (inputs != null && borders != null) {
                ranges.add(inputs.range(borders[i], borders[i + 1]));
            } else {
                Split.Share share = new Split.Share(i, count);
                ranges.add(total.isPresent() ? share.of(total.getAsLong()) : share);
            }
        }
        return ranges;
    }

    /** Splits that end near where parts do, at multiples of a number of rows. */
    private List<Split.Range> aligned(int count, long alignTo) {
        long rows = known("/alignTo");
        List<Split.Range> ranges = new ArrayList<>(count);
        int[] borders = inputs == null ? null : inputs.borders(count);
        long from = 0;
        for (int i = 0; i < count; i++) {
            long end =
                    inputs != null && borders != null
                            ? inputs.start(borders[i + 1])
                            : new Split.Share(i, count).of(rows).to();
            long to = end == rows ? rows : Math.min(nearest(end, alignTo), rows);
            ranges.add(new Split.Rows(from, Math.max(from, to)));
            from = Math.max(from, to);
        }
        return ranges;
    }

    private static long nearest(long row, long alignTo) {
        long below = row / alignTo * alignTo;
        long above = row - below;
        return above <= alignTo - above ? below : below + alignTo;
    }

    /** Splits of as many rows, or batches, each. */
    private SplitPlan equal(int count, Equal mode) {
        long rows = known("/equalRows");
        long unit = request.alignTo() == null ? 1 : request.alignTo();
        return switch (mode) {
            case EXACT -> new SplitPlan(exact(count, rows, unit));
            case DROP -> {
                long each = rows / unit / count * unit;
                yield new SplitPlan(runs(count, each, each * count), rows - each * count);
            }
            case PAD -> {
                long each = Math.ceilDiv(Math.ceilDiv(rows, unit), count) * unit;
                checkRounds(each, count, rows);
                yield new SplitPlan(runs(count, each, rows));
            }
        };
    }

    private List<Split.Range> exact(int count, long rows, long unit) {
        long units = Math.ceilDiv(rows, unit);
        List<Split.Range> ranges = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Split.Share share = new Split.Share(i, count);
            ranges.add(
                    new Split.Rows(
                            Math.min(share.of(units).from() * unit, rows),
                            Math.min(share.of(units).to() * unit, rows)));
        }
        return ranges;
    }

    private void checkRounds(long each, int count, long rows) {
        if (rows > 0 && each / rows > MOST_ROUNDS) {
            throw new SpillwayException(
                            ErrorCode.INVALID_PLAN,
                            "Each of %,d splits would have %,d rows, and the job has %,d"
                                    .formatted(count, each, rows))
                    .with(SpillwayException.POINTER, "/alignTo");
        }
    }

    /**
     * So many splits of so many rows each; behind the last row come the first ones again.
     *
     * @param rows of the job that are in any of them
     */
    private List<Split.Range> runs(int count, long each, long rows) {
        List<Split.Range> ranges = new ArrayList<>(count);
        long repeatFrom = 0;
        for (int i = 0; i < count; i++) {
            long from = Math.min(i * each, rows);
            long to = Math.min(from + each, rows);
            long repeats = rows == 0 ? 0 : each - (to - from);
            ranges.add(
                    repeats == 0
                            ? new Split.Rows(from, to)
                            : new Split.Rows(from, to, repeatFrom, repeats, rows));
            repeatFrom = repeats == 0 ? 0 : (repeatFrom + repeats) % rows;
        }
        return ranges;
    }
}
