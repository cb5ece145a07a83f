package io.spillway.split;

import io.spillway.cursor.Split;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.plan.document.DivideRequest;
import io.spillway.rows.RowSource;
import java.util.List;
import java.util.OptionalLong;

/**
 * A split in two parts, back to back.
 *
 * @param primary the part that comes first
 * @param residual what follows it
 */
record SplitDivision(Split primary, Split residual) {

    /**
     * Divides a split. Reads nothing.
     *
     * @param source all rows of its job
     * @throws SpillwayException {@code ROW_COUNT_UNKNOWN} if it is not known where a fraction of it
     *     ends, {@code INVALID_PLAN} if that never will be
     */
    static SplitDivision of(Split split, DivideRequest request, RowSource source) {
        return switch (request) {
            case DivideRequest.AtRow(long row) -> atRow(split, row);
            case DivideRequest.AtFraction(double fraction) -> at(split, fraction, source);
        };
    }

    private static SplitDivision atRow(Split split, long row) {
        return new SplitDivision(split.part(0, row), split.part(row, Long.MAX_VALUE));
    }

    private static SplitDivision at(Split split, double fraction, RowSource source) {
        return switch (split.range()) {
            case Split.Rows rows -> atRows(split, rows, fraction);
            case Split.Share share -> {
                OptionalLong total = source.rowCount();
                if (total.isEmpty()) {
                    throw new SpillwayException(
                                    ErrorCode.ROW_COUNT_UNKNOWN,
                                    "How many rows this split has is not known yet: ask for the"
                                            + " :count of its job first")
                            .with(SpillwayException.POINTER, "/fraction");
                }
                yield atRows(split, share.of(total.getAsLong()), fraction);
            }
            case Split.Input input -> atInput(split, input, fraction, source);
        };
    }

    private static SplitDivision atRows(Split split, Split.Rows range, double fraction) {
        long all = range.to() - range.from() + range.repeats();
        long rows = Math.min(Math.max(all - split.offset(), 0), split.limit());
        return atRow(split, Math.min((long) (rows * fraction), rows));
    }

    private static SplitDivision atInput(
            Split split, Split.Input range, double fraction, RowSource source) {
        InputMap inputs = InputMap.of(source);
        if (inputs == null || !split.isWhole()) {
            throw new SpillwayException(
                            ErrorCode.INVALID_PLAN,
                            "This is a part of a split that was divided at a row, of which it is"
                                    + " not known how many rows it has: it can be divided at rows"
                                    + " only")
                    .with(SpillwayException.POINTER, "/fraction");
        }
        List<Split.Range> halves = inputs.cut(range, fraction);
        return new SplitDivision(
                new Split(split.jobId(), split.digest(), halves.getFirst()),
                new Split(split.jobId(), split.digest(), halves.getLast()));
    }
}
